//! The gateway with faults: real processes, a real store, and a backend that fails. Four
//! sides count the calls.
//!
//! `table` injects one fault at a time and checks what is promised for it.
//! `cargo xtask codegen faults` writes the results into the README. `soak` injects random faults
//! from a seed, for `SENDOFF_SOAK_SECONDS`.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "a panic is a failure of the test"
)]

#[path = "../support/mod.rs"]
mod support;

mod backend;
mod load;
mod soak;
mod table;
mod world;
