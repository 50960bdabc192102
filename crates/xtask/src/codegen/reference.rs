//! The reference page: every function, every document, every code.

use std::fmt::Write as _;

use sendoff::schema::{Beyond, Boundary, Form, FunctionSchema};
use serde_json::Value;

use super::example::Examples;
use super::schema::{bounds, reference, sentence};

pub(super) fn page(boundary: &Boundary) -> Result<String, String> {
    let examples = Examples::new()?;
    let mut page = String::from(
        "<!-- Made by `cargo xtask codegen` from the core; a change here is lost. -->\n\n\
         # Reference\n\n\
         One list of functions in every runtime: in Rust as `sendoff::json` in snake case, text in and text out; in \
         JavaScript as below. A document is given as a value or as JSON text. A call answers, or fails with \
         [`{ issues }`](#failure): every problem of its arguments. The path of a problem is dotted from the root of the \
         first argument, and begins with the name of a later one.\n\n\
         The schemas of all documents and answers are in [`sendoff.schema.json`](schema/sendoff.schema.json), the \
         service's operations in [`openapi.json`](schema/openapi.json).\n\n\
         ## Functions\n\nThe examples speak of these documents; long hex is cut.\n",
    );
    let _ = write!(page, "\n```js\n{}```\n", examples.documents());
    for function in &boundary.functions {
        page.push_str(&about(function, &examples.of(function)?));
    }
    page.push_str(
        "\n## Signatures\n\nIn JavaScript the entry `sendoff/signature`, with a WebAssembly of its own; in Rust \
         `sendoff::json::signature`, behind the feature `signature`.\n",
    );
    for function in &boundary.signature {
        page.push_str(&about(function, &examples.of(function)?));
    }
    let _ = write!(
        page,
        "\n## Error codes\n\nOf an issue in a failed call. Where several hold of one place, the first of them.\n\n{}",
        codes(&boundary.schema)
    );
    let _ = write!(
        page,
        "\n## Beyond schemas\n\nA document is accepted exactly where its schema is satisfied and these rules, which no schema can say, are kept:\n\n{}\n",
        Beyond::list()
    );
    page.push_str("\n## Documents and answers\n");
    for (name, schema) in boundary.schema["$defs"].as_object().into_iter().flatten() {
        let _ = write!(page, "\n### {name}\n\n{}\n", paragraphs(sentence(schema)));
        page.push_str(&shape(schema));
    }
    Ok(page)
}

fn about(function: &FunctionSchema, example: &str) -> String {
    let arguments = function.arguments.iter().map(|argument| {
        let mark = if argument.is_optional { "?" } else { "" };
        format!("{}{mark}", argument.name)
    });
    let signature = format!("{}({})", function.name, arguments.collect::<Vec<_>>().join(", "));
    let mut text =
        format!("\n### {}\n\n`{signature}` → {}\n\n{}\n", function.name, kind(&function.answer), function.sentence());
    if !function.arguments.is_empty() {
        text.push_str("\n| argument | | |\n|---|---|---|\n");
    }
    for argument in &function.arguments {
        let form = match argument.form {
            Form::Document | Form::Reply => "document",
            Form::Number => "number",
            Form::Text => "text",
        };
        let optional = if argument.is_optional { ", optional" } else { "" };
        let _ = writeln!(text, "| `{}` | {form}{optional} | {} |", argument.name, kind(&argument.schema));
    }
    let _ = write!(text, "\nFails: {}\n", function.errors());
    text.push_str(example);
    text
}

/// The name of a definition, which leads to it.
fn link(name: &str) -> String {
    format!("[`{name}`](#{})", name.to_lowercase())
}

/// A schema in a line.
fn kind(schema: &Value) -> String {
    if let Some(name) = reference(schema) {
        return link(name);
    }
    let each =
        |key: &str| schema[key].as_array().map(|variants| variants.iter().map(kind).collect::<Vec<_>>().join(" or "));
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
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or ").replace("string", "text")
        }
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

/// The fields of an object, or of each variant of a union, or what a text looks like.
fn shape(schema: &Value) -> String {
    let mut text = String::new();
    if let Some(pattern) = schema["pattern"].as_str() {
        let _ = write!(text, "\nText, `{pattern}`\n");
    }
    if schema["type"] == "integer" || schema["type"] == "array" {
        let _ = write!(text, "\n{}\n", capital(&kind(schema)));
    }
    if let Some(values) = schema["enum"].as_array().filter(|_| !sentence(schema).contains("\n- ")) {
        let values: Vec<_> = values.iter().map(|value| format!("`{}`", value.as_str().unwrap_or_default())).collect();
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
            let also = reference(variant).map(|name| format!("With the fields of {}. ", link(name)));
            let line = [also.as_deref().unwrap_or_default(), sentence(variant)].concat();
            if !table.is_empty() || !line.is_empty() {
                let _ = write!(text, "\n{}\n{table}", if line.is_empty() { "One form:" } else { line.trim() });
            }
        }
    }
    text
}

fn table(schema: &Value) -> String {
    let Some(properties) = schema["properties"].as_object() else { return String::new() };
    let mut text = String::from("\n| field | | |\n|---|---|---|\n");
    for (key, property) in properties {
        let is_required = schema["required"].as_array().is_some_and(|required| required.iter().any(|name| name == key));
        let optional = if is_required { "" } else { ", optional" };
        let line = sentence(property).replace('\n', " ");
        let _ = writeln!(text, "| `{key}` | {}{optional} | {line} |", kind(property));
        for (nested, property) in
            property["properties"].as_object().into_iter().flatten().filter(|_| reference(property).is_none())
        {
            let _ = writeln!(text, "| `{key}.{nested}` | {} | {} |", kind(property), sentence(property));
        }
    }
    text
}

/// The list of codes, which is in their description after its sentence.
fn codes(schema: &Value) -> String {
    let description = schema["$defs"]["IssueCode"]["description"].as_str();
    description.and_then(|text| text.split_once('\n')).map(|(_, list)| format!("{list}\n")).unwrap_or_default()
}

fn paragraphs(sentence: &str) -> String {
    sentence.replacen("\n- ", "\n\n- ", 1)
}

fn capital(text: &str) -> String {
    let (first, rest) = text.split_at_checked(1).unwrap_or((text, ""));
    first.to_uppercase() + rest
}
