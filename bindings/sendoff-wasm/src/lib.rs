//! [`sendoff::json`] for WebAssembly: text in, text out.
//!
//! This library is what the modules share: their memory and the passing of texts. A module is a
//! program in `src/bin`, which names the list of functions that it calls.
#![no_std]

extern crate alloc;

#[cfg(target_family = "wasm")]
mod memory;
mod text;

pub use text::{answer, exchange, room};
