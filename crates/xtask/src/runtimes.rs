//! `codegen runtimes`: tests the package in every supported runtime, installed as users install it.

use std::path::Path;

use crate::{
    Outcome, apt, build,
    process::{run as finish, sh, words},
    setup, suites,
};

/// The folder of the engines that interpret.
const ENGINES: &str = "tests/runtimes/engines";

/// Tests all runtimes, and writes docs/reference/tables/platforms.md.
pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::browser()?;
    // 1.5 GB.
    setup::npm_of_this_platform("tests/runtimes/large")?;
    setup::npm(ENGINES)?;
    if !Path::new("/usr/bin/firefox-esr").exists() && apt::is_possible() {
        apt::install(&["firefox-esr"])?;
    }
    through("--all")?;
    suites::aliases_in_next()
}

/// Tests the runtimes that take seconds, and compares the results with docs/reference/tables/platforms.md.
pub(crate) fn quick() -> Outcome {
    through("")
}

/// Runs every vector in engines without WebAssembly and without a compiler, and compares the results in the same way. And measures
/// `signable` without WebAssembly where there is a compiler.
pub(crate) fn engines() -> Outcome {
    setup::npm(ENGINES)?;
    through("--engines")?;
    sh("node bench/javascript.mjs")
}

fn through(argument: &str) -> Outcome {
    setup::npm("tests/runtimes")?;
    let mut node = words(&format!("node tests/runtimes/run.mjs {argument}"));
    finish(node.env_remove("SENDOFF_BACKEND"))
}
