//! `tests/aliases`: other spellings of requests, through hosts of every kind.

use crate::{Outcome, process, project, setup};

/// Those that take seconds.
pub(crate) fn quick() -> Outcome {
    through(&["guards.mjs", "gateway.mjs"])
}

/// Next's, which is installed for `runtimes`.
pub(crate) fn next() -> Outcome {
    through(&["next.mjs"])
}

fn through(files: &[&str]) -> Outcome {
    setup::npm("tests/aliases")?;
    process::run(&mut process::quiet("cargo", &["build", "-p", "aliases", "-p", "sendoff-gateway"]))?;
    process::run(process::loud("node", &["--test"]).args(files).current_dir(project::at("tests/aliases")))
}
