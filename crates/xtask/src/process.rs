//! Runs other programs from the project's root.

use std::{
    env,
    ffi::OsStr,
    io::{ErrorKind, Write, stderr},
    process::{Command, Stdio},
};

use crate::{Outcome, edits, project};

/// Whether cargo keeps what the next compilation reuses. Tests that start cargo have it from here too: with another value,
/// everything of the workspace would be compiled again.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// A program with its arguments. Its output goes to standard error, because standard output is for the results of xtask.
pub(crate) fn quiet(program: &str, args: &[&str]) -> Command {
    let mut command = loud(program, args);
    command.stdout(stderr());
    command
}

/// A program with its arguments, which inherits standard output.
pub(crate) fn loud(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    // The build of the package reads cargo's output in the project's `target`, so this overrides
    // the environment.
    command.args(args).current_dir(project::root()).env("CARGO_TARGET_DIR", project::at("target"));
    if env::var_os(INCREMENTAL).is_none() && !edits::are_there() {
        command.env(INCREMENTAL, "0");
    }
    command
}

/// A program with its arguments, as the words of a line.
pub(crate) fn words(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = loud(words.next().unwrap_or_default(), &[]);
    command.args(words);
    command
}

/// Runs the words of a line as a program, to its end, and fails if it fails.
pub(crate) fn sh(line: &str) -> Outcome {
    run(&mut words(line))
}

/// Runs a program to its end, and fails if it fails.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| cannot_start(command, error.kind()))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", shown(command))) }
}

/// Runs a program to its end with this input, and returns its output. If it fails, the error contains its standard error.
pub(crate) fn answer(command: &mut Command, input: &str) -> Result<String, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| cannot_start(command, error.kind()))?;
    let written = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    match (output.status.success(), written) {
        (true, Ok(())) => Ok(text(&output.stdout)),
        (true, Err(error)) => Err(format!("{} did not read its input: {error}", shown(command))),
        (false, _) => {
            Err(format!("{} failed: {}\n{}", shown(command), output.status, text(&output.stderr)))
        }
    }
}

/// Runs a program to its end, and returns its output. Its standard error passes on.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| cannot_start(command, error.kind()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        Ok(text)
    } else {
        Err(format!("{} failed: {}", shown(command), output.status))
    }
}

/// Returns `true` if this program can be started and exits with status 0.
pub(crate) fn succeeds(program: &str, args: &[&str]) -> bool {
    let mut command = quiet(program, args);
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
    let words: Vec<_> = [command.get_program()]
        .into_iter()
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    format!("`{}`", words.join(" "))
}
