//! A step of a command line: which files it asks for, or its output.

use alloc::{
    borrow::ToOwned as _,
    collections::BTreeMap,
    format,
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use serde_json::Value;

use crate::commands::{Argument, ENTRY_POINT, Kind, help};
use crate::line::Line;
use crate::place::Given;
use crate::show::{Shown, show};

/// What a command line does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// The texts of the files that were asked for, by their names, or why one cannot be read. `-` is standard input.
    pub files: BTreeMap<String, Result<String, Unread>>,
    /// The current time in milliseconds since the epoch.
    pub now: i64,
    /// `true` if the output has colours.
    pub in_colour: bool,
}

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// There is no such file.
    Absent,
    /// It is a folder.
    Folder,
    /// This user may not read it.
    Forbidden,
    /// It is not UTF-8.
    NotUtf8,
    /// Another reason.
    Other,
}

impl Unread {
    /// Each with its name in a question, and the words about it.
    const ALL: [(Self, &str, &str); 5] = [
        (Self::Absent, "absent", ": there is no such file"),
        (Self::Folder, "folder", ": it is a folder"),
        (Self::Forbidden, "forbidden", ": permission is denied"),
        (Self::NotUtf8, "not-utf8", ": expected UTF-8 text, found invalid UTF-8"),
        (Self::Other, "other", ""),
    ];

    /// The sentence about a file that could not be read.
    fn about(self, name: &str) -> String {
        let known = Self::ALL.iter().find(|(known, ..)| *known == self);
        format!("cannot read {name}{}", known.map_or("", |(.., words)| words))
    }
}

/// What a program does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It reads these files, and asks again.
    Read(Vec<String>),
    /// It prints this, and ends with this status.
    Print(String, u8),
    /// It prints this sentence as an error, and ends with status 2: the command line is invalid, or a file cannot be read.
    Refuse(String),
}

/// Returns the next step of a command line, which has no name of a program.
///
/// ```
/// use sendoff_cli::{Machine, Step, Unread, step};
///
/// let line = ["hash", "op.json", "--deployment", "-"].map(String::from);
/// let mut machine = Machine::default();
/// assert_eq!(step(&line, &machine), Step::Read(vec!["op.json".into(), "-".into()]));
///
/// machine.files = [("op.json".into(), Err(Unread::Absent)), ("-".into(), Ok("{}".into()))].into();
/// let why = "cannot read op.json: there is no such file";
/// assert_eq!(step(&line, &machine), Step::Refuse(why.into()));
/// ```
#[must_use]
pub fn step(args: &[String], machine: &Machine) -> Step {
    Line::read(args).and_then(|line| line.step(machine)).unwrap_or_else(Step::Refuse)
}

/// The same in JSON: `{args, files, now, inColour}` to `{read}`, `{output, status}` or `{refused}`. A file is its text, or
/// `{unread}` with the reason.
#[must_use]
pub fn answer(question: &str) -> String {
    let question: Value = serde_json::from_str(question).unwrap_or_default();
    let part = |name| question.get(name).unwrap_or(&Value::Null);
    let text = |value: &Value| value.as_str().map(str::to_owned);

    let args = part("args").as_array().into_iter().flatten();
    let args: Vec<_> = args.filter_map(text).collect();
    let files = part("files").as_object().into_iter().flatten();
    let machine = Machine {
        files: files.map(|(name, value)| (name.clone(), file(value))).collect(),
        now: part("now").as_i64().unwrap_or_default(),
        in_colour: part("inColour") == true,
    };

    let fields: Vec<(&str, Value)> = match step(&args, &machine) {
        Step::Read(names) => vec![("read", names.into())],
        Step::Print(output, status) => vec![("output", output.into()), ("status", status.into())],
        Step::Refuse(why) => vec![("refused", why.into())],
    };
    Value::from_iter(fields).to_string()
}

/// The text of a file, or why it cannot be read.
fn file(value: &Value) -> Result<String, Unread> {
    if let Some(text) = value.as_str() {
        return Ok(text.to_owned());
    }
    let why = value.get("unread").and_then(Value::as_str);
    let known = Unread::ALL.iter().find(|(_, name, _)| Some(*name) == why);
    Err(known.map_or(Unread::Other, |(known, ..)| *known))
}

impl Line {
    fn step(&self, machine: &Machine) -> Result<Step, String> {
        if self.flags.contains(&"--version") {
            return Ok(Step::Print(format!("{}\n", env!("CARGO_PKG_VERSION")), 0));
        }
        if self.flags.contains(&"--help") || self.positional.is_empty() && self.options.is_empty() {
            return Ok(Step::Print(help(), 0));
        }

        let command = self.command()?;
        let mut placed = self.positional.iter().skip(1);
        let values: Vec<(&Argument, Option<&String>)> = command
            .arguments
            .iter()
            .map(|argument| match argument.is_option() {
                true => (argument, self.options.get(argument.name)),
                false => (argument, placed.next()),
            })
            .collect();
        let given: Vec<Given<'_>> = values
            .iter()
            .filter_map(|(argument, value)| Some((*argument, value.as_ref()?.as_str())))
            .collect();

        let names = given.iter().filter(|(argument, _)| argument.is_file());
        let missing = names.filter(|(_, name)| !machine.files.contains_key(*name));
        let missing: Vec<_> = missing.map(|(_, name)| (*name).to_owned()).collect();
        if !missing.is_empty() {
            return Ok(Step::Read(missing));
        }

        let texts = values.iter().map(|(argument, value)| match value {
            Some(value) => text_of(argument, value, machine).map(Some),
            None => Ok(default(argument, machine)),
        });
        let texts: Vec<_> = texts.collect::<Result<_, String>>()?;
        let texts: Vec<_> = texts.iter().map(Option::as_deref).collect();
        let answer = sendoff::json::call(command.function, &texts);

        let answer = answer.as_deref().map_err(String::as_str);
        let as_json = self.flags.contains(&"--json");
        let Shown { text, is_ok } = show(command, &given, answer, as_json, machine.in_colour);
        Ok(Step::Print(text, u8::from(!is_ok)))
    }
}

/// The text of an argument.
fn text_of(argument: &Argument, value: &str, machine: &Machine) -> Result<String, String> {
    if !argument.is_file() {
        return Ok(value.to_owned());
    }
    let text = match machine.files.get(value) {
        // No text of JSON has this character: UTF-16 has one for each ASCII letter.
        Some(Ok(text)) if text.contains('\0') => return Err(Unread::NotUtf8.about(value)),
        Some(Ok(text)) => text.clone(),
        Some(Err(why)) => return Err(why.about(value)),
        None => return Err(Unread::Other.about(value)),
    };

    Ok(match argument.kind {
        Kind::EntryPoint => entry_point(&text).unwrap_or(text),
        _ => text,
    })
}

/// The EntryPoint of a deployment; `None` if the text is not an object, which the core then reports.
fn entry_point(text: &str) -> Option<String> {
    let Value::Object(mut deployment) = serde_json::from_str(text).ok()? else { return None };
    deployment.retain(|key, _| ENTRY_POINT.contains(&key.as_str()));
    Some(Value::Object(deployment).to_string())
}

/// The default of an argument.
fn default(argument: &Argument, machine: &Machine) -> Option<String> {
    match (argument.kind, argument.name) {
        (Kind::Time, _) => Some(machine.now.to_string()),
        (_, "--window") => Some("null".to_owned()),
        _ => None,
    }
}
