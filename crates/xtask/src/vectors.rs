//! `vectors`: runs suites of vectors in the core, the wasm and the native addon.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::{
    Outcome, build,
    process::{answer, sh, words},
};

const RUNTIMES: [&str; 3] = ["core", "wasm", "native"];

/// The program that runs them in the core. In the lanes of tests it is compiled already.
const PROGRAM: &str = "target/debug/run-vectors";

pub(crate) fn run(args: &[&str]) -> Outcome {
    sh("cargo build --quiet --bin run-vectors")?;
    let (runtimes, places) = read(args)?;
    if runtimes != ["core"] {
        build::run()?;
    }
    through_all(&runtimes, &places)
}

/// All suites in all runtimes, which are built.
pub(crate) fn all() -> Outcome {
    through_all(&RUNTIMES, &places()?)
}

/// The places of all suites.
pub(crate) fn places() -> Result<Vec<PathBuf>, String> {
    let text = answer(words(PROGRAM).arg("--places"), "")?;
    Ok(text.lines().map(PathBuf::from).collect())
}

fn through_all(runtimes: &[&str], places: &[PathBuf]) -> Outcome {
    let counts =
        runtimes.iter().map(|runtime| through(runtime, places)).collect::<Result<Vec<_>, _>>()?;
    let passed: usize = counts.iter().map(|(passed, _)| passed).sum();
    let failed: usize = counts.iter().map(|(_, failed)| failed).sum();
    println!("\n{passed} passed, {failed} failed");
    // The output ends with the counts, so the error has no message.
    if failed == 0 { Ok(()) } else { Err(String::new()) }
}

/// Runs the suites of these places in one runtime, and returns how many cases passed and how many failed. Passes on the output
/// of the runner, except the last line, which is its count.
fn through(runtime: &str, places: &[PathBuf]) -> Result<(usize, usize), String> {
    println!("\n{runtime}");
    let in_node = "node bindings/sendoff-js/vectors.mjs";
    let mut runner = words(if runtime == "core" { PROGRAM } else { in_node });
    runner.args(places).env("SENDOFF_BACKEND", runtime).env_remove("SENDOFF_VECTORS");

    let mut child =
        runner.stdout(Stdio::piped()).spawn().map_err(|error| format!("{runtime}: {error}"))?;
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

fn read(args: &[&str]) -> Result<(Vec<&'static str>, Vec<PathBuf>), String> {
    let (mut runtimes, mut found) = (RUNTIMES.to_vec(), Vec::new());
    let mut args = args.iter();

    while let Some(arg) = args.next() {
        match *arg {
            "--runtime" => {
                let name = args.next().copied().unwrap_or_default();
                runtimes.retain(|runtime| *runtime == name);
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
            place => found
                .push(std::path::absolute(Path::new(place)).map_err(|e| format!("{place}: {e}"))?),
        }
    }

    if found.is_empty() {
        found = places()?;
    }
    if let Some(place) = found.iter().find(|place| !place.exists()) {
        return Err(format!("expected suites at {}, found none", place.display()));
    }
    Ok((runtimes, found))
}
