//! What `sendoff` is on the command line: its commands, and what it prints.
//!
//! The table of [`COMMANDS`] is made into the same program for Node (`npx sendoff`) by `cargo xtask codegen`, so both have the
//! same commands and words. `tests/cli` holds them to the same output.

mod commands;
mod place;
mod show;

pub use self::commands::{Argument, COMMANDS, Command, ENTRY_POINT, Kind, help};
pub use self::place::Given;
pub use self::show::{Shown, show};
