//! [`sendoff::json`] for WebAssembly: every function, by its name.
#![cfg_attr(target_family = "wasm", no_std)]

extern crate alloc;

#[cfg(target_family = "wasm")]
mod memory;
mod text;

use sendoff::json;

// The number of arguments that `call` takes here.
const _: () = assert!(json::MOST_ARGUMENTS <= 5);

/// Calls the function whose name is the first text ([`text::exchange`]).
#[expect(unsafe_code, reason = "a name that JavaScript calls; no other function of the module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> usize {
    text::exchange(json::call, name, [a, b, c, d, e])
}
