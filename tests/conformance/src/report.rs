//! The result of a run, suite by suite.

use std::fmt;

/// The suites of one run, in the order in which they ran.
#[derive(Debug, Default)]
pub struct Report(Vec<Tally>);

/// One suite by its own name, or by the path of what could not be read as one: the number of cases that passed, and a sentence
/// for each of the others.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) suite: String,
    pub(crate) passed: usize,
    pub(crate) failures: Vec<String>,
}

impl Report {
    pub(crate) fn of(tallies: impl Iterator<Item = Tally>) -> Self {
        Self(tallies.collect())
    }

    /// The cases that passed, over all suites.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.0.iter().map(|tally| tally.passed).sum()
    }

    /// The cases that failed, over all suites.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.0.iter().map(|tally| tally.failures.len()).sum()
    }
}

impl fmt::Display for Report {
    /// One line per suite, each followed by its first failures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        for Tally { suite, passed, failures } in &self.0 {
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
