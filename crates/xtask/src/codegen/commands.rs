//! The table of commands for Node.

use sendoff_cli::{Argument, COMMANDS, Command, ENTRY_POINT, Kind, help};
use serde_json::{Value, json};

/// `commands.mjs`: the commands of `sendoff` in Rust, one per line.
pub(super) fn table() -> String {
    let commands: String = COMMANDS.iter().map(|row| format!("  {},\n", command(row))).collect();
    let (entry_point, help) = (json!(ENTRY_POINT), json!(help()));
    format!(
        "export const COMMANDS = [\n{commands}]\n\nexport const ENTRY_POINT = {entry_point}\n\nexport const HELP = {help}\n"
    )
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
