//! `runtimes`: the package in every runtime that it is for, installed as people install it.

use std::path::Path;

use crate::{Outcome, apt, build, process, project, setup};

const FIREFOX: &str = "/usr/bin/firefox-esr";

/// All of them, and the table in the README of what was found.
pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::browser()?;
    large()?;
    if !Path::new(FIREFOX).exists() && apt::is_possible() {
        eprintln!("setup: installing Firefox from Debian, about a minute");
        apt::install(&["firefox-esr"])?;
    }
    through(&["--all"])
}

/// Not `npm ci`: it refuses a lock file without the packages for other platforms, and not every registry has those.
fn large() -> Outcome {
    eprintln!("setup: npm install in tests/runtimes/large, 1.5 GB, seconds to minutes");
    let args = ["install", "--no-save", "--no-audit", "--no-fund"];
    process::run(process::quiet("npm", &args).current_dir(project::at("tests/runtimes/large")))
}

/// Those that take seconds, held against the table in the README.
pub(crate) fn quick() -> Outcome {
    through(&[])
}

fn through(args: &[&str]) -> Outcome {
    setup::npm("tests/runtimes")?;
    process::run(process::loud("node", &["tests/runtimes/run.mjs"]).args(args).env_remove("SENDOFF_BACKEND"))
}
