//! The laws on bytes: what a fuzzer feeds, and what `tests/corpus.rs` feeds again of what it kept.
//!
//! A check panics if a law does not hold. Which inputs reach what is the fuzzer's work
//! (`tests/fuzz`).

mod bearer;
mod calls;
mod corpus;
mod outcomes;
mod paymaster;
mod redis;
mod replies;
mod seeds;
mod service;
mod targets;
mod windows;

use crate::{json_readers, spelling};

pub(crate) use calls::answered;
pub use calls::split;
pub use corpus::{keep, kept};
pub use seeds::seeds;
pub use windows::{follows, planned};

/// A check of one input.
pub type Check = fn(&[u8]);

/// The checks by name. `wasm`, which needs a WebAssembly engine, is in `tests/fuzz`.
pub const CHECKS: [(&str, Check); 13] = [
    ("json", |bytes| text(bytes, json_readers::agree)),
    ("values", |bytes| text(bytes, spelling::every_kind_keeps_spelling)),
    ("call_data", calls::data),
    ("contract_call", calls::contract),
    ("functions", calls::functions),
    ("targets", targets::check),
    ("replies", replies::check),
    ("bearer", bearer::check),
    ("paymaster", paymaster::check),
    ("limiter", windows::check),
    ("redis", redis::check),
    ("outcomes", outcomes::check),
    ("service", service::check),
];

/// The check of this name.
///
/// # Panics
///
/// If there is none.
#[must_use]
pub fn check(name: &str) -> Check {
    CHECKS.iter().find(|(known, _)| *known == name).expect("the name of a check").1
}

/// What is not UTF-8 reaches no reader of text.
fn text(bytes: &[u8], check: fn(&str)) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        check(text);
    }
}
