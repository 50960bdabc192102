//! `codegen runtimes`: tests the package in every supported runtime, installed as users install it.

use std::path::Path;

use crate::{Outcome, aliases, apt, build, process, setup};

const FIREFOX: &str = "/usr/bin/firefox-esr";

/// The folder of the engines that interpret.
const ENGINES: &str = "tests/runtimes/engines";

/// Tests all runtimes, and writes docs/evidence/platforms.md.
pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::browser()?;
    // 1.5 GB.
    setup::npm_of_this_platform("tests/runtimes/large")?;
    setup::npm(ENGINES)?;
    if !Path::new(FIREFOX).exists() && apt::is_possible() {
        eprintln!("setup: installing Firefox from Debian, about a minute");
        apt::install(&["firefox-esr"])?;
    }
    through(&["--all"])?;
    aliases::next()
}

/// Tests the runtimes that take seconds, and compares the results with docs/evidence/platforms.md.
pub(crate) fn quick() -> Outcome {
    through(&[])
}

/// Runs every vector in engines without WebAssembly and without a compiler, and compares the results with docs/evidence/platforms.md. And
/// measures a hash without WebAssembly where there is a compiler.
pub(crate) fn engines() -> Outcome {
    setup::npm(ENGINES)?;
    through(&["--engines"])?;
    process::run(&mut process::loud("node", &["bench/keccak.mjs"]))
}

fn through(args: &[&str]) -> Outcome {
    setup::npm("tests/runtimes")?;
    process::run(
        process::loud("node", &["tests/runtimes/run.mjs"]).args(args).env_remove("SENDOFF_BACKEND"),
    )
}
