//! `vectors`: runs suites of vectors in the core, the wasm and the native addon.

use std::{
    fmt,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::{Outcome, build, core_tasks, process};

/// A runtime of the vectors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runtime {
    Core,
    Wasm,
    Native,
}

impl Runtime {
    pub(crate) const ALL: [Self; 3] = [Self::Core, Self::Wasm, Self::Native];

    /// Its name in arguments, and in `SENDOFF_BACKEND` for JavaScript.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Wasm => "wasm",
            Self::Native => "native",
        }
    }
}

impl fmt::Display for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

pub(crate) fn run(args: &[&str]) -> Outcome {
    core_tasks::built()?;
    let (runtimes, places) = read(args)?;
    if runtimes.iter().any(|runtime| *runtime != Runtime::Core) {
        build::run()?;
    }
    through_all(&runtimes, &places)
}

/// All suites in all runtimes, which are built.
pub(crate) fn all() -> Outcome {
    through_all(&Runtime::ALL, &core_tasks::places()?)
}

fn through_all(runtimes: &[Runtime], places: &[PathBuf]) -> Outcome {
    let counts =
        runtimes.iter().map(|runtime| through(*runtime, places)).collect::<Result<Vec<_>, _>>()?;
    let passed: usize = counts.iter().map(|(passed, _)| passed).sum();
    let failed: usize = counts.iter().map(|(_, failed)| failed).sum();
    println!("\n{passed} passed, {failed} failed");
    // The output ends with the counts, so the error has no message.
    if failed == 0 { Ok(()) } else { Err(String::new()) }
}

/// Runs the suites of these places in one runtime, and returns how many cases passed and how many failed. Passes on the output
/// of the runner, except the last line, which is its count.
fn through(runtime: Runtime, places: &[PathBuf]) -> Result<(usize, usize), String> {
    println!("\n{runtime}");
    let mut runner = match runtime {
        Runtime::Core => core_tasks::program(&["vectors"]),
        Runtime::Wasm | Runtime::Native => {
            process::loud("node", &["bindings/sendoff-js/vectors.mjs"])
        }
    };
    runner
        .args(places)
        .env("SENDOFF_BACKEND", runtime.name())
        .env_remove("SENDOFF_VECTORS")
        .stdout(Stdio::piped());

    let mut child = runner.spawn().map_err(|error| format!("{runtime}: {error}"))?;
    let mut count = None;

    for line in child.stdout.take().into_iter().flat_map(|stdout| BufReader::new(stdout).lines()) {
        let line = line.map_err(|error| format!("{runtime}: {error}"))?;
        count = counted(&line);
        if count.is_none() {
            println!("{line}");
        }
    }

    let status = child.wait().map_err(|error| format!("{runtime}: {error}"))?;
    match count {
        Some((passed, failed)) if status.success() == (failed == 0) => {
            println!("{runtime}: {passed} passed, {failed} failed");
            Ok((passed, failed))
        }
        _ => Err(format!("{runtime}: the runner ended without a count: {status}")),
    }
}

/// Reads `N passed, N failed`.
fn counted(line: &str) -> Option<(usize, usize)> {
    let (passed, failed) = line.trim().strip_suffix(" failed")?.split_once(" passed, ")?;
    Some((passed.parse().ok()?, failed.parse().ok()?))
}

fn read(args: &[&str]) -> Result<(Vec<Runtime>, Vec<PathBuf>), String> {
    let mut runtimes = Runtime::ALL.to_vec();
    let mut places = Vec::new();
    let mut args = args.iter();

    while let Some(arg) = args.next() {
        match *arg {
            "--runtime" => {
                let name = args.next().copied().unwrap_or_default();
                runtimes.retain(|runtime| runtime.name() == name);
                if runtimes.is_empty() {
                    return Err(format!(
                        "expected `core`, `wasm` or `native` after --runtime, found `{name}`"
                    ));
                }
            }
            option if option.starts_with("--") => {
                return Err(format!("expected --runtime or a folder, found `{option}`"));
            }
            // The runner in JavaScript has a working directory of its own.
            place => places
                .push(std::path::absolute(Path::new(place)).map_err(|e| format!("{place}: {e}"))?),
        }
    }

    if places.is_empty() {
        places = core_tasks::places()?;
    }
    if let Some(place) = places.iter().find(|place| !place.exists()) {
        return Err(format!("expected suites at {}, found none", place.display()));
    }

    Ok((runtimes, places))
}
