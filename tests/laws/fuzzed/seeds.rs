//! Where a fuzzer begins: the inputs of all vectors, and a day of the pocket service.

use std::fs;
use std::path::Path;

use alloy_primitives::hex;
use serde_json::Value;

use super::calls::joined;

/// What is longer is left out: a fuzzer finds little in it.
const LONGEST: usize = 8 << 10;

/// The arguments of all vectors in a folder: and the strings in them, as texts, as the bytes of hex, and as calls by name. The
/// requests of a day of the pocket service.
///
/// # Panics
///
/// If the folder has no vectors.
#[must_use]
pub fn seeds(vectors: &Path) -> Vec<Vec<u8>> {
    let mut seeds = vec![];
    for entry in fs::read_dir(vectors).expect("a folder of vectors") {
        let suite: Value =
            serde_json::from_slice(&fs::read(entry.unwrap().path()).unwrap()).expect("a suite");
        for case in suite["cases"].as_array().expect("cases") {
            let arguments = case["args"].as_array().cloned().unwrap_or_default();
            let texts: Vec<_> = arguments.iter().map(text).collect();
            seeds.extend(joined(case["call"].as_str().unwrap_or_default(), &texts));
            let mut leaves = vec![];
            arguments
                .iter()
                .chain([&case["ok"]])
                .for_each(|argument| strings(argument, &mut leaves));
            for text in texts.iter().flatten().chain(text(&case["ok"]).iter()).chain(&leaves) {
                seeds.push(text.clone().into_bytes());
                seeds.push([&b"\0"[..], text.as_bytes()].concat());
                seeds.push([&b"\x02"[..], text.as_bytes()].concat());
                seeds.push([&b"\x03"[..], text.as_bytes()].concat());
                seeds.extend(hex::decode(text).ok().map(|bytes| [&b"\0"[..], &bytes].concat()));
                seeds.extend(hex::decode(text).ok());
            }
        }
    }
    seeds.extend(super::service::seeds(include_str!(
        "../../../crates/sendoff-sandbox/tests/record.json"
    )));
    seeds.retain(|seed| seed.len() <= LONGEST);
    seeds.sort();
    seeds.dedup();
    seeds
}

/// The strings in a document.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| strings(field, found)),
        _ => {}
    }
}

/// An argument as a caller writes it; one that is left out has none.
fn text(argument: &Value) -> Option<String> {
    match argument {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
