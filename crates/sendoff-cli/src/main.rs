//! `sendoff`: the commands of [`sendoff_cli::COMMANDS`].

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::process::{self, ExitCode};
use std::time::{SystemTime, UNIX_EPOCH};

use lexopt::Arg;
use sendoff_cli::{Argument, COMMANDS, Command, ENTRY_POINT, Kind, Shown, help, show};
use serde_json::Value;

fn main() -> ExitCode {
    match run(env::args_os().skip(1).collect()) {
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
    if args.first().is_some_and(|first| first == "serve") {
        return serve(args.get(1..).unwrap_or_default());
    }

    let Line { options, flags, positional } = Line::read(args)?;
    if flags.contains(&"--version") {
        return Ok((format!("{}\n", env!("CARGO_PKG_VERSION")), 0));
    }
    if flags.contains(&"--help") || positional.is_empty() && options.is_empty() {
        return Ok((help(), 0));
    }

    let (name, given) = positional.split_first().ok_or("expected a command, found only options")?;
    let rows: Vec<_> = COMMANDS.iter().filter(|command| command.name == name).collect();
    let fits = |command: &&&Command| {
        let is_given = |argument: &Argument| options.contains_key(argument.name);
        let (opted, placed): (Vec<&Argument>, Vec<&Argument>) =
            command.arguments.iter().partition(|argument| argument.name.starts_with("--"));
        placed.len() == given.len()
            && options.keys().all(|name| opted.iter().any(|argument| argument.name == name))
            && opted.iter().all(|argument| argument.is_optional || is_given(argument))
    };

    let Some(command) = rows.iter().find(fits) else {
        let usages: Vec<_> = rows.iter().map(|row| format!("sendoff {}", row.usage())).collect();
        return Err(match usages.is_empty() {
            true => format!("expected a command, found `{name}`; `sendoff --help` lists them"),
            false => format!("expected {}", usages.join(" or ")),
        });
    };

    let mut placed = given.iter();
    let values = command.arguments.iter().map(|argument| {
        let value = if argument.name.starts_with("--") {
            options.get(argument.name)
        } else {
            placed.next()
        };
        (argument, value)
    });
    let values: Vec<_> = values.collect();

    let texts = values.iter().map(|(argument, value)| {
        let text = value.map(|value| read(argument.kind, value)).transpose()?;
        Ok(text.or_else(|| default(argument)))
    });
    let texts: Vec<_> = texts.collect::<Result<_, String>>()?;
    let given: Vec<_> = values
        .iter()
        .filter_map(|(argument, value)| Some((*argument, value.as_ref()?.as_str())))
        .collect();
    let texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
    let answer = sendoff::json::call(command.function, &texts);
    let answer = answer.as_deref().map_err(String::as_str);
    let Shown { text, is_ok } =
        show(command, &given, answer, flags.contains(&"--json"), in_colour());

    Ok((text, u8::from(!is_ok)))
}

/// A parsed command line.
struct Line {
    options: BTreeMap<String, String>,
    flags: Vec<&'static str>,
    positional: Vec<String>,
}

impl Line {
    fn read(args: Vec<OsString>) -> Result<Self, String> {
        let mut line = Self { options: BTreeMap::new(), flags: Vec::new(), positional: Vec::new() };
        let mut parser = lexopt::Parser::from_args(args);
        let text = |value: OsString| {
            value
                .into_string()
                .map_err(|_| "expected Unicode text, found invalid Unicode".to_owned())
        };

        while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
            let name = match arg {
                Arg::Value(value) => {
                    line.positional.push(text(value)?);
                    continue;
                }
                Arg::Long(name) => format!("--{name}"),
                Arg::Short(name) => format!("-{name}"),
            };
            if let Some(flag) = FLAGS.into_iter().find(|flag| *flag == name) {
                line.flags.push(flag);
            } else if COMMANDS
                .iter()
                .flat_map(|command| command.arguments)
                .any(|argument| argument.name == name)
            {
                let value = parser
                    .value()
                    .map_err(|_| format!("expected a value after `{name}`, found nothing"))?;
                line.options.insert(name, text(value)?);
            } else {
                return Err(format!("expected an option of `sendoff --help`, found `{name}`"));
            }
        }

        Ok(line)
    }
}

const FLAGS: [&str; 3] = ["--help", "--json", "--version"];

/// The text of an argument.
fn read(kind: Kind, value: &str) -> Result<String, String> {
    match kind {
        Kind::Text | Kind::Time => Ok(value.to_owned()),
        Kind::Document => file(value),
        Kind::EntryPoint => file(value).map(|text| entry_point(&text).unwrap_or(text)),
    }
}

fn file(name: &str) -> Result<String, String> {
    let mut text = String::new();
    let read = match name {
        "-" => io::stdin().read_to_string(&mut text).map(drop),
        _ => fs::read_to_string(name).map(|read| text = read),
    };
    read.map(|()| text).map_err(|_| format!("cannot read {name}"))
}

/// The EntryPoint of a deployment; `None` if the text is not an object, which the core then reports.
fn entry_point(text: &str) -> Option<String> {
    let Value::Object(mut deployment) = serde_json::from_str(text).ok()? else { return None };
    deployment.retain(|key, _| ENTRY_POINT.contains(&key.as_str()));
    Some(Value::Object(deployment).to_string())
}

/// The default of an argument.
fn default(argument: &Argument) -> Option<String> {
    match (argument.kind, argument.name) {
        (Kind::Time, _) => Some(
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default()
                .as_millis()
                .to_string(),
        ),
        (_, "--window") => Some("null".to_owned()),
        _ => None,
    }
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
