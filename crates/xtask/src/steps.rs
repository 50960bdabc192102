//! A sequence of steps. Each is announced and timed, and a list is printed at the end.

use std::time::{Duration, Instant};

use crate::Outcome;

/// The steps so far.
#[derive(Default)]
pub(crate) struct Steps {
    taken: Vec<(&'static str, Duration, Outcome)>,
}

impl Steps {
    /// Runs a step, even if an earlier one failed.
    pub(crate) fn take(&mut self, name: &'static str, step: impl FnOnce() -> Outcome) {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = step();
        if let Err(why) = &outcome {
            println!("{why}");
        }
        self.taken.push((name, start.elapsed(), outcome));
    }

    /// Returns `true` if no step has failed.
    pub(crate) fn have_succeeded(&self) -> bool {
        self.taken.iter().all(|(_, _, outcome)| outcome.is_ok())
    }

    /// Prints the list, and fails if a step failed.
    pub(crate) fn close(self) -> Outcome {
        println!();
        for (name, time, outcome) in &self.taken {
            println!("  {:<6} {:>7.1} s  {name}", if outcome.is_ok() { "ok" } else { "FAILED" }, time.as_secs_f64());
        }
        let total: Duration = self.taken.iter().map(|(_, time, _)| *time).sum();
        println!("         {:>7.1} s  total\n", total.as_secs_f64());
        let failed: Vec<_> =
            self.taken.iter().filter(|(_, _, outcome)| outcome.is_err()).map(|(name, ..)| *name).collect();
        if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
    }
}
