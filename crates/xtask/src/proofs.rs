//! What is proved in more time than a test has: the gateway under faults and under load, rate windows in Redis, times of
//! secrets; and what tests do not show by passing.

use std::fs;

use crate::{
    Outcome, arguments,
    process::{loud, quiet, run, sh, succeeds, words},
    project, setup,
};

/// Compares rate windows in Redis with those of the core: millions of steps, some minutes.
pub(crate) fn windows() -> Outcome {
    setup::redis()?;
    sh("cargo run --quiet --release -p rate-windows -- long")
}

const PAGE: &str = "docs/reference/tables/faults.md";
const BEGIN: &str = "<!-- the table -->\n";

/// Tests the gateway with one fault at a time, and writes the results.
pub(crate) fn table() -> Outcome {
    setup::redis()?;
    let file = project::at("target/faults.md");
    faults("table", &[("SENDOFF_FAULTS", &file.to_string_lossy())])?;

    let table = project::read("target/faults.md")?;
    let text = project::read(PAGE)?;
    let (before, _) = text
        .split_once(BEGIN)
        .ok_or_else(|| format!("{PAGE}: expected the place of the table, found none"))?;
    fs::write(project::at(PAGE), format!("{before}{BEGIN}{table}"))
        .map_err(|error| format!("{PAGE}: {error}"))
}

/// Tests the gateway with mixed load and random faults from a seed: a minute, or as many seconds as are asked for.
pub(crate) fn soak() -> Outcome {
    setup::redis()?;
    let mut asked = arguments().into_iter();
    let mut next = |default: &str| asked.next().unwrap_or_else(|| default.into());
    let (seconds, seed) = (next("60"), next("1"));
    faults("soak", &[("SENDOFF_SOAK_SECONDS", &seconds), ("SENDOFF_SOAK_SEED", &seed)])
}

/// Attacks the gateway alone, and behind nginx with the file of `deploy`.
pub(crate) fn edge() -> Outcome {
    setup::nginx()?;
    sh("cargo test --quiet -p sendoff-gateway --test edge -- --nocapture")
}

/// Runs a test of `crates/sendoff-gateway/tests/faults`.
fn faults(name: &str, variables: &[(&str, &str)]) -> Outcome {
    let mut cargo = words("cargo test --quiet -p sendoff-gateway --test faults --");
    cargo.arg(format!("{name}::{name}")).args(["--exact", "--include-ignored", "--nocapture"]);
    run(cargo.envs(variables.iter().copied()))
}

/// The tests in which a cluster or sentinels lose a master under load, one after the other: the gateway's and the package's.
pub(crate) fn failover() -> Outcome {
    setup::redis()?;
    let mut cargo = words("cargo test --quiet -p sendoff-gateway --test cluster failover:: --");
    run(cargo.args(["--include-ignored", "--nocapture", "--test-threads=1"]))?;
    setup::npm_run("bindings/sendoff-js/examples/node-backend", "failover")
}

/// Times of the gateway's callers with right and wrong secrets, by a t-test.
pub(crate) fn timing() -> Outcome {
    let mut cargo =
        words("cargo test --quiet --release -p sendoff-gateway --lib callers::tests::timing");
    run(cargo.args(["--", "--nocapture"]).env("SENDOFF_TIMING", "200000"))
}

/// The core's unit tests in Miri, which finds undefined behaviour in the libraries that the core uses; the core itself has
/// no unsafe code.
pub(crate) fn miri() -> Outcome {
    if !succeeds("cargo", &["+nightly", "miri", "--version"]) {
        let add = ["toolchain", "install", "nightly", "--profile", "minimal"];
        run(quiet("rustup", &add).args(["--component", "miri,rust-src"]))?;
    }
    sh("cargo +nightly miri test -p units --lib --target-dir target/miri")
}

/// The lines of the core that its tests, the laws and the vectors reach, file by file.
pub(crate) fn coverage() -> Outcome {
    let tool = setup::cargo_tool("cargo-llvm-cov", "0.9.1")?;
    run(&mut quiet("rustup", &["component", "add", "llvm-tools-preview"]))?;
    let mut coverage = loud(&tool.to_string_lossy(), &["llvm-cov", "--summary-only"]);
    coverage.args(["--show-missing-lines", "--ignore-filename-regex", "tests/"]);
    coverage.args(["sendoff", "units", "laws", "conformance"].map(|name| format!("-p{name}")));
    run(coverage.env("SENDOFF_MUTANTS", "1000"))
}
