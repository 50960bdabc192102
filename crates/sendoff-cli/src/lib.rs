//! The command line `sendoff`: what it is asked for in, its output out.
//!
//! The binary of this crate and the addon of the npm package (`npx sendoff`) run it, and read the
//! files that it names. `tests/cli` has command lines with their output, and checks both.

mod commands;
mod line;
mod place;
mod show;

pub use self::line::{Surroundings, run};
