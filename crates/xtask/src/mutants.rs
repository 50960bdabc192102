//! `test mutants`: changes of the code, one at a time, and the tests that notice them.

use std::{env, path::PathBuf, process::Command};

use crate::{
    Outcome, arguments, build,
    process::{loud, run as finish, words},
    setup,
};

/// The tests that meet each mutant of the core: a package, what of it is compiled, further arguments, and after how many
/// seconds a test has no end. The quick ones come first: what they notice is not made again.
const TESTS: [(&str, &[&str], &[&str], &str); 7] = [
    ("conformance", &["--test", "conformance"], &["--", "--skip", "readme"], "30"),
    ("units", &["--lib"], &[], "30"),
    // The examples in the documentation, which have assertions.
    ("sendoff", &["--all-features"], &["--doc"], "30"),
    ("laws", &["--test", "laws"], &["schema"], "60"),
    // The types and descriptions that are made from the core.
    ("codegen", &["--test", "fresh"], &[], "60"),
    ("laws", &["--test", "laws"], &["rate_limit"], "60"),
    ("laws", &["--tests"], &[], "180"),
];

/// The number of cases of the longest laws.
const CASES: &str = "2000";

/// Mutants of one file of the core that decides; or those of the core, of the gateway or of the package, or of some of its files.
pub(crate) fn run() -> Outcome {
    let arguments = arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => short(),
        ["core"] => core(&["crates/sendoff/src/**/*.rs"]),
        ["core", files @ ..] => core(files),
        ["gateway"] => {
            gateway(&GATEWAY.map(|file| format!("crates/sendoff-gateway/src/{file}.rs")))
        }
        ["gateway", files @ ..] => gateway(files),
        ["package", files @ ..] => package(files),
        [other, ..] => Err(format!("expected `core`, `gateway` or `package`, found `{other}`")),
    }
}

fn core(files: &[&str]) -> Outcome {
    for (at, (package, built, more, limit)) in TESTS.iter().enumerate() {
        eprintln!("mutants: the tests of {package}, first without a mutant");
        let mut tests = words("cargo test --profile mutants --package");
        tests.arg(package).args(*built).args(*more);
        finish(tests.env("SENDOFF_MUTANTS", CASES))?;

        let mut mutants = of("sendoff", files)?;
        mutants.args(["--output", "target/mutants/core", "--jobs", "2", "--baseline", "skip"]);
        // The tool would run the tests of the mutated package instead.
        mutants.args(["--timeout", limit, "--test-package", package]);
        mutants.args(built.iter().map(|argument| format!("--cargo-arg={argument}")));
        mutants.args(more.iter().map(|argument| format!("--cargo-test-arg={argument}")));
        mutants.args((at > 0).then_some("--iterate"));
        ended(mutants.env("SENDOFF_MUTANTS", CASES))?;
    }
    Ok(())
}

/// The vectors and the laws of rate limits notice each mutant of this file.
fn short() -> Outcome {
    let mut mutants = of("sendoff", &["crates/sendoff/src/rate_limit/admit.rs"])?;
    mutants.args(["--output", "target/mutants/short", "--jobs", "2", "--baseline", "skip"]);
    mutants.args(["--timeout", "60", "--test-package", "conformance", "--test-package", "laws"]);
    mutants.args(["--cargo-arg=--test=conformance", "--cargo-arg=--test=laws"]);
    finish(mutants.args(["--", "--", "vectors", "rate_limit"]))
}

/// The tests over HTTP: the first pass runs the quick tests, the second all tests on what the first did not notice.
fn gateway<F: AsRef<str>>(files: &[F]) -> Outcome {
    setup::redis()?;
    // It ends at the first failure, and runs a test that failed once more, so that a test which
    // fails by chance kills nothing.
    let nextest = setup::cargo_tool("cargo-nextest", "0.9.143")?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path = nextest.parent().map(PathBuf::from).into_iter().chain(env::split_paths(&path));
    let path = env::join_paths(path).map_err(|error| format!("PATH: {error}"))?;
    let files: Vec<&str> = files.iter().map(AsRef::as_ref).collect();

    for tests in
        ["not test(/^(bounds|broken|log|secrets|stop|store)::|timing/)", "not test(/timing/)"]
    {
        let mut mutants = of("sendoff-gateway", &files)?;
        mutants.args(["--cargo-arg=--lib", "--cargo-arg=--test=http", "--iterate"]);
        mutants.args(["--output", "target/mutants/gateway", "--test-tool", "nextest"]);
        mutants.args(["--timeout", "180", "--", "--test-threads=16", "--retries=1"]);
        ended(mutants.args(["--max-fail=1:immediate", "-E", tests]).env("PATH", &path))?;
    }
    Ok(())
}

/// cargo-mutants for these files of a package. It compiles copies of the project, each in a folder of its own.
fn of(package: &str, files: &[&str]) -> Result<Command, String> {
    let tool = setup::cargo_tool("cargo-mutants", "27.1.0")?;
    let mut mutants = loud(&tool.to_string_lossy(), &["mutants", "--profile", "mutants"]);
    mutants.args(["--package", package]).args(files.iter().flat_map(|file| ["--file", file]));
    // One failing case is enough, and it is not one of the next mutant's cases.
    mutants.env("PROPTEST_MAX_SHRINK_ITERS", "0").env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1");
    mutants.env_remove("CARGO_TARGET_DIR");
    Ok(mutants)
}

/// Runs it to its end. It reports mutants that no test noticed, or that ran into the limit of time, by the status 2 or 3.
fn ended(mutants: &mut Command) -> Outcome {
    let status = mutants.status().map_err(|error| error.to_string())?;
    let has_run = matches!(status.code(), Some(0 | 2 | 3));
    if has_run { Ok(()) } else { Err(format!("cargo-mutants failed: {status}")) }
}

/// The gateway's files that decide who calls, what counts, what is refused or forwarded, and what a configuration may say.
const GATEWAY: [&str; 5] = ["backend/*", "callers/**/*", "config/*", "limits/**/*", "request/*"];

/// The npm package's own sources, or these of them.
fn package(files: &[&str]) -> Outcome {
    build::run()?;
    build::panics()?;
    setup::redis()?;
    setup::npm("bindings/sendoff-js/examples/node-backend")?;
    setup::npm("tests/mutants")?;
    let stryker = "tests/mutants/node_modules/@stryker-mutator/core/bin/stryker.js";
    let mut mutants = words(&format!("node {stryker} run tests/mutants/stryker.config.json"));
    if !files.is_empty() {
        mutants.args(["--mutate", &files.join(",")]);
    }
    finish(&mut mutants)
}
