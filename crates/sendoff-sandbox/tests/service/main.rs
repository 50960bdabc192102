//! The pocket service from its callers' side.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a panic is a failure of the test"
)]

mod bounds;
mod calls;
mod laws;

mod lies;
mod newcomers;
mod operations;
mod options;
mod random;
mod refusals;
mod rpc;
