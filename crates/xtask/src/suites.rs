//! The suites of tests that have no module of their own.

use std::fs;

use crate::{Outcome, build, core_tasks, process, project, promises, setup, supply, toolchain};

/// Builds the package's code in TypeScript and runs its quick tests, on the modules of the last build.
pub(crate) fn quick() -> Outcome {
    build::sources()?;
    let files = QUICK.map(|file| format!("test/{file}.test.mjs"));
    let mut node = process::loud("node", &["--test", "--test-concurrency=2"]);
    process::run(node.args(files).current_dir(project::package()))
}

/// The files of the package's tests that take a second.
const QUICK: [&str; 15] = [
    "argument",
    "deployments",
    "error",
    "http",
    "http-replies",
    "messages",
    "rate-limiter",
    "redis",
    "runtime",
    "safe",
    "schema",
    "sign",
    "signature",
    "text",
    "types",
];

pub(crate) fn bare_metal(features: &[&str]) -> Outcome {
    let mut cargo = toolchain::cargo(toolchain::BARE_METAL, &["check", "-p", "sendoff"])?;
    process::run(cargo.args(features))
}

pub(crate) fn supply() -> Outcome {
    supply::dependencies()?;
    promises::check()
}

pub(crate) fn package() -> Outcome {
    build::panics()?;
    let files = project::files_in(&project::package().join("test"), ".test.mjs")?;
    let mut node = process::loud("node", &["--test", "--test-concurrency=2"]);
    process::run(node.args(files).current_dir(project::package()))
}

pub(crate) fn package_with_all_cases() -> Outcome {
    let files =
        ["bad-input", "flow-worlds", "javascript"].map(|name| format!("test/{name}.test.mjs"));
    let mut node = process::loud("node", &["--test", "--test-concurrency=2"]);
    process::run(node.args(files).env("SENDOFF_ALL", "1").current_dir(project::package()))
}

pub(crate) fn backend() -> Outcome {
    example("node-backend")
}

pub(crate) fn submissions() -> Outcome {
    example("submissions")
}

/// The tests of an example of the package.
fn example(name: &str) -> Outcome {
    npm_test(&format!("bindings/sendoff-js/examples/{name}"))
}

fn npm_test(place: &str) -> Outcome {
    setup::npm(place)?;
    process::run(process::loud("npm", &["test", "--silent"]).current_dir(project::at(place)))
}

pub(crate) fn chain() -> Outcome {
    setup::chain()?;
    node(&["tests/chain/transfer.mjs"])?;
    process::run(process::loud("cargo", &["test", "-p", "chain"]).env("SENDOFF_ALL", "1"))
}

pub(crate) fn pocket() -> Outcome {
    let args = ["test", "-p", "sendoff-sandbox", "--test", "service", "laws"];
    process::run(process::loud("cargo", &args).env("SENDOFF_ALL", "1"))?;
    // What the core answers, the module answers too.
    let file = project::at("target/pocket.jsonl").display().to_string();
    let example = [
        "run",
        "--quiet",
        "--release",
        "-p",
        "sendoff-sandbox",
        "--example",
        "replay",
        "--",
        "3500",
        &file,
    ];
    process::run(&mut process::loud("cargo", &example))?;
    node(&["bindings/sendoff-js/replay.mjs", &file])?;
    fs::remove_file(&file).map_err(|error| format!("{file}: {error}"))
}

pub(crate) fn applications() -> Outcome {
    let args = ["test", "--test", "http", "many_applications_and_users", "--", "--nocapture"];
    process::run(process::loud("cargo", &args).env("SENDOFF_ALL", "1"))
}

/// What has more cases than `test` runs.
pub(crate) fn laws() -> Outcome {
    let names = ["submission", "service", "small", "account", "estimate", "suite", "generated"]
        .map(|name| ["--test", name]);
    process::run(
        process::loud("cargo", &["test"]).args(names.as_flattened()).env("SENDOFF_ALL", "1"),
    )
}

pub(crate) fn chromium() -> Outcome {
    let mut node = process::loud("node", &["tests/browser/run.mjs"]);
    process::run(node.args(core_tasks::places()?).env_remove("SENDOFF_VECTORS"))
}

pub(crate) fn form() -> Outcome {
    example("react-form")
}

pub(crate) fn entries() -> Outcome {
    setup::npm("tests/types")?;
    node(&["tests/types/entries.mjs"])
}

pub(crate) fn expo() -> Outcome {
    example("expo")
}

pub(crate) fn clear_signing() -> Outcome {
    setup::npm("tests/clear-signing")?;
    node(&["tests/clear-signing/run.mjs"])
}

pub(crate) fn vitest() -> Outcome {
    npm_test("tests/vitest")
}

pub(crate) fn node(args: &[&str]) -> Outcome {
    process::run(&mut process::loud("node", args))
}

/// Each fault is compiled in a copy of the core.
pub(crate) fn misspelt() -> Outcome {
    process::run(process::loud("cargo", &["test", "-p", "misspelt", "--", "--ignored"]))
}
