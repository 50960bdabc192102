//! Sentences of doc comments, for people who do not read Rust.

use alloc::string::String;

use serde_json::Value;

/// Converts all descriptions in a schema, and removes formats that are names of Rust's integers.
pub(crate) fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(tidy),
        Value::Object(fields) => {
            for (key, value) in fields.iter_mut() {
                match value {
                    Value::String(text) if key == "description" => *text = plain(text),
                    other => tidy(other),
                }
            }
            // A field of this name has a schema, and no text.
            if fields.get("format").is_some_and(Value::is_string) {
                fields.remove("format");
            }
        }
        _ => {}
    }
}

/// Returns the first paragraph of a doc comment as sentences; the lines of a list stay lines.
pub(crate) fn plain(doc: &str) -> String {
    let lines = doc.trim().lines().map(str::trim).take_while(|line| !line.is_empty());
    let mut text = String::new();

    for line in lines {
        if !text.is_empty() {
            text.push(if line.starts_with("- ") { '\n' } else { ' ' });
        }
        text.push_str(line);
    }

    let mut sentence = unlinked(&text);
    if let Some((first, rest)) = sentence.split_at_checked(1) {
        sentence = [&first.to_uppercase(), rest].concat();
    }
    if !sentence.ends_with('.') {
        sentence.push('.');
    }

    sentence
}

/// Replaces `[`a::B`]` by `` `B` ``, and removes a link that is alone in brackets.
fn unlinked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;

    while let Some((before, behind)) = rest.split_once("[`") {
        let Some((name, after)) = behind.split_once("`]") else { break };
        let after = after
            .strip_prefix("(")
            .and_then(|link| link.split_once(')'))
            .map_or(after, |(_, after)| after);
        match (before.strip_suffix(" ("), after.strip_prefix(')')) {
            (Some(before), Some(after)) => {
                plain.push_str(before);
                rest = after;
            }
            _ => {
                plain.push_str(before);
                plain.push('`');
                plain.push_str(name.rsplit("::").next().unwrap_or(name));
                plain.push('`');
                rest = after;
            }
        }
    }

    plain.push_str(rest);
    plain
}
