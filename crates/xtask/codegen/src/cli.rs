//! `tests/cli/corpus.json`: command lines of `sendoff` are written by hand, and their output is made.

use std::{fs, io::ErrorKind};

use sendoff_cli::{Machine, Step, Unread, step};
use serde_json::{Value, json};

use crate::project;

pub(crate) const FILE: &str = "tests/cli/corpus.json";

/// The corpus with what the command line makes of each case.
pub(crate) fn corpus(text: &str) -> Result<String, String> {
    let cases: Vec<Value> =
        serde_json::from_str(text).map_err(|error| format!("{FILE}: {error}"))?;
    let cases: Vec<_> = cases.into_iter().map(ran).collect();
    Ok(format!("{:#}\n", json!(cases)))
}

/// A case with its output.
fn ran(mut case: Value) -> Value {
    let args = case["args"].as_array().into_iter().flatten();
    let args: Vec<_> = args.filter_map(|arg| Some(arg.as_str()?.to_owned())).collect();
    // The program does this itself: it starts a gateway, and in the corpus there is none.
    if args.first().is_some_and(|first| first == "serve") {
        return case;
    }

    let is_set = |name: &str| case["env"][name].as_str().is_some_and(|value| !value.is_empty());
    let in_colour = is_set("FORCE_COLOR") && !is_set("NO_COLOR");
    let mut machine = Machine { in_colour, ..Machine::default() };
    let (stdout, stderr, code) = loop {
        match step(&args, &machine) {
            Step::Read(names) => {
                machine.files.extend(names.into_iter().map(|name| {
                    let text = file(if name == "-" { case["stdin"].as_str() } else { Some(&name) });
                    (name, text)
                }));
            }
            Step::Print(text, code) => break (text, String::new(), code),
            Step::Refuse(why) => break (String::new(), format!("sendoff: {why}\n"), 2),
        }
    };
    (case["stdout"], case["stderr"], case["code"]) = (stdout.into(), stderr.into(), code.into());
    case
}

/// A file beside the corpus; without a name, an empty standard input.
fn file(name: Option<&str>) -> Result<String, Unread> {
    let Some(name) = name else { return Ok(String::new()) };
    fs::read_to_string(project::at("tests/cli").join(name)).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Unread::Absent,
        ErrorKind::IsADirectory => Unread::Folder,
        ErrorKind::InvalidData => Unread::NotUtf8,
        _ => Unread::Other,
    })
}
