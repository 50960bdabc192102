//! `tests/aliases`: other spellings of requests, through hosts of every kind.

use crate::{Outcome, process, project, setup};

/// Those that take seconds, over HTTP of this version.
pub(crate) fn quick(http: &str) -> Outcome {
    through(&["guards.mjs", "gateway.mjs"], http)
}

/// Next's, which is installed for `runtimes`.
pub(crate) fn next() -> Outcome {
    process::run(&mut process::quiet("cargo", &["build", "--bin", "aliases", "--bin", "sendoff-gateway"]))?;
    through(&["next.mjs"], "1")
}

fn through(files: &[&str], http: &str) -> Outcome {
    setup::npm("tests/aliases")?;
    let mut node = process::loud("node", &["--test"]);
    process::run(node.args(files).env("HTTP", http).current_dir(project::at("tests/aliases")))
}
