//! The page of the documents and answers.

use std::fmt::Write as _;

use serde_json::Value;

use super::MADE;
use super::rust::RustNames;
use crate::schema::{bounds, reference, sentence};

/// The page of all documents and answers, with their names in Rust.
pub(super) fn page(schema: &Value, rust: &RustNames) -> String {
    let mut page = format!(
        "{MADE}# Documents and answers\n\nThe types of TypeScript have these names. In Rust a document is parsed, \
         `text.parse::<EstimateRequest>()?`, and every type is written by `Display` and serde.\n"
    );
    for (name, schema) in schema["$defs"].as_object().into_iter().flatten() {
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
    if let Some(name) = reference(schema) {
        return link(name);
    }

    let each = |key: &str| {
        schema[key]
            .as_array()
            .map(|variants| variants.iter().map(kind).collect::<Vec<_>>().join(" or "))
    };
    if let Some(variants) = each("oneOf").or_else(|| each("anyOf")) {
        return variants;
    }
    if let Some(constant) = schema.get("const") {
        return format!("`{constant}`");
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(" or ");
    }

    let text = match &schema["type"] {
        Value::String(kind) if kind == "array" && schema["maxItems"] == 0 => "empty array".into(),
        Value::String(kind) if kind == "array" => format!("array of {}", kind_of_items(schema)),
        Value::String(kind) if kind == "string" => "text".into(),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(" or ")
            .replace("string", "text"),
        _ => "anything".into(),
    };
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

    if let Some(values) = schema["enum"].as_array().filter(|_| !sentence(schema).contains("\n- ")) {
        let values: Vec<_> = values
            .iter()
            .map(|value| format!("`{}`", value.as_str().unwrap_or_default()))
            .collect();
        let _ = write!(text, "\n{}\n", values.join(", "));
    }

    if schema["additionalProperties"].is_object() {
        let key = reference(&schema["propertyNames"]).map_or("text".into(), link);
        let _ = write!(text, "\nBy {key}: {}\n", kind(&schema["additionalProperties"]));
    }

    text.push_str(&table(schema));
    for key in ["allOf", "oneOf", "anyOf"] {
        for variant in schema[key].as_array().into_iter().flatten() {
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
    let Some(properties) = schema["properties"].as_object() else { return String::new() };
    let mut text = String::from("\n| field | | |\n|---|---|---|\n");
    for (key, property) in properties {
        let is_required = schema["required"]
            .as_array()
            .is_some_and(|required| required.iter().any(|name| name == key));
        let optional = if is_required { "" } else { ", optional" };
        let line = sentence(property).replace('\n', " ");
        let _ = writeln!(text, "| `{key}` | {}{optional} | {line} |", kind(property));
        for (nested, property) in property["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .filter(|_| reference(property).is_none())
        {
            let _ = writeln!(
                text,
                "| `{key}.{nested}` | {} | {} |",
                kind(property),
                sentence(property)
            );
        }
    }
    text
}

fn paragraphs(sentence: &str) -> String {
    sentence.replacen("\n- ", "\n\n- ", 1)
}

fn capital(text: &str) -> String {
    let (first, rest) = text.split_at_checked(1).unwrap_or((text, ""));
    first.to_uppercase() + rest
}
