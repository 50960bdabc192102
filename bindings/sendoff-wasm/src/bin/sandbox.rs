//! The module of the npm entry `sendoff/sandbox`: one pocket service, whose state stays in the
//! module, and the core's functions, so that a page with both has one module.
#![cfg_attr(target_family = "wasm", no_main)]

use std::cell::Cell;

use sendoff::json::Answer;
use sendoff_sandbox::State;
use sendoff_wasm::exchange;

/// The state of this instance.
struct Service(Cell<Option<State>>);

// SAFETY: the module has one thread.
#[expect(unsafe_code, reason = "the module has one thread")]
unsafe impl Sync for Service {}

static SERVICE: Service = Service(Cell::new(None));

/// Calls the function whose name is the first text ([`exchange`]).
#[expect(
    unsafe_code,
    reason = "a name that JavaScript calls; no other function of the module has it"
)]
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, a: usize, b: usize, c: usize, d: usize, e: usize) -> usize {
    exchange(dispatch, name, [a, b, c, d, e])
}

fn dispatch(name: &str, texts: &[Option<&str>]) -> Answer {
    let mut state = SERVICE.0.take();
    let answer = sendoff_sandbox::call(&mut state, name, texts);
    SERVICE.0.set(state);
    answer
}

/// It is a program of browsers only.
#[cfg(not(target_family = "wasm"))]
fn main() {}
