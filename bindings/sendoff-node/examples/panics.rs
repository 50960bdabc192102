//! The addon again, in which every function panics: what becomes of a panic is tested on it.

#[path = "../src/lib.rs"]
pub mod addon;
