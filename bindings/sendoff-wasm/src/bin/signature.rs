//! The module of the npm entry `sendoff/signature`: elliptic curves are large, so it is a module of
//! its own.
#![cfg_attr(target_family = "wasm", no_std, no_main)]

sendoff_wasm::without_std!(sendoff::json::signature::call, a, b, c);
