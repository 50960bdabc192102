//! `miri` and `coverage`: what the tests of the core do not show by passing.

use crate::{Outcome, process, setup};

/// The core's unit tests in Miri, which finds undefined behaviour in the libraries that the core uses; the core itself has
/// no unsafe code.
pub(crate) fn miri() -> Outcome {
    if !process::succeeds("cargo", &["+nightly", "miri", "--version"]) {
        eprintln!("miri: adding Miri to nightly Rust, seconds");
        let add = [
            "toolchain",
            "install",
            "nightly",
            "--profile",
            "minimal",
            "--component",
            "miri,rust-src",
        ];
        process::run(&mut process::quiet("rustup", &add))?;
    }
    process::run(&mut process::loud(
        "cargo",
        &["+nightly", "miri", "test", "-p", "units", "--lib", "--target-dir", "target/miri"],
    ))
}

/// The lines of the core that its tests, the laws and the vectors reach, file by file.
pub(crate) fn coverage() -> Outcome {
    let tool = setup::cargo_tool("cargo-llvm-cov", "0.9.1")?;
    process::run(&mut process::quiet("rustup", &["component", "add", "llvm-tools-preview"]))?;
    let tests = [
        "llvm-cov",
        "--summary-only",
        "--show-missing-lines",
        "-p",
        "sendoff",
        "-p",
        "units",
        "-p",
        "laws",
        "-p",
        "conformance",
    ];
    let mut coverage = process::loud(&tool.to_string_lossy(), &tests);
    process::run(
        coverage.args(["--ignore-filename-regex", "tests/"]).env("SENDOFF_MUTANTS", "1000"),
    )
}
