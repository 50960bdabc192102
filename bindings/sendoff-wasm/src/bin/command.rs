//! The module with the command line, for `npx sendoff`.
#![cfg_attr(target_family = "wasm", no_std, no_main)]

use sendoff_wasm::exchange;

sendoff_wasm::without_std!();

/// Returns the length of the answer to a question, which has this length plus 1: the next step of a command line.
#[expect(
    unsafe_code,
    reason = "a name that JavaScript calls; no other function of the module has it"
)]
#[unsafe(no_mangle)]
pub extern "C" fn call(question: usize) -> usize {
    exchange(|question, _| Ok(sendoff_cli::answer(question)), question, [])
}

#[cfg(not(target_family = "wasm"))]
fn main() {}
