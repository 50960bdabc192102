//! Runs other programs from the project's root.

use std::{
    env,
    ffi::OsStr,
    io::ErrorKind,
    process::{Command, Stdio},
};

use crate::{Outcome, edits, project, rust, toolchain};

/// Whether cargo keeps what the next compilation reuses. Tests that start cargo have it from here too: with another value,
/// everything of the workspace would be compiled again.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// A program.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    // The build of the package reads cargo's output in the project's `target`, so this overrides
    // the environment.
    command.current_dir(project::root()).env("CARGO_TARGET_DIR", project::at("target"));
    // Programs of crates.io, which `setup` installs.
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::split_paths(&path).chain([project::at("target/tools/bin")]);
    command.envs(env::join_paths(path).map(|path| ("PATH", path)));
    if env::var_os(INCREMENTAL).is_none() && !edits::are_there() {
        command.env(INCREMENTAL, "0");
    }
    command
}

/// A program with its arguments, as the words of a line: `tests/aliases/ HTTP=1 SENDOFF_ALL= node --test guards.mjs`. The folder
/// that it runs in may come first, then variables; one without a value is removed, and that of `$1:60` is an
/// argument. `--all-but=units` is the packages of the workspace's default members without one, `test/*.mjs` is all such files.
pub(crate) fn words(line: &str) -> Command {
    let (mut folder, mut variables) = (project::root().to_owned(), Vec::new());
    let mut words = line.split_whitespace();
    let program = loop {
        match words.next().unwrap_or_default() {
            word if word.ends_with('/') => folder = project::at(word),
            word => match word.split_once('=') {
                Some(variable) => variables.push(variable),
                None => break word,
            },
        }
    };

    let mut command = toolchain::command(program, line);
    command.current_dir(&folder);
    for word in words {
        if let Some(other) = word.strip_prefix("--all-but=") {
            command.args(rust::all_but(other).unwrap_or_default());
            continue;
        }
        match word.split_once('*') {
            Some((start, ending)) if ending.starts_with('.') => {
                command.args(project::files_in(&folder.join(start), ending).unwrap_or_default());
            }
            _ => _ = command.arg(word),
        }
    }
    for (name, value) in variables {
        let argument = argument(value);
        match argument.as_deref().unwrap_or(value) {
            "" => command.env_remove(name),
            value => command.env(name, value),
        };
    }
    command
}

/// What `$1:60` means: the first argument after `--`, or 60.
fn argument(value: &str) -> Option<String> {
    let (nth, usual) = value.strip_prefix('$')?.split_once(':')?;
    let given = env::args().skip_while(|arg| arg != "--").nth(nth.parse().ok()?);
    Some(given.unwrap_or_else(|| usual.to_owned()))
}

/// Runs programs one after the other, each as the words of a line, with `&&` between them. Fails if one fails.
pub(crate) fn sh(lines: &str) -> Outcome {
    lines.split(" && ").filter(|line| !line.is_empty()).try_for_each(|line| {
        if line != lines {
            eprintln!("+ {line}");
        }
        run(&mut words(line))
    })
}

/// Runs a program to its end, and fails if it fails.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| cannot_start(command, error.kind()))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", shown(command))) }
}

/// Runs a program to its end, and returns its output. Its standard error passes on.
pub(crate) fn answer(command: &mut Command) -> Result<String, String> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| cannot_start(command, error.kind()))?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", shown(command), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// The output of the words of a line as a program.
pub(crate) fn said(line: &str) -> Result<String, String> {
    answer(&mut words(line))
}

/// Returns `true` if this program can be started and exits with status 0.
pub(crate) fn succeeds(line: &str) -> bool {
    let mut command = words(line);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn cannot_start(command: &Command, kind: ErrorKind) -> String {
    let program = command.get_program().to_string_lossy();
    match kind {
        ErrorKind::NotFound => format!("`{program}` is needed and not installed (or not in PATH)"),
        kind => format!("`{program}` cannot be started: {kind}"),
    }
}

fn shown(command: &Command) -> String {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    format!("`{}`", words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" "))
}
