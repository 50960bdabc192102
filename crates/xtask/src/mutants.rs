//! `test mutants`: changes of the code, one at a time, and the tests that notice them.

use std::{fs, process::Command};

use crate::{
    Outcome, arguments, build,
    process::{run as finish, sh, words},
    project, setup,
};

/// The tests that meet each mutant of the core: a package, what of it is compiled, further arguments, and after how many
/// seconds a test has no end. The quick ones come first: what they notice is not made again.
const TESTS: [(&str, &[&str], &[&str], &str); 7] = [
    ("conformance", &["--test=conformance"], &["--", "--skip", "readme"], "30"),
    ("units", &["--lib"], &[], "30"),
    // The examples in the documentation, which have assertions.
    ("sendoff", &["--all-features"], &["--doc"], "30"),
    ("laws", &["--test=laws"], &["schema"], "60"),
    // The types and descriptions that are made from the core.
    ("codegen", &["--test=fresh"], &[], "60"),
    ("laws", &["--test=laws"], &["rate_limit"], "60"),
    ("laws", &["--tests"], &[], "180"),
];

/// The tests of the gateway: the first pass runs the quick tests, the second all tests on what the first did not notice.
const PASSES: [&str; 2] =
    ["not test(/^(bounds|broken|log|secrets|stop|store)::|timing/)", "not test(/timing/)"];

/// The gateway's files that decide who calls, what counts, what is refused or forwarded, and what a configuration may say.
const GATEWAY: [&str; 6] =
    ["backend/*", "callers/**/*", "config/*", "limits/**/*", "message/*", "request/*"];

/// Mutants of one file of the core that decides; or those of the core, of the gateway or of the package, or of some of its files.
pub(crate) fn run() -> Outcome {
    let arguments = arguments();
    let (which, files) = arguments.split_first().map_or(("", &[][..]), |(w, files)| (w, files));
    let or_all = |all: &[String]| if files.is_empty() { all.to_vec() } else { files.to_vec() };
    match which {
        // The vectors and the laws of rate limits notice each mutant of this file.
        "" => {
            let mut mutants = of("sendoff", &["crates/sendoff/src/rate_limit/admit.rs".into()])?;
            mutants.args(["--output=target/mutants/short", "--jobs=2", "--baseline=skip"]);
            mutants.args(["--timeout=60", "--test-package=conformance", "--test-package=laws"]);
            mutants.args(["--cargo-arg=--test=conformance", "--cargo-arg=--test=laws"]);
            finish(mutants.args(["--", "--", "vectors", "rate_limit"]))
        }
        "core" => core(&or_all(&["crates/sendoff/src/**/*.rs".into()])),
        "gateway" => {
            gateway(&or_all(&GATEWAY.map(|file| format!("crates/sendoff-gateway/src/{file}.rs"))))
        }
        "package" => package(files),
        other => Err(format!("expected `core`, `gateway` or `package`, found `{other}`")),
    }
}

fn core(files: &[String]) -> Outcome {
    for (at, (package, built, more, limit)) in TESTS.iter().enumerate() {
        eprintln!("mutants: the tests of {package}, first without a mutant");
        // The longest laws have fewer cases.
        let mut tests = words("SENDOFF_MUTANTS=2000 cargo test --profile mutants --package");
        finish(tests.arg(package).args(*built).args(*more))?;

        let mut mutants = of("sendoff", files)?;
        mutants.args(["--output=target/mutants/core", "--jobs=2", "--baseline=skip"]);
        // The tool would run the tests of the mutated package instead.
        mutants.args(["--timeout", limit, "--test-package", package]);
        mutants.args(built.iter().map(|argument| format!("--cargo-arg={argument}")));
        mutants.args(more.iter().map(|argument| format!("--cargo-test-arg={argument}")));
        mutants.args((at > 0).then_some("--iterate"));
        ended(mutants.env("SENDOFF_MUTANTS", "2000"))?;
    }
    Ok(())
}

fn gateway(files: &[String]) -> Outcome {
    setup::needed("redis")?;
    // It ends at the first failure, and runs a test that failed once more, so that a test which
    // fails by chance kills nothing.
    setup::needed("cargo-nextest@0.9.143")?;
    for tests in PASSES {
        let mut mutants = of("sendoff-gateway", files)?;
        mutants.args(["--cargo-arg=--lib", "--cargo-arg=--test=http", "--iterate"]);
        mutants.args(["--output=target/mutants/gateway", "--test-tool=nextest"]);
        mutants.args(["--timeout=180", "--", "--test-threads=16", "--retries=1"]);
        ended(mutants.args(["--max-fail=1:immediate", "-E", tests]))?;
    }
    Ok(())
}

/// cargo-mutants for these files of a package. It compiles copies of the project, each in a folder of its own. One failing case is
/// enough, and it is not one of the next mutant's cases.
fn of(package: &str, files: &[String]) -> Result<Command, String> {
    setup::needed("cargo-mutants@27.1.0")?;
    let folder = project::at("target/mutants");
    fs::create_dir_all(&folder).map_err(project::cannot(&folder))?;
    let mut mutants = words(
        "CARGO_TARGET_DIR= PROPTEST_MAX_SHRINK_ITERS=0 PROPTEST_DISABLE_FAILURE_PERSISTENCE=1 \
            cargo mutants --profile mutants --package",
    );
    mutants.arg(package).args(files.iter().flat_map(|file| ["--file", file]));
    Ok(mutants)
}

/// Runs it to its end. It reports mutants that no test noticed, or that ran into the limit of time, by the status 2 or 3.
fn ended(mutants: &mut Command) -> Outcome {
    let status = mutants.status().map_err(|error| error.to_string())?;
    let has_run = matches!(status.code(), Some(0 | 2 | 3));
    if has_run { Ok(()) } else { Err(format!("cargo-mutants failed: {status}")) }
}

/// The npm package's own sources, or these of them.
fn package(files: &[String]) -> Outcome {
    build::run()?;
    build::panics()?;
    ["redis", "npm:bindings/sendoff-js/examples/node-backend", "npm:tests/mutants"]
        .into_iter()
        .try_for_each(setup::needed)?;
    let only =
        if files.is_empty() { String::new() } else { format!("--mutate {}", files.join(",")) };
    sh(&format!(
        "node tests/mutants/node_modules/@stryker-mutator/core/bin/stryker.js run \
            tests/mutants/stryker.config.json {only}"
    ))
}
