//! `miri`, `mutants` and `coverage`: what the tests of the core do not show by passing.

use crate::{Outcome, process, setup};

/// The core's unit tests in Miri, which finds undefined behaviour in the libraries that the core uses; the core itself has
/// no unsafe code.
pub(crate) fn miri() -> Outcome {
    if !process::succeeds("cargo", &["+nightly", "miri", "--version"]) {
        eprintln!("miri: adding Miri to nightly Rust, seconds");
        let add = ["toolchain", "install", "nightly", "--profile", "minimal", "--component", "miri,rust-src"];
        process::run(&mut process::quiet("rustup", &add))?;
    }
    process::run(&mut process::loud(
        "cargo",
        &["+nightly", "miri", "test", "-p", "sendoff", "--lib", "--target-dir", "target/miri"],
    ))
}

/// The tests that meet each mutant of the core: a package, what of it is compiled, and what more is said to run it. The quick ones
/// come first: what they notice is not made again.
const TESTS: [(&str, &[&str], &[&str]); 4] = [
    ("conformance", &["--test", "vectors", "--test", "messages"], &[]),
    ("sendoff", &["--all-features", "--lib"], &[]),
    // The examples in the documentation, which have assertions.
    ("sendoff", &["--all-features"], &["--doc"]),
    ("laws", &["--tests"], &[]),
];

/// The number of cases of the longest laws.
const CASES: &str = "2000";

/// Mutants of the core, or of these of its files, and the tests that notice them.
pub(crate) fn mutants(files: &[&str]) -> Outcome {
    let tool = setup::cargo_tool("cargo-mutants", "27.1.0")?;
    let mut missed = Ok(());
    for (at, (package, built, run)) in TESTS.iter().enumerate() {
        eprintln!("mutants: the tests of {package}, first without a mutant");
        let mut tests = process::loud("cargo", &["test", "--profile", "mutants", "--package", package]);
        process::run(tests.args(*built).args(*run).env("SENDOFF_MUTANTS", CASES))?;
        let mut mutants =
            process::loud(&tool.to_string_lossy(), &["mutants", "--output", "target/mutants", "--jobs", "2"]);
        // The tool would run the tests of the mutated package instead.
        mutants.args(["--baseline", "skip", "--timeout", "120", "--test-package", package]);
        mutants.args(built.iter().map(|argument| format!("--cargo-arg={argument}")));
        mutants.args(run.iter().map(|argument| format!("--cargo-test-arg={argument}")));
        mutants.args((at > 0).then_some("--iterate"));
        mutants.args(files.iter().flat_map(|file| ["--file", file]));
        // It fails if mutants are missed, which the next tests may notice.
        missed = process::run(mutants.env("SENDOFF_MUTANTS", CASES));
    }
    missed
}

/// The lines of the core that its tests, the laws and the vectors reach, file by file.
pub(crate) fn coverage() -> Outcome {
    let tool = setup::cargo_tool("cargo-llvm-cov", "0.9.1")?;
    process::run(&mut process::quiet("rustup", &["component", "add", "llvm-tools-preview"]))?;
    let tests = ["llvm-cov", "--summary-only", "-p", "sendoff", "-p", "laws", "-p", "conformance"];
    let mut coverage = process::loud(&tool.to_string_lossy(), &tests);
    process::run(coverage.args(["--ignore-filename-regex", "tests/"]).env("SENDOFF_MUTANTS", "1000"))
}
