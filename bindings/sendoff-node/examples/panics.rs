//! An addon in which every function panics, for the test of panics.

#[path = "../src/lib.rs"]
pub mod addon;
