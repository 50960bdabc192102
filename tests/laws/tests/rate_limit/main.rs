//! The laws of the rate windows: the window, its small model, and the keyed limiter. The numbers are those of the list of
//! properties that the windows were specified with.
#![expect(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a panic is a failure of the test")]

mod limiter;
mod model;
mod script;
mod shared;
mod windows;
