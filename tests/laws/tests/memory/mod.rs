//! Memory: what the limiter holds, and what a call of a module leaves behind. This is a test
//! program of its own, because it counts allocations.

mod calls;
mod counting;
mod limiter;
