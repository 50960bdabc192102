//! `mutants`: changes of the code, one at a time, and the tests that notice them.

use std::{env, path::PathBuf, process::Command};

use crate::{Outcome, build, process, setup};

/// The tests that meet each mutant of the core: a package, what of it is compiled, further arguments, and after how many
/// seconds a test has no end. The quick ones come first: what they notice is not made again.
const TESTS: [(&str, &[&str], &[&str], &str); 7] = [
    ("conformance", &["--test", "vectors", "--test", "messages"], &[], "30"),
    ("units", &["--lib"], &[], "30"),
    // The examples in the documentation, which have assertions.
    ("sendoff", &["--all-features"], &["--doc"], "30"),
    ("schema", &["--test", "unexpressed", "--test", "names", "--test", "vectors"], &[], "60"),
    // The types and descriptions that are made from the core, and the parts of call data.
    ("codegen", &["--test", "fresh"], &[], "60"),
    ("laws", &["--test", "rate_limit"], &[], "60"),
    ("laws", &["--tests"], &[], "180"),
];

/// The file of the short form.
const SHORT: &str = "crates/sendoff/src/rate_limit/admit.rs";

/// The number of cases of the longest laws.
const CASES: &str = "2000";

/// Mutants of the core, or of these of its files, and the tests that notice them.
pub(crate) fn core(files: &[&str]) -> Outcome {
    let files = if files.is_empty() { &["crates/sendoff/src/**/*.rs"] } else { files };
    for (at, (package, built, run, limit)) in TESTS.iter().enumerate() {
        eprintln!("mutants: the tests of {package}, first without a mutant");
        let mut tests =
            process::loud("cargo", &["test", "--profile", "mutants", "--package", package]);
        process::run(tests.args(*built).args(*run).env("SENDOFF_MUTANTS", CASES))?;
        let mut mutants = of("sendoff", files)?;
        mutants.args(["--output", "target/mutants/core", "--jobs", "2"]);
        // The tool would run the tests of the mutated package instead.
        mutants.args(["--baseline", "skip", "--timeout", limit, "--test-package", package]);
        mutants.args(built.iter().map(|argument| format!("--cargo-arg={argument}")));
        mutants.args(run.iter().map(|argument| format!("--cargo-test-arg={argument}")));
        mutants.args((at > 0).then_some("--iterate"));
        // One failing case is enough, and it is not one of the next mutant's cases.
        mutants
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1");
        finish(mutants.env("SENDOFF_MUTANTS", CASES))?;
    }

    Ok(())
}

/// Mutants of one file of the core that decides. The vectors and the laws of rate limits notice each of them.
pub(crate) fn short() -> Outcome {
    let mut mutants = of("sendoff", &[SHORT])?;
    mutants.args([
        "--output",
        "target/mutants/short",
        "--jobs",
        "2",
        "--baseline",
        "skip",
        "--timeout",
        "60",
    ]);
    mutants.args(["--test-package", "conformance", "--test-package", "laws"]);
    mutants.args(["--cargo-arg=--test=vectors", "--cargo-arg=--test=rate_limit"]);
    process::run(
        mutants
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1"),
    )
}

/// Mutants of the gateway's deciding files, or of these files, and the tests over HTTP that notice them. The first pass runs
/// the quick tests, the second runs all tests on what the first did not notice.
pub(crate) fn gateway(files: &[&str]) -> Outcome {
    setup::redis()?;
    // It ends at the first failure, and runs a test that failed once more, so that a test which
    // fails by chance kills nothing.
    let nextest = setup::cargo_tool("cargo-nextest", "0.9.143")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path = nextest.parent().map(PathBuf::from).into_iter().chain(env::split_paths(&path));
    let path = env::join_paths(path).map_err(|error| format!("PATH: {error}"))?;
    let deciding = GATEWAY.map(|file| format!("crates/sendoff-gateway/src/{file}.rs"));
    let files = if files.is_empty() {
        deciding.each_ref().map(String::as_str).to_vec()
    } else {
        files.to_vec()
    };

    for tests in
        ["not test(/^(bounds|broken|log|secrets|stop|store)::|timing/)", "not test(/timing/)"]
    {
        let mut mutants = of("sendoff-gateway", &files)?;
        mutants.args(["--cargo-arg=--lib", "--cargo-arg=--test=http"]);
        mutants.args([
            "--output",
            "target/mutants/gateway",
            "--iterate",
            "--test-tool",
            "nextest",
            "--timeout",
            "180",
        ]);
        mutants.args([
            "--",
            "--test-threads=16",
            "--retries=1",
            "--max-fail=1:immediate",
            "-E",
            tests,
        ]);
        finish(mutants.env("PATH", &path))?;
    }

    Ok(())
}

/// cargo-mutants for these files of a package. It compiles copies of the project, each in a folder of its own.
fn of(package: &str, files: &[&str]) -> Result<Command, String> {
    let tool = setup::cargo_tool("cargo-mutants", "27.1.0")?;
    let mut mutants = process::loud(
        &tool.to_string_lossy(),
        &["mutants", "--profile", "mutants", "--package", package],
    );
    mutants.env_remove("CARGO_TARGET_DIR");
    mutants.args(files.iter().flat_map(|file| ["--file", file]));
    Ok(mutants)
}

/// Runs it to its end. It reports mutants that no test noticed, or that ran into the limit of time, by the status 2 or 3.
fn finish(mutants: &mut Command) -> Outcome {
    let status = mutants.status().map_err(|error| error.to_string())?;
    if matches!(status.code(), Some(0 | 2 | 3)) {
        Ok(())
    } else {
        Err(format!("cargo-mutants failed: {status}"))
    }
}

/// The gateway's files that decide who calls, what counts, what is refused or forwarded, and what a configuration may say.
const GATEWAY: [&str; 23] = [
    "account",
    "activity",
    "body",
    "bundler",
    "callers",
    "config/*",
    "envelope",
    "estimate",
    "gateway",
    "guarded",
    "head",
    "places",
    "process",
    "redis",
    "reply",
    "seats",
    "shares",
    "slots",
    "stopwatch",
    "store",
    "supported",
    "upstream",
    "windows",
];

/// Mutants of the npm package's own sources, or of these of them, and the tests that notice them.
pub(crate) fn package(files: &[&str]) -> Outcome {
    build::run()?;
    build::panics()?;
    setup::redis()?;
    setup::npm("bindings/sendoff-js/examples/node-backend")?;
    setup::npm("tests/mutants")?;
    let stryker = "tests/mutants/node_modules/@stryker-mutator/core/bin/stryker.js";
    let mut mutants = process::loud("node", &[stryker, "run", "tests/mutants/stryker.config.json"]);
    if !files.is_empty() {
        mutants.args(["--mutate", &files.join(",")]);
    }
    process::run(&mut mutants)
}
