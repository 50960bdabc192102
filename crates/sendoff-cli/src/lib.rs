//! The commands of `sendoff` on the command line, and their output.
//!
//! `cargo xtask codegen` writes the table of [`COMMANDS`] for the same program in Node
//! (`npx sendoff`), so both have the same commands and texts. `tests/cli` checks that both print
//! the same output.

mod commands;
mod place;
mod show;

pub use self::commands::{Argument, COMMANDS, Command, ENTRY_POINT, Kind, help};
pub use self::place::Given;
pub use self::show::{Shown, show};
