//! Runs the parts of a tier in two lanes, because this machine has two processors and most parts
//! use one, and in a third those that wait for a browser or a store.
//!
//! A part runs as a process of its own, so that its output can be kept until it ends and its time
//! of processors can be told.

use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use crate::{
    Outcome,
    part::{Lane, Part},
    processor, project,
    steps::{Step, Steps},
};

/// The parts that use a processor, at a time.
const WORKING: usize = 2;

/// The argument with which a lane starts this program for one part.
pub(crate) const ONE: &str = "--one";

/// The last line of a part's output begins so, and the seconds of processors follow.
const PROCESSOR: &str = "seconds of processors: ";

/// What the lanes share.
struct Plan {
    waiting: Vec<&'static Part>,
    running: Vec<&'static Part>,
    steps: Steps,
}

/// Runs these parts, each after those that it needs.
pub(crate) fn run(parts: Vec<&'static Part>) -> Result<Steps, String> {
    let logs = project::at("target/test");
    fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    let plan = (
        Mutex::new(Plan { waiting: parts, running: Vec::new(), steps: Steps::new() }),
        Condvar::new(),
    );
    thread::scope(|scope| {
        for _ in 0..=WORKING {
            scope.spawn(|| lane(&plan.0, &plan.1));
        }
    });
    Ok(plan.0.into_inner().unwrap_or_else(PoisonError::into_inner).steps)
}

/// Runs the part of this name for a lane.
pub(crate) fn one(name: &str) -> Outcome {
    let part =
        Part::named(name).ok_or_else(|| format!("expected the name of a part, found `{name}`"))?;
    let outcome = (part.run)();
    if let Err(why) = &outcome {
        println!("{why}");
    }
    println!("{PROCESSOR}{:.2}", processor::seconds().unwrap_or_default());
    // The output ends with the reason.
    outcome.map_err(|_| String::new())
}

fn lane(plan: &Mutex<Plan>, changed: &Condvar) {
    let mut now = locked(plan);
    while !now.waiting.is_empty() {
        let Some(part) = now.next() else {
            now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let failed = now.failed_need(part);
        now.running.push(part);
        drop(now);
        let (step, output) = failed.map_or_else(|| taken(part), |need| not_taken(part, need));
        now = locked(plan);
        now.end(step, &output);
        changed.notify_all();
    }
}

fn locked(plan: &Mutex<Plan>) -> MutexGuard<'_, Plan> {
    plan.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Plan {
    /// Takes the first part that could run: one that compiles before the others, and one of those that wait beside them.
    fn next(&mut self) -> Option<&'static Part> {
        let runs = |name: &str| self.running.iter().any(|part| part.name == name);
        let is_open = |name: &str| runs(name) || self.waiting.iter().any(|part| part.name == name);
        let could_run = |part: &Part| !part.needs.iter().any(|need| is_open(need));
        let is_in = |lane| self.running.iter().any(|part| part.lane == lane);
        let work = self.running.iter().filter(|part| part.lane != Lane::Waits).count();

        let is_free = |lane| match lane {
            Lane::Compiles => work < WORKING && !is_in(lane),
            Lane::Works => work < WORKING,
            Lane::Waits => !is_in(lane),
        };
        let first =
            |lane| self.waiting.iter().position(|part| part.lane == lane && could_run(part));
        let at = [Lane::Compiles, Lane::Works, Lane::Waits]
            .into_iter()
            .filter(|lane| is_free(*lane))
            .find_map(first)?;
        Some(self.waiting.remove(at))
    }

    /// What this part needs and failed.
    fn failed_need(&self, part: &Part) -> Option<&'static str> {
        let failed = |need: &&str| {
            self.steps.taken().iter().any(|step| step.name == *need && step.outcome.is_err())
        };
        part.needs.iter().copied().find(failed)
    }

    fn end(&mut self, step: Step, output: &str) {
        self.running.retain(|part| part.name != step.name);
        let word = if step.outcome.is_ok() { "" } else { ", FAILED" };
        println!("\n== {} ({:.1} s{word})\n{output}", step.title, step.time.as_secs_f64());
        self.steps.add(step);
        if !self.running.is_empty() {
            let running: Vec<_> = self.running.iter().map(|part| part.name).collect();
            println!("   running: {}; waiting: {}", running.join(", "), self.waiting.len());
        }
    }
}

/// Runs a part as a process, and returns its output.
fn taken(part: &'static Part) -> (Step, String) {
    let (began, log) =
        (Instant::now(), project::at("target/test").join(part.name).with_extension("log"));
    let ended = started(part, &log);
    let output = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
    let (output, seconds) = match output.trim_end().rsplit_once(PROCESSOR) {
        Some((output, seconds)) => (output.to_owned(), seconds.parse().ok()),
        None => (output, None),
    };
    let Part { name, title, .. } = *part;
    (Step { name, title, time: began.elapsed(), processor: seconds, outcome: ended }, output)
}

fn not_taken(part: &'static Part, need: &str) -> (Step, String) {
    let Part { name, title, .. } = *part;
    let outcome = Err(format!("`{need}` failed"));
    (
        Step { name, title, time: Duration::ZERO, processor: None, outcome },
        format!("not run: `{need}` failed"),
    )
}

/// Runs a part with its output in this file.
fn started(part: &Part, log: &Path) -> Outcome {
    let cannot = |error: std::io::Error| format!("{}: {error}", part.name);
    let file = File::create(log).map_err(cannot)?;
    let xtask = this_program().map_err(cannot)?;
    // Tests that measure time come before compilers.
    let is_nice = part.lane == Lane::Compiles && cfg!(unix);
    let mut program = if is_nice { Command::new("nice") } else { Command::new(&xtask) };
    program.args(is_nice.then_some(&xtask)).args(["test", ONE, part.name]).stdin(Stdio::null());
    program.stdout(file.try_clone().map_err(cannot)?).stderr(file);
    let status = program.status().map_err(cannot)?;
    if status.success() { Ok(()) } else { Err(status.to_string()) }
}

/// The path of this program. cargo may write it anew while it runs, so on Linux it is the link that stays.
fn this_program() -> std::io::Result<PathBuf> {
    let link = PathBuf::from(format!("/proc/{}/exe", process::id()));
    if link.exists() { Ok(link) } else { env::current_exe() }
}
