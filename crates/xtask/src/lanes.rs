//! `check`, `test` and `lint`: the parts of a tier, or the named parts.
//!
//! The parts of a tier run in two lanes, because this machine has two processors and most parts use one, and in a third those that
//! wait for a browser or a store. Each runs as a process of its own, so that its output can be kept until it ends.

use std::{
    collections::BTreeSet,
    env,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::{self, Stdio},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Instant,
};

use crate::{
    Outcome, arguments,
    parts::{Lane, Part, Tier},
    process::command,
    project,
};

/// The parts that use a processor, at a time.
const WORKING: usize = 2;

/// The folder of their outputs.
const LOGS: &str = "target/test";

/// The argument with which a lane starts this program for one part.
const ONE: &str = "--one";

/// A part that has run, or could not.
struct Done {
    part: &'static Part,
    seconds: f64,
    outcome: Outcome,
}

/// What the lanes share.
struct Plan {
    waiting: Vec<&'static Part>,
    running: Vec<&'static Part>,
    done: Vec<Done>,
}

/// Runs all parts of `test`, those of `test --all`, or the parts with these names and what they need.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    match arguments {
        [] => tier(Tier::Test),
        ["--landing"] => tier(Tier::Landing),
        ["--all"] => tier(Tier::All),
        [ONE, name] => named(name)?.run().map_err(|why| {
            println!("{why}");
            String::new()
        }),
        names => these(names),
    }
}

/// Runs the parts of a tier, each after those that it needs.
pub(crate) fn tier(tier: Tier) -> Outcome {
    let began = Instant::now();
    let logs = project::at(LOGS);
    fs::create_dir_all(&logs).map_err(project::cannot(&logs))?;
    let waiting = Part::of(tier);
    let plan = Mutex::new(Plan { waiting, running: Vec::new(), done: Vec::new() });
    let changed = Condvar::new();
    thread::scope(|scope| {
        for _ in 0..=WORKING {
            scope.spawn(|| lane(&plan, &changed));
        }
    });
    listed(&locked(&plan).done, began)
}

/// Runs parts one after the other, with their output as it comes.
fn these(names: &[&str]) -> Outcome {
    let named = names.iter().map(|name| named(name)).collect::<Result<Vec<_>, _>>()?;
    // With arguments a person knows what is built.
    let is_alone = !arguments().is_empty();
    let all = |part: &'static Part| if is_alone { vec![part] } else { part.with_needs() };
    let mut known = BTreeSet::new();
    let parts = named.into_iter().flat_map(all).filter(|part| known.insert(part.name));

    let (began, mut all) = (Instant::now(), Vec::<Done>::new());
    for part in parts {
        let is_possible = all.iter().all(|done| done.outcome.is_ok());
        if is_possible || part.needs().next().is_none() || names.contains(&part.name) {
            println!("\n== {}", part.title);
            let start = Instant::now();
            let outcome = part.run().inspect_err(|why| println!("{why}"));
            all.push(Done { part, seconds: start.elapsed().as_secs_f64(), outcome });
        }
    }
    listed(&all, began)
}

fn named(name: &str) -> Result<&'static Part, String> {
    Part::named(name).ok_or_else(|| {
        let list = Part::list();
        format!(
            "expected the names of parts, found `{name}`; the parts and their tiers are:\n{list}"
        )
    })
}

/// Prints the list, and fails if a part failed.
fn listed(all: &[Done], began: Instant) -> Outcome {
    println!();
    for Done { part, seconds, outcome } in all {
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("  {word:<6} {seconds:>7.1} s  {}", part.title);
    }
    println!("         {:>7.1} s  total\n", began.elapsed().as_secs_f64());

    let failed: Vec<_> =
        all.iter().filter(|done| done.outcome.is_err()).map(|done| done.part.title).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
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

        let began = Instant::now();
        let log = project::at(LOGS).join(part.name).with_extension("log");
        let outcome = match failed {
            Some(need) => {
                fs::write(&log, "not run").and(Err(io::Error::other(format!("`{need}` failed"))))
            }
            None => started(part, &log),
        };
        let outcome = outcome.map_err(project::cannot(&log));
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
        let output = String::from_utf8_lossy(&fs::read(log).unwrap_or_default()).into_owned();
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
fn started(part: &Part, log: &Path) -> io::Result<()> {
    let file = File::create(log)?;
    let xtask = this_program()?;
    // Tests that measure time come before compilers.
    let is_nice = part.lane == Lane::Compiles && cfg!(unix);
    let mut program = if is_nice { command("nice") } else { command(&xtask) };
    program.args(is_nice.then_some(&xtask)).args(["test", ONE, part.name]).stdin(Stdio::null());
    let status = program.stdout(file.try_clone()?).stderr(file).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
}

/// The path of this program. cargo may write it anew while it runs, so on Linux it is the link that stays.
fn this_program() -> io::Result<PathBuf> {
    let link = PathBuf::from(format!("/proc/{}/exe", process::id()));
    if link.exists() { Ok(link) } else { env::current_exe() }
}
