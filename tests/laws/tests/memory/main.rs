//! Memory: what the limiter holds, and what a call of a module leaves behind. This is a test
//! program of its own, because it counts allocations.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    reason = "a panic is a failure of the test"
)]

mod calls;
mod counting;
mod limiter;
