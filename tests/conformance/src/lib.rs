//! Suites of vectors, run against the core.
//!
//! A suite is a JSON file, `{suite, about, source, cases: [{name, call, args, …}]}`. Each case has
//! the expected result of its call, as one of `ok`, `err`, `accept`, `finds` and `permits`. The
//! wasm build, the native addon and the browser have runners of their own for the same files.
//!
//! ```
//! let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
//! let report = conformance::run(&[root.join("tests/vectors/envelope.json")]);
//! assert!(report.passed() + report.failed() > 0);
//! ```

mod answer;
mod call;
mod messages;
mod place;
mod report;
mod suite;

pub use call::Answer;
pub use messages::messages;
pub use place::places;
pub use report::Report;
use report::Tally;

use std::path::{Path, PathBuf};

use serde_json::value::RawValue;
use suite::{Case, Suite};

/// A call of a suite, and the core's answer.
#[derive(Debug)]
pub struct Call {
    /// The name of the function in vectors.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<Box<RawValue>>,
    /// The answer.
    pub answer: Answer,
}

/// Returns every call of these places, without its expectation. [`run`] reports suites and calls that fail.
#[must_use]
pub fn calls(places: &[PathBuf]) -> Vec<Call> {
    let files = places.iter().filter_map(|place| place::suites(place).ok()).flatten();
    let cases = files.filter_map(|file| Suite::read(&file).ok()).flat_map(|suite| suite.cases);
    let called = cases.filter_map(|case| {
        let answer = call::call(&case.call, &case.args).ok()?;
        Some(Call { name: case.call, arguments: case.args, answer })
    });
    called.collect()
}

/// Runs every suite of these places, each a folder or one file.
///
/// A part that cannot be run counts as a failure and is never skipped: a place without suites, a suite without cases, a file that
/// is not a suite, a case that calls an unknown function or expects nothing.
#[must_use]
pub fn run(places: &[PathBuf]) -> Report {
    let tallies = places.iter().flat_map(|place| match place::suites(place) {
        Ok(files) => files.iter().map(|file| run_suite(file)).collect(),
        Err(why) => vec![unreadable(place, why)],
    });
    Report::of(tallies)
}

fn run_suite(file: &Path) -> Tally {
    let Suite { suite, cases } = match Suite::read(file) {
        Ok(suite) => suite,
        Err(why) => return unreadable(file, why),
    };
    let failure = |case: &Case| Some(format!("{}: {}", case.name, run_case(case).err()?));
    let failures: Vec<_> = cases.iter().filter_map(failure).collect();
    Tally { suite, passed: cases.len().saturating_sub(failures.len()), failures }
}

fn unreadable(path: &Path, why: String) -> Tally {
    Tally { suite: path.display().to_string(), passed: 0, failures: vec![why] }
}

fn run_case(case: &Case) -> Result<(), String> {
    answer::meets(&call::call(&case.call, &case.args)?, case)
}
