//! The module of the npm entry `sendoff`: every function but those of signatures.
#![cfg_attr(target_family = "wasm", no_std, no_main)]

use sendoff::json;
use sendoff_wasm::exchange;

sendoff_wasm::without_std!();

// The number of arguments that `call` takes here.
const _: () = assert!(json::MOST_ARGUMENTS <= 5);

/// Calls the function whose name is the first text ([`exchange`]).
#[expect(
    unsafe_code,
    reason = "a name that JavaScript calls; no other function of the module has it"
)]
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> usize {
    exchange(json::call, name, [a, b, c, d, e])
}

/// It is a program of browsers only.
#[cfg(not(target_family = "wasm"))]
fn main() {}
