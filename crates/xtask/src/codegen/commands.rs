//! The table of the command line, for Node.

use sendoff_cli::{Argument, COMMANDS, Command, ENTRY_POINT, Kind, help};
use serde_json::{Value, json};

/// `commands.mjs`: what `sendoff` in Rust knows of its commands.
pub(super) fn table() -> String {
    let constant = |name: &str, value: &Value| format!("export const {name} = {value:#}\n");
    let commands: Vec<_> = COMMANDS.iter().map(command).collect();
    [
        constant("COMMANDS", &commands.into()),
        constant("ENTRY_POINT", &json!(ENTRY_POINT)),
        constant("HELP", &json!(help())),
    ]
    .join("\n")
}

fn command(command: &Command) -> Value {
    let Command { name, function, is_judgement, arguments, shows, .. } = command;
    let arguments: Vec<_> = arguments.iter().map(argument).collect();
    json!({
        "name": name, "usage": command.usage(), "function": function, "isJudgement": is_judgement,
        "arguments": arguments, "shows": shows,
    })
}

fn argument(argument: &Argument) -> Value {
    let kind = match argument.kind {
        Kind::Document => "document",
        Kind::EntryPoint => "entryPoint",
        Kind::Text => "text",
        Kind::Time => "time",
    };
    let Argument { name, is_optional, at, keys, .. } = argument;
    json!({ "name": name, "kind": kind, "isOptional": is_optional, "at": at, "keys": keys })
}
