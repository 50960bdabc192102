//! The page of the documents and answers.

use std::fmt::Write as _;

use serde_json::Value;

use super::MADE;
use super::rust::RustNames;
use crate::schema::{bounds, capital, fields, is_required, list, reference, sentence};

/// The page of all documents and answers, with their names in Rust.
pub(super) fn page(schema: &Value, rust: &RustNames) -> String {
    let mut page = format!(
        "{MADE}# Documents and answers\n\nThe types of TypeScript have these names. In Rust a document is parsed, \
         `text.parse::<EstimateRequest>()?`, and every type is written by `Display` and serde.\n"
    );
    for (name, schema) in fields(schema, "$defs") {
        let _ = write!(page, "\n## {name}\n\n{}\n", paragraphs(sentence(schema)));
        if let Some(path) = rust.of_type(name) {
            let _ = write!(page, "\nIn Rust: `{path}`\n");
        }
        page.push_str(&shape(schema));
    }
    page
}

/// The name of a definition as a link to it.
fn link(name: &str) -> String {
    format!("[`{name}`](documents.md#{})", name.to_lowercase())
}

/// A schema on one line, with links for the pages of this folder.
pub(super) fn kind(schema: &Value) -> String {
    let code = |value: &Value| format!("`{value}`");
    let any = |key: &str, shown: fn(&Value) -> String| {
        let all: Vec<_> = list(schema, key).iter().map(shown).collect();
        (!all.is_empty()).then(|| all.join(" or "))
    };
    reference(schema)
        .map(link)
        .or_else(|| any("oneOf", kind))
        .or_else(|| any("anyOf", kind))
        .or_else(|| schema.get("const").map(code))
        .or_else(|| any("enum", code))
        .unwrap_or_else(|| plain(schema))
}

/// A type with its bounds.
fn plain(schema: &Value) -> String {
    let text = match &schema["type"] {
        Value::String(kind) if kind == "array" && schema["maxItems"] == 0 => "empty array".into(),
        Value::String(kind) if kind == "array" => format!("array of {}", kind_of_items(schema)),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => "anything".into(),
    };
    let text = text.replace("string", "text");
    [text, bounds(schema).trim_end_matches('.').to_lowercase()].join(" ").trim().into()
}

fn kind_of_items(schema: &Value) -> String {
    let items = kind(&schema["items"]);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(min), Some(max)) if min == max => format!("{min} {items}"),
        (Some(min), Some(max)) => format!("{min} to {max} {items}"),
        _ => items,
    }
}

/// The fields of an object or of each variant of a union, or the pattern of a text.
fn shape(schema: &Value) -> String {
    let mut text = String::new();
    if let Some(pattern) = schema["pattern"].as_str() {
        let _ = write!(text, "\nText, `{pattern}`\n");
    }
    if schema["type"] == "integer" || schema["type"] == "array" {
        let _ = write!(text, "\n{}\n", capital(&kind(schema)));
    }

    let values = list(schema, "enum").iter().filter_map(Value::as_str);
    let values: Vec<_> = values.map(|value| format!("`{value}`")).collect();
    if !values.is_empty() && !sentence(schema).contains("\n- ") {
        let _ = write!(text, "\n{}\n", values.join(", "));
    }

    if schema["additionalProperties"].is_object() {
        let key = reference(&schema["propertyNames"]).map_or("text".into(), link);
        let _ = write!(text, "\nBy {key}: {}\n", kind(&schema["additionalProperties"]));
    }

    text.push_str(&table(schema));
    for key in ["allOf", "oneOf", "anyOf"] {
        for variant in list(schema, key) {
            let table = table(variant);
            let also =
                reference(variant).map(|name| format!("With the fields of {}. ", link(name)));
            let line = [also.as_deref().unwrap_or_default(), sentence(variant)].concat();
            if !table.is_empty() || !line.is_empty() {
                let _ = write!(
                    text,
                    "\n{}\n{table}",
                    if line.is_empty() { "One form:" } else { line.trim() }
                );
            }
        }
    }

    text
}

fn table(schema: &Value) -> String {
    let mut rows = String::new();
    for (key, property) in fields(schema, "properties") {
        let optional = if is_required(schema, key) { "" } else { ", optional" };
        let line = sentence(property).replace('\n', " ");
        let _ = writeln!(rows, "| `{key}` | {}{optional} | {line} |", kind(property));
        let nested = fields(property, "properties").filter(|_| reference(property).is_none());
        for (nested, property) in nested {
            let (kind, line) = (kind(property), sentence(property));
            let _ = writeln!(rows, "| `{key}.{nested}` | {kind} | {line} |");
        }
    }
    let head = "\n| field | | |\n|---|---|---|\n";
    if schema["properties"].is_object() { [head, &rows].concat() } else { rows }
}

fn paragraphs(sentence: &str) -> String {
    sentence.replacen("\n- ", "\n\n- ", 1)
}
