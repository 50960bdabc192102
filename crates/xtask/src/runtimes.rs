//! `runtimes`: the package in every runtime that it is for, installed as people install it.

use std::path::Path;

use crate::{Outcome, aliases, apt, build, process, setup};

const FIREFOX: &str = "/usr/bin/firefox-esr";

/// All of them, and the table in the README of what was found.
pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::browser()?;
    // 1.5 GB.
    setup::npm_of_this_platform("tests/runtimes/large")?;
    if !Path::new(FIREFOX).exists() && apt::is_possible() {
        eprintln!("setup: installing Firefox from Debian, about a minute");
        apt::install(&["firefox-esr"])?;
    }
    through(&["--all"])?;
    aliases::next()
}

/// Runs those that take seconds, and compares them with the table in the README.
pub(crate) fn quick() -> Outcome {
    through(&[])
}

fn through(args: &[&str]) -> Outcome {
    setup::npm("tests/runtimes")?;
    process::run(process::loud("node", &["tests/runtimes/run.mjs"]).args(args).env_remove("SENDOFF_BACKEND"))
}
