//! The gateway under fault: real processes, a real store, a backend and callers that fail, counted on four sides.
//!
//! `table` throws in one fault after the other and holds each to its promise; `cargo xtask prove-gateway` writes what it observed
//! into the README. `soak` throws in faults at random from a seed, for `SENDOFF_SOAK_SECONDS`.
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
mod bad;
mod load;
mod soak;
mod table;
mod world;
