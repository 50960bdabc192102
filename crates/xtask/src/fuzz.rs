//! `fuzz`: runs the laws with more cases.

use crate::{Outcome, process};

/// Runs each property of `tests/laws` with this many cases, and tries as many altered replies for each intent.
pub(crate) fn run(cases: &str) -> Outcome {
    if cases.parse::<u32>().is_err() {
        return Err(format!("expected a number of cases, found `{cases}`"));
    }
    process::run(
        process::loud("cargo", &["test", "-p", "laws", "--release"])
            .env("PROPTEST_CASES", cases)
            .env("SENDOFF_MUTANTS", cases),
    )
}
