//! Suites of vectors, run against the core.
//!
//! A suite is a JSON file, `{suite, about, source, cases: [{name, call, args, …}]}`. Each case has
//! the expected result of its call, as one of `ok`, `err`, `accept`, `finds` and `permits`. The
//! wasm build, the native addon and the browser have runners of their own for the same files.
//!
//! ```
//! let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
//! let report = conformance::run(&[root.join("tests/vectors/envelope.json")]);
//! assert!(report.passed + report.failed > 0);
//! ```

mod answer;
mod call;
mod messages;
mod place;
mod suite;

pub use call::Answer;
pub use messages::messages;
pub use place::places;

use std::{
    fmt,
    path::{Path, PathBuf},
};

use suite::{Case, Suite};

/// A call of a suite, and the core's answer.
#[derive(Debug)]
pub struct Call {
    /// The name of the function in vectors.
    pub name: String,
    /// The texts of the arguments, as the core gets them; `None` for one that is no text.
    pub texts: Vec<Option<String>>,
    /// The answer.
    pub answer: Answer,
}

/// Returns every call of these places, without its expectation. [`run`] reports suites and calls that fail.
#[must_use]
pub fn calls(places: &[PathBuf]) -> Vec<Call> {
    let files = places.iter().filter_map(|place| place::suites(place).ok()).flatten();
    let cases = files.filter_map(|file| Suite::read(&file).ok()).flat_map(|suite| suite.cases);
    let called = cases.filter_map(|case| {
        let (texts, answer) = call::call(&case.call, &case.args).ok()?;
        Some(Call { name: case.call, texts, answer })
    });
    called.collect()
}

/// The result of a run, with a line for each suite and for its first failures.
#[derive(Debug, Default)]
pub struct Report {
    /// The cases that passed, over all suites.
    pub passed: usize,
    /// The cases that failed, over all suites.
    pub failed: usize,
    lines: Vec<String>,
}

/// Runs every suite of these places, each a folder or one file.
///
/// A part that cannot be run counts as a failure and is never skipped: a place without suites, a suite without cases, a file that
/// is not a suite, a case that calls an unknown function or expects nothing.
#[must_use]
pub fn run(places: &[PathBuf]) -> Report {
    let mut report = Report::default();
    for place in places {
        match place::suites(place) {
            Ok(files) => files.iter().for_each(|file| report.run(file)),
            Err(why) => report.add(&place.display().to_string(), 0, &[why]),
        }
    }
    report
}

impl Report {
    fn run(&mut self, file: &Path) {
        let Suite { suite, cases } = match Suite::read(file) {
            Ok(suite) => suite,
            Err(why) => return self.add(&file.display().to_string(), 0, &[why]),
        };
        let failure = |case: &Case| Some(format!("{}: {}", case.name, run_case(case).err()?));
        let failures: Vec<_> = cases.iter().filter_map(failure).collect();
        self.add(&suite, cases.len().saturating_sub(failures.len()), &failures);
    }

    fn add(&mut self, suite: &str, passed: usize, failures: &[String]) {
        const SHOWN: usize = 10;

        self.passed = self.passed.saturating_add(passed);
        self.failed = self.failed.saturating_add(failures.len());
        self.lines.push(format!("  {suite:<18} {passed:>5} passed {:>5} failed", failures.len()));
        self.lines.extend(failures.iter().take(SHOWN).map(|failure| format!("    {failure}")));
        if failures.len() > SHOWN {
            self.lines.push(format!("    and {} more", failures.len().saturating_sub(SHOWN)));
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

fn run_case(case: &Case) -> Result<(), String> {
    let (_, answer) = call::call(&case.call, &case.args)?;
    answer::meets(&answer, case)
}
