//! Runs the parts of a tier in two lanes, because this machine has two processors and most parts
//! use one, and in a third those that wait for a browser or a store.
//!
//! A part runs as a process of its own, so that its output can be kept until it ends.

use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Instant,
};

use crate::{
    Outcome,
    parts::{Lane, Part},
    project,
};

/// The parts that use a processor, at a time.
const WORKING: usize = 2;

/// The argument with which a lane starts this program for one part.
pub(crate) const ONE: &str = "--one";

/// A part that has run, or could not.
pub(crate) struct Done {
    pub(crate) part: &'static Part,
    pub(crate) seconds: f64,
    pub(crate) outcome: Outcome,
}

/// What the lanes share.
struct Plan {
    waiting: Vec<&'static Part>,
    running: Vec<&'static Part>,
    done: Vec<Done>,
}

/// Runs these parts, each after those that it needs.
pub(crate) fn run(parts: Vec<&'static Part>) -> Result<Vec<Done>, String> {
    let logs = project::at("target/test");
    fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    let plan = Mutex::new(Plan { waiting: parts, running: Vec::new(), done: Vec::new() });
    let changed = Condvar::new();
    thread::scope(|scope| {
        for _ in 0..=WORKING {
            scope.spawn(|| lane(&plan, &changed));
        }
    });
    Ok(plan.into_inner().unwrap_or_else(PoisonError::into_inner).done)
}

/// Runs the part of this name for a lane.
pub(crate) fn one(name: &str) -> Outcome {
    let part =
        Part::named(name).ok_or_else(|| format!("expected the name of a part, found `{name}`"))?;
    (part.run)().map_err(|why| {
        println!("{why}");
        String::new()
    })
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

        let (began, log) =
            (Instant::now(), project::at("target/test").join(part.name).with_extension("log"));
        let outcome =
            failed.map_or_else(|| started(part, &log), |need| Err(format!("`{need}` failed")));
        let seconds = began.elapsed().as_secs_f64();

        now = locked(plan);
        now.end(Done { part, seconds, outcome }, &log);
        changed.notify_all();
    }
}

fn locked(plan: &Mutex<Plan>) -> MutexGuard<'_, Plan> {
    plan.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Plan {
    /// Takes the first part that could run: one that compiles before the others, and one of those that wait beside them.
    fn next(&mut self) -> Option<&'static Part> {
        let is_open =
            |name: &str| self.running.iter().chain(&self.waiting).any(|part| part.name == name);
        let could_run = |part: &Part| !part.needs().any(is_open);
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
            self.done.iter().any(|done| done.part.name == *need && done.outcome.is_err())
        };
        part.needs().find(failed)
    }

    fn end(&mut self, done: Done, log: &Path) {
        let Done { part, seconds, outcome } = &done;
        self.running.retain(|running| running.name != part.name);
        let output = match outcome {
            Err(why) if why.ends_with("` failed") => format!("not run: {why}"),
            _ => String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned(),
        };
        let word = if outcome.is_ok() { "" } else { ", FAILED" };
        println!("\n== {} ({seconds:.1} s{word})\n{output}", part.title);
        self.done.push(done);
        if !self.running.is_empty() {
            let running: Vec<_> = self.running.iter().map(|part| part.name).collect();
            println!("   running: {}; waiting: {}", running.join(", "), self.waiting.len());
        }
    }
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
