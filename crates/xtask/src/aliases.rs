//! `tests/aliases`: other spellings of requests, through hosts of every kind.

use crate::{Outcome, process, project, setup};

/// Those that take seconds, over HTTP/1.1.
pub(crate) fn quick() -> Outcome {
    through(&["guards.mjs", "gateway.mjs"], "1", &[])
}

/// Over HTTP/2, and the gateway before all hosts.
pub(crate) fn all() -> Outcome {
    through(&["guards.mjs"], "2", &[])?;
    through(&["gateway.mjs"], "", &[("SENDOFF_ALL", "1")])
}

/// Next's, which is installed for `runtimes`.
pub(crate) fn next() -> Outcome {
    process::run(&mut process::quiet(
        "cargo",
        &["build", "--bin", "aliases", "--bin", "sendoff-gateway"],
    ))?;
    through(&["next.mjs"], "1", &[])
}

fn through(files: &[&str], http: &str, more: &[(&str, &str)]) -> Outcome {
    setup::npm("tests/aliases")?;
    let mut node = process::loud("node", &["--test"]);
    process::run(
        node.args(files)
            .env("HTTP", http)
            .envs(more.iter().copied())
            .current_dir(project::at("tests/aliases")),
    )
}
