//! [`sendoff::json`] for WebAssembly: text in, text out.
//!
//! This library is what the modules share: their memory and the passing of texts. A module is a
//! program in `src/bin`, which names the list of functions that it calls.
#![no_std]

extern crate alloc;

mod text;

pub use text::{answer, exchange, room};

/// An allocator in constant time that is small as a module.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
