//! A command line: what it asks for, and its output.

use std::collections::BTreeMap;

use lexopt::Arg;
use serde_json::Value;

use crate::commands::{Argument, COMMANDS, Command, ENTRY_POINT, Kind, help};
use crate::show::{Shown, show};

/// What a command line does not say.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it has a function")]
pub struct Surroundings<'a> {
    /// The text of a file by its name, if it can be read; `-` is standard input.
    pub read: &'a dyn Fn(&str) -> Option<String>,
    /// The current time in milliseconds since the epoch.
    pub now: i64,
    /// `true` if the output has colours.
    pub in_colour: bool,
}

/// Returns the output of a command line, without the program's name, and the exit status.
///
/// # Errors
///
/// One sentence about an invalid command line, or about a file that cannot be read.
pub fn run(args: Vec<String>, here: Surroundings<'_>) -> Result<(String, u8), String> {
    let Line { options, flags, positional } = Line::read(args)?;
    if flags.contains(&"--version") {
        return Ok((format!("{}\n", env!("CARGO_PKG_VERSION")), 0));
    }
    if flags.contains(&"--help") || positional.is_empty() && options.is_empty() {
        return Ok((help(), 0));
    }

    let (name, given) = positional.split_first().ok_or("expected a command, found only options")?;
    let rows: Vec<_> = COMMANDS.iter().filter(|command| command.name == name).collect();
    let Some(command) = rows.iter().find(|command| fits(command, &options, given)) else {
        let usages: Vec<_> = rows.iter().map(|row| format!("sendoff {}", row.usage())).collect();
        return Err(match usages.is_empty() {
            true => format!("expected a command, found `{name}`; `sendoff --help` lists them"),
            false => format!("expected {}", usages.join(" or ")),
        });
    };

    let mut placed = given.iter();
    let values = command.arguments.iter().map(|argument| {
        let value = if argument.is_option() { options.get(argument.name) } else { placed.next() };
        (argument, value)
    });
    let values: Vec<_> = values.collect();

    let texts = values.iter().map(|(argument, value)| match value {
        Some(value) => text_of(argument.kind, value, here).map(Some),
        None => Ok(default(argument, here)),
    });
    let texts: Vec<_> = texts.collect::<Result<_, String>>()?;
    let texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
    let answer = sendoff::json::call(command.function, &texts);

    let given: Vec<_> = values
        .iter()
        .filter_map(|(argument, value)| Some((*argument, value.as_ref()?.as_str())))
        .collect();
    let answer = answer.as_deref().map_err(String::as_str);
    let Shown { text, is_ok } =
        show(command, &given, answer, flags.contains(&"--json"), here.in_colour);

    Ok((text, u8::from(!is_ok)))
}

/// Returns `true` if a command line has exactly the arguments of a row.
fn fits(command: &Command, options: &BTreeMap<String, String>, given: &[String]) -> bool {
    let (opted, placed): (Vec<&Argument>, Vec<&Argument>) =
        command.arguments.iter().partition(|argument| argument.is_option());
    placed.len() == given.len()
        && options.keys().all(|name| opted.iter().any(|argument| argument.name == name))
        && opted.iter().all(|argument| argument.is_optional || options.contains_key(argument.name))
}

/// A parsed command line.
struct Line {
    options: BTreeMap<String, String>,
    flags: Vec<&'static str>,
    positional: Vec<String>,
}

const FLAGS: [&str; 3] = ["--help", "--json", "--version"];

impl Line {
    fn read(args: Vec<String>) -> Result<Self, String> {
        let mut line = Self { options: BTreeMap::new(), flags: Vec::new(), positional: Vec::new() };
        let mut parser = lexopt::Parser::from_args(args);
        let text = |value: std::ffi::OsString| {
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

/// The text of an argument.
fn text_of(kind: Kind, value: &str, here: Surroundings<'_>) -> Result<String, String> {
    let file = || (here.read)(value).ok_or_else(|| format!("cannot read {value}"));
    match kind {
        Kind::Text | Kind::Time => Ok(value.to_owned()),
        Kind::Document => file(),
        Kind::EntryPoint => file().map(|text| entry_point(&text).unwrap_or(text)),
    }
}

/// The EntryPoint of a deployment; `None` if the text is not an object, which the core then reports.
fn entry_point(text: &str) -> Option<String> {
    let Value::Object(mut deployment) = serde_json::from_str(text).ok()? else { return None };
    deployment.retain(|key, _| ENTRY_POINT.contains(&key.as_str()));
    Some(Value::Object(deployment).to_string())
}

/// The default of an argument.
fn default(argument: &Argument, here: Surroundings<'_>) -> Option<String> {
    match (argument.kind, argument.name) {
        (Kind::Time, _) => Some(here.now.to_string()),
        (_, "--window") => Some("null".to_owned()),
        _ => None,
    }
}
