//! `runtimes`: tests the package in every supported runtime, installed as users install it.

use std::path::Path;

use crate::{Outcome, addons, aliases, apt, process, setup};

const FIREFOX: &str = "/usr/bin/firefox-esr";

/// Tests all runtimes, and writes the table in the README.
pub(crate) fn run() -> Outcome {
    addons::prepare()?;
    setup::browser()?;
    // 1.5 GB.
    setup::npm_of_this_platform("tests/runtimes/large")?;
    if !Path::new(FIREFOX).exists() && apt::is_possible() {
        eprintln!("setup: installing Firefox from Debian, about a minute");
        apt::install(&["firefox-esr"])?;
    }
    through(&["--all"])?;
    process::run(&mut process::loud("node", &["bench/keccak.mjs"]))?;
    aliases::next()
}

/// Tests the runtimes that take seconds, and compares the results with the table in the README.
pub(crate) fn quick() -> Outcome {
    through(&[])
}

/// Tests the package with the addon of each platform, and compares the results with the table in the README.
pub(crate) fn platforms() -> Outcome {
    through(&["--platforms"])
}

fn through(args: &[&str]) -> Outcome {
    setup::npm("tests/runtimes")?;
    process::run(process::loud("node", &["tests/runtimes/run.mjs"]).args(args).env_remove("SENDOFF_BACKEND"))
}
