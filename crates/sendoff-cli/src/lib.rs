//! The command line `sendoff` without a machine: arguments and the texts of files in, the output and the exit status out.
//!
//! The binary of this crate and `npx sendoff` read files and print; what they read and print is decided here. The npm package
//! has this crate as a WebAssembly module, which asks by [`answer`]. `tests/cli` has command lines with their output, and
//! checks both.

#![no_std]

extern crate alloc;

mod commands;
mod line;
mod place;
mod show;
mod step;

pub use self::step::{Machine, Step, Unread, answer, step};
