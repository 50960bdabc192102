//! `tests/conformance/messages.txt` has one example of each sentence that the answers to vectors
//! contain, and shows what a change does to them.
//! `SENDOFF_WRITE_MESSAGES=1 cargo test -p conformance --test messages` writes it.

use std::{collections::BTreeMap, env, fs, path::Path};

use serde_json::Value;

#[test]
fn the_sentences_of_answers_equal_messages_txt() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // The first example of each form, in the order of the forms.
    let mut examples = BTreeMap::new();
    for call in conformance::calls(&[root.join("tests/vectors")]) {
        let (Ok(text) | Err(text)) = &call.answer;
        each_sentence(&serde_json::from_str(text).expect("an answer is JSON"), &mut |sentence| {
            examples.entry(form(sentence)).or_insert_with(|| sentence.replace('\n', "\\n"));
        });
    }
    let found = examples.values().fold(String::new(), |lines, example| lines + example + "\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("messages.txt");
    if env::var_os("SENDOFF_WRITE_MESSAGES").is_some() {
        return fs::write(&file, found).expect("the file can be written");
    }
    let known = fs::read_to_string(&file).expect("tests/conformance/messages.txt");
    let less = known
        .lines()
        .filter(|line| !found.lines().any(|other| other == *line))
        .map(|line| format!("\n- {line}"));
    let more = found
        .lines()
        .filter(|line| !known.lines().any(|other| other == *line))
        .map(|line| format!("\n+ {line}"));
    let change: String = less.chain(more).collect();
    assert!(
        change.is_empty(),
        "SENDOFF_WRITE_MESSAGES=1 cargo test -p conformance --test messages writes it:{change}"
    );
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
    let first = word.strip_prefix("eip155:").unwrap_or(word).chars().next();
    if first.is_some_and(|first| first.is_ascii_digit() || first == '-') { "0" } else { word }
}
