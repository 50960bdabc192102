//! A sequence of steps. Each is announced and timed, and a list is printed at the end.

use std::time::{Duration, Instant};

use crate::{Outcome, processor};

/// The steps so far.
pub(crate) struct Steps {
    began: Instant,
    taken: Vec<Step>,
}

/// What became of a step.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) time: Duration,
    /// The seconds of processors, where they are known.
    pub(crate) processor: Option<f64>,
    pub(crate) outcome: Outcome,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), taken: Vec::new() }
    }

    /// Runs a step, even if an earlier one failed.
    pub(crate) fn take(
        &mut self,
        name: &'static str,
        title: &'static str,
        step: impl FnOnce() -> Outcome,
    ) {
        println!("\n== {title}");
        let (start, before) = (Instant::now(), processor::seconds());
        let outcome = step();
        if let Err(why) = &outcome {
            println!("{why}");
        }
        let processor = before.zip(processor::seconds()).map(|(before, after)| after - before);
        self.taken.push(Step { name, title, time: start.elapsed(), processor, outcome });
    }

    /// Adds a step that ran elsewhere.
    pub(crate) fn add(&mut self, step: Step) {
        self.taken.push(step);
    }

    /// All steps so far.
    pub(crate) fn taken(&self) -> &[Step] {
        &self.taken
    }

    /// Returns `true` if no step has failed.
    pub(crate) fn have_succeeded(&self) -> bool {
        self.taken.iter().all(|step| step.outcome.is_ok())
    }

    /// Prints the list, and fails if a step failed.
    pub(crate) fn close(self) -> Outcome {
        let processor = |seconds: Option<f64>| {
            seconds.map(|seconds| format!("{seconds:>7.1}")).unwrap_or_default()
        };
        println!("\n             wall  processor");
        for step in &self.taken {
            let word = if step.outcome.is_ok() { "ok" } else { "FAILED" };
            let time = step.time.as_secs_f64();
            println!(
                "  {word:<6} {time:>7.1} s {:>7} s  {}",
                processor(step.processor),
                step.title
            );
        }
        let sum: Option<f64> = self.taken.iter().map(|step| step.processor).sum();
        println!(
            "         {:>7.1} s {:>7} s  total\n",
            self.began.elapsed().as_secs_f64(),
            processor(sum)
        );
        let failed: Vec<_> =
            self.taken.iter().filter(|step| step.outcome.is_err()).map(|step| step.title).collect();
        if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
    }
}
