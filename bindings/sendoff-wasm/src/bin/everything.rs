//! The module of the npm entry `sendoff`: every function but those of signatures.
#![cfg_attr(target_family = "wasm", no_std, no_main)]

use sendoff::json;

// The number of arguments that `call` takes here.
const _: () = assert!(json::MOST_ARGUMENTS <= 5);

sendoff_wasm::without_std!(json::call, a, b, c, d, e);
