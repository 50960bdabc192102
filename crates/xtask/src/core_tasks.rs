//! The commands that call the core, in a program of their own (`crates/core-tasks`).

use std::{path::PathBuf, process::Command};

use crate::{Outcome, process, project};

/// Compiles the program. In the lanes of tests it is compiled already.
pub(crate) fn built() -> Outcome {
    process::run(&mut process::quiet("cargo", &["build", "--bin", "core-tasks"]))
}

/// The program with its arguments.
pub(crate) fn program(args: &[&str]) -> Command {
    process::loud(&project::at("target/debug/core-tasks").to_string_lossy(), args)
}

/// The names of all functions and operations.
pub(crate) fn names() -> Result<Vec<String>, String> {
    lines("names")
}

/// The places of all suites of vectors.
pub(crate) fn places() -> Result<Vec<PathBuf>, String> {
    Ok(lines("places")?.into_iter().map(PathBuf::from).collect())
}

fn lines(command: &str) -> Result<Vec<String>, String> {
    let answer = process::answer(&mut program(&[command]), "")?;
    Ok(answer.lines().map(str::to_owned).collect())
}
