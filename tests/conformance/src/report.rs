//! The result of a run, suite by suite.

use std::{fmt, path::Path};

/// The suites of one run.
#[derive(Debug)]
pub struct Report {
    /// One for each suite, in the order in which they ran.
    pub tallies: Vec<Tally>,
}

/// One suite: the number of cases that passed, and the problems of the others.
#[derive(Debug)]
pub struct Tally {
    /// The suite's own name, or the path of what could not be read as one.
    pub suite: String,
    /// The number of cases that passed.
    pub passed: usize,
    /// A sentence for each case that failed, with its name.
    pub failures: Vec<String>,
}

impl Report {
    /// The cases that passed, over all suites.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.tallies.iter().map(|tally| tally.passed).sum()
    }

    /// The cases that failed, over all suites.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.tallies.iter().map(|tally| tally.failures.len()).sum()
    }
}

impl Tally {
    pub(crate) fn of<'a>(
        suite: &str,
        cases: impl Iterator<Item = (&'a str, Result<(), String>)>,
    ) -> Self {
        let (passed, failed): (Vec<_>, Vec<_>) = cases.partition(|(_, verdict)| verdict.is_ok());
        let failures = failed
            .into_iter()
            .filter_map(|(name, verdict)| Some(format!("{name}: {}", verdict.err()?)));
        Self { suite: suite.into(), passed: passed.len(), failures: failures.collect() }
    }

    pub(crate) fn unreadable(path: &Path, why: &str) -> Self {
        Self { suite: path.display().to_string(), passed: 0, failures: vec![why.into()] }
    }
}

impl fmt::Display for Report {
    /// One line per suite, each followed by its first failures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        for Tally { suite, passed, failures } in &self.tallies {
            writeln!(f, "  {suite:<18} {passed:>5} passed {:>5} failed", failures.len())?;
            for failure in failures.iter().take(SHOWN) {
                writeln!(f, "    {failure}")?;
            }
            if failures.len() > SHOWN {
                writeln!(f, "    and {} more", failures.len().saturating_sub(SHOWN))?;
            }
        }
        Ok(())
    }
}
