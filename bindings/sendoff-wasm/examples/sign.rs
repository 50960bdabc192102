//! [`sendoff::json`] for WebAssembly: the functions of the npm entry `sendoff/sign`, and no others.
#![cfg_attr(target_family = "wasm", no_std)]

extern crate alloc;

#[cfg(target_family = "wasm")]
#[path = "../src/memory.rs"]
mod memory;
#[path = "../src/text.rs"]
mod text;

use sendoff::json;

/// Calls the function whose name is the first text ([`text::exchange`]).
#[expect(unsafe_code, reason = "a name that JavaScript calls; no other function of the module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> usize {
    text::exchange(json::call_for_signing, name, [a, b, c, d, e])
}
