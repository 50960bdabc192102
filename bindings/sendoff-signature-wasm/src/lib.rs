//! [`sendoff::json::signature`] for WebAssembly: every function, by its name. A module of its own, because elliptic curves
//! are large.
#![cfg_attr(target_family = "wasm", no_std)]

extern crate alloc;

#[cfg(target_family = "wasm")]
#[path = "../../sendoff-wasm/src/memory.rs"]
mod memory;
#[path = "../../sendoff-wasm/src/text.rs"]
mod text;

use sendoff::json::signature;

/// Calls the function whose name is the first text ([`text::exchange`]).
#[expect(unsafe_code, reason = "a name that JavaScript calls; no other function of the module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, a: usize, b: usize, c: usize) -> usize {
    text::exchange(signature::call, name, [a, b, c])
}
