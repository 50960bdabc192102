//! The suites of tests that have no module of their own.

use std::fs;

use crate::{
    Outcome, arguments, build,
    process::{run, sh, words},
    project, setup, toolchain, vectors,
};

/// Builds the package's code in TypeScript and runs its quick tests, on the modules of the last build.
pub(crate) fn quick() -> Outcome {
    build::sources()?;
    tests_of_the_package(&QUICK, "")
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

pub(crate) fn package() -> Outcome {
    build::panics()?;
    tests_of_the_package(&["*"], "")
}

pub(crate) fn package_with_all_cases() -> Outcome {
    tests_of_the_package(&["bad-input", "flow-worlds", "javascript"], "1")
}

/// Runs files of tests; `*` is all of them. `all`: with all of their cases.
fn tests_of_the_package(names: &[&str], all: &str) -> Outcome {
    let files = names.iter().map(|name| match *name {
        "*" => project::files_in(&project::package().join("test"), ".test.mjs"),
        name => Ok(vec![format!("test/{name}.test.mjs").into()]),
    });
    let files = files.collect::<Result<Vec<_>, _>>()?.concat();
    let mut node = words("node --test --test-concurrency=2");
    node.env("SENDOFF_ALL", all).current_dir(project::package());
    if all.is_empty() {
        node.env_remove("SENDOFF_ALL");
    }
    run(node.args(files))
}

pub(crate) fn bare_metal(features: &str) -> Outcome {
    let mut cargo = toolchain::cargo(toolchain::BARE_METAL, &["check", "-p", "sendoff"])?;
    run(cargo.args(["--features", features]))
}

pub(crate) fn same_bytes() -> Outcome {
    sh("node tests/conformance/same-bytes.mjs")
}

pub(crate) fn imports() -> Outcome {
    sh("node crates/xtask/src/imports.mjs")
}

pub(crate) fn panics() -> Outcome {
    sh("node crates/xtask/src/panics.mjs")
}

pub(crate) fn backend() -> Outcome {
    example("node-backend")
}

pub(crate) fn submissions() -> Outcome {
    example("submissions")
}

pub(crate) fn form() -> Outcome {
    example("react-form")
}

pub(crate) fn expo() -> Outcome {
    example("expo")
}

/// The tests of an example of the package.
fn example(name: &str) -> Outcome {
    setup::npm_run(&format!("bindings/sendoff-js/examples/{name}"), "test")
}

pub(crate) fn sdks() -> Outcome {
    setup::npm_run("tests/sdks", "test")
}

/// The demonstration: what happens to the money of a client that signs what comes back.
pub(crate) fn story() -> Outcome {
    sh("node tests/story/run.mjs")
}

pub(crate) fn documents() -> Outcome {
    setup::npm_run("tests/openapi", "test")
}

pub(crate) fn vitest() -> Outcome {
    setup::npm_run("tests/vitest", "test")
}

pub(crate) fn entries() -> Outcome {
    setup::npm("tests/types")?;
    sh("node tests/types/entries.mjs")
}

pub(crate) fn clear_signing() -> Outcome {
    setup::npm("tests/clear-signing")?;
    sh("node tests/clear-signing/run.mjs")
}

pub(crate) fn chromium() -> Outcome {
    let mut node = words("node tests/browser/run.mjs");
    run(node.args(vectors::places()?).env_remove("SENDOFF_VECTORS"))
}

/// Other spellings of requests through hosts of every kind, over HTTP/1.1.
pub(crate) fn aliases() -> Outcome {
    through("guards.mjs gateway.mjs", "1", "")
}

/// Over HTTP/2, and the gateway before all hosts.
pub(crate) fn all_aliases() -> Outcome {
    through("guards.mjs", "2", "")?;
    through("gateway.mjs", "", "1")
}

/// Next's, which is installed for `codegen runtimes`.
pub(crate) fn aliases_in_next() -> Outcome {
    sh("cargo build --bin aliases --bin sendoff-gateway")?;
    through("next.mjs", "1", "")
}

fn through(files: &str, http: &str, all: &str) -> Outcome {
    setup::npm("tests/aliases")?;
    let mut node = words(&format!("node --test {files}"));
    if !all.is_empty() {
        node.env("SENDOFF_ALL", all);
    }
    run(node.env("HTTP", http).current_dir(project::at("tests/aliases")))
}

pub(crate) fn chain() -> Outcome {
    setup::chain()?;
    sh("node tests/chain/transfer.mjs")?;
    run(words("cargo test -p chain").env("SENDOFF_ALL", "1"))
}

/// A hundred thousand requests. What the core answers, the module answers too.
pub(crate) fn pocket() -> Outcome {
    let laws = "cargo test -p sendoff-sandbox --test service laws";
    run(words(laws).env("SENDOFF_ALL", "1"))?;

    let file = project::at("target/pocket.jsonl");
    let replay = "cargo run --quiet --release -p sendoff-sandbox --example replay -- 3500";
    run(words(replay).arg(&file))?;
    run(words("node bindings/sendoff-js/replay.mjs").arg(&file))?;
    fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))
}

pub(crate) fn applications() -> Outcome {
    let test = "cargo test --test http many_applications_and_users -- --nocapture";
    run(words(test).env("SENDOFF_ALL", "1"))
}

/// What has more cases than `test` runs; or each law with as many cases, and as many altered replies, as are asked for.
pub(crate) fn laws() -> Outcome {
    if let [cases] = &arguments()[..] {
        let mut laws = words("cargo test -p laws --release");
        return run(laws.env("PROPTEST_CASES", cases).env("SENDOFF_MUTANTS", cases));
    }
    run(words("cargo test --test laws --test service").env("SENDOFF_ALL", "1"))
}

/// A thousand cases of each class of `tests/bypass`, or as many of all classes together as are asked for.
pub(crate) fn bypass() -> Outcome {
    if let [cases] = &arguments()[..] {
        let suite = "cargo test --quiet -p bypass --test suite -- --nocapture";
        return run(words(suite).env("SENDOFF_BYPASS", cases));
    }
    run(words("cargo test --test suite").env("SENDOFF_ALL", "1"))
}

/// Each fault is compiled in a copy of the core.
pub(crate) fn misspelt() -> Outcome {
    run(&mut words("cargo test -p misspelt -- --ignored"))
}
