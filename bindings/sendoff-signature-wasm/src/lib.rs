//! [`sendoff::json::signature`] for WebAssembly: every function, by its name. A module of its own, because elliptic curves
//! are large.

#[path = "../../sendoff-wasm/src/text.rs"]
mod text;

use sendoff::json::signature;

/// The allocator of the module, which has one thread.
#[cfg(target_family = "wasm")]
#[global_allocator]
static MEMORY: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Calls the function whose name is the first text ([`text::exchange`]).
#[expect(unsafe_code, reason = "a name that JavaScript calls; no other function of the module has it")]
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, a: usize, b: usize, c: usize) -> usize {
    text::exchange(signature::call, name, [a, b, c])
}
