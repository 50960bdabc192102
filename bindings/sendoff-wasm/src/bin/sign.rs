//! The module of the npm entry `sendoff/sign`: the functions of a page that checks and signs
//! replies.
#![cfg_attr(target_family = "wasm", no_std, no_main)]

sendoff_wasm::without_std!(sendoff::json::call_for_signing, a, b, c, d, e);
