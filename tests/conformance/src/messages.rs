//! One example of each sentence that the answers to vectors contain.

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::Value;

/// Returns the lines of `tests/conformance/messages.txt`: the first example of each form of a sentence, in the order of the
/// forms. It shows what a change does to them.
///
/// # Errors
///
/// If an answer is not JSON.
pub fn messages(places: &[PathBuf]) -> Result<String, String> {
    let mut examples = BTreeMap::new();
    for call in crate::calls(places) {
        let (Ok(text) | Err(text)) = &call.answer;
        let answer = serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))?;
        each_sentence(&answer, &mut |sentence| {
            examples.entry(form(sentence)).or_insert_with(|| sentence.replace('\n', "\\n"));
        });
    }
    Ok(examples.values().fold(String::new(), |lines, example| lines + example + "\n"))
}

/// Visits each text with a space in it: all others are values or names.
fn each_sentence(value: &Value, visit: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) if text.contains(' ') => visit(text),
        Value::Array(items) => items.iter().for_each(|item| each_sentence(item, visit)),
        // What was found in a document is no sentence of ours.
        Value::Object(fields) => {
            fields
                .iter()
                .filter(|(key, _)| *key != "found")
                .for_each(|(_, field)| each_sentence(field, visit));
        }
        _ => {}
    }
}

/// A sentence without what differs between two cases: numbers, hex, chains and what is quoted.
fn form(sentence: &str) -> String {
    let parts = sentence.split('`').step_by(2);
    let plain: Vec<String> =
        parts.map(|part| part.split(' ').map(word).collect::<Vec<_>>().join(" ")).collect();
    plain.join("`")
}

fn word(word: &str) -> &str {
    let bare = word.strip_prefix('(').unwrap_or(word);
    let first = bare.strip_prefix("eip155:").unwrap_or(bare).chars().next();
    if first.is_some_and(|first| first.is_ascii_digit() || first == '-') { "0" } else { word }
}
