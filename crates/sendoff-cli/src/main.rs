//! `sendoff`: the command line of [`sendoff_cli`], with the files, the clock and the terminal of this machine.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::process::{self, ExitCode};
use std::time::{SystemTime, UNIX_EPOCH};

use sendoff_cli::{Machine, Step, Unread, step};

fn main() -> ExitCode {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let done = match args.split_first() {
        Some((first, args)) if first == "serve" => serve(args),
        _ => run(args),
    };

    match done {
        Ok((text, code)) => {
            // The output may be closed.
            let _ = io::stdout().write_all(text.as_bytes());
            ExitCode::from(code)
        }
        Err(message) => {
            eprintln!("sendoff: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns the output and the exit status.
fn run(args: Vec<OsString>) -> Result<(String, u8), String> {
    let text = |arg: OsString| {
        arg.into_string().map_err(|_| "expected Unicode text, found invalid Unicode".to_owned())
    };
    let args: Vec<_> = args.into_iter().map(text).collect::<Result<_, _>>()?;
    let mut machine = Machine { now: now(), in_colour: in_colour(), ..Machine::default() };

    loop {
        match step(&args, &machine) {
            Step::Read(names) => {
                machine.files.extend(names.into_iter().map(|name| (name.clone(), file(&name))));
            }
            Step::Print(text, code) => return Ok((text, code)),
            Step::Refuse(message) => return Err(message),
        }
    }
}

/// The text of a file, or why it cannot be read.
fn file(name: &str) -> Result<String, Unread> {
    let text = if name == "-" { io::read_to_string(io::stdin()) } else { fs::read_to_string(name) };
    text.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Unread::Absent,
        ErrorKind::IsADirectory => Unread::Folder,
        ErrorKind::PermissionDenied => Unread::Forbidden,
        ErrorKind::InvalidData => Unread::NotUtf8,
        _ => Unread::Other,
    })
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Returns `true` if the output has colours: on terminals without `NO_COLOR`, and elsewhere with `FORCE_COLOR`.
fn in_colour() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && (is_set("FORCE_COLOR") || io::stdout().is_terminal())
}

/// Runs the gateway with these arguments, and returns its exit status.
fn serve(args: &[OsString]) -> Result<(String, u8), String> {
    let status = process::Command::new("sendoff-gateway").args(args).status();
    let status = status.map_err(|_| "cannot run sendoff-gateway: it must be on the PATH")?;
    Ok((String::new(), status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
