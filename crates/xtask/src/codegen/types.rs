//! TypeScript's types of the documents and answers, from their schemas, and a value beside each document's type.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::schema::{bounds, reference, sentence};

/// What no schema says.
const HEAD: &str = "\
// The documents and answers. What goes in is judged by the core, so a type here is help while writing and no check;
// what comes out is as it says. Hex of an answer keeps the letter case in which it came in, unless a field says
// otherwise.
//
// Each document from outside is also a value: a schema for libraries that take a Standard Schema. Value and type are
// declared in one file, so that TypeScript merges them under one name. A page that uses no schema bundles none.

import type { Issue } from './error.js'
import type { OPERATIONS } from './operations.js'
import { schema, type Schema } from './schema.js'

/** A document: the value, or the JSON text of it. Text keeps what values cannot: a key that stands twice is refused. */
export type Document<T> = T | string

/** `0x` and hex digits. It is the `Hex` of viem and ox, and an address is their `Address`. */
export type Hex = `0x${string}`

/** An operation of the service: a row of {@link OPERATIONS}. */
export type Operation = (typeof OPERATIONS)[number]
";

/// Said elsewhere: the table of operations is a constant of its own, and issues are thrown by `error.ts`.
const ELSEWHERE: [&str; 6] = ["Failure", "Issue", "IssueCode", "Method", "Operation", "Side"];

const WIDTH: usize = 120;

/// Every definition as a type, and those of documents as a value too.
pub(super) fn types(schema: &Value) -> String {
    let documents = list(&schema["$defs"]["DocumentKind"], "enum");
    let definitions = schema["$defs"].as_object().into_iter().flatten();
    let mut text = HEAD.to_owned();
    for (name, schema) in definitions.filter(|(name, _)| !ELSEWHERE.contains(&name.as_str())) {
        text.push('\n');
        comment(&mut text, "", &said(schema));
        // An interface has a name of its own in a compiler's messages.
        let is_interface = schema["type"] == "object"
            && schema.get("properties").is_some()
            && ["oneOf", "anyOf", "allOf", "dependentRequired"].iter().all(|key| schema.get(*key).is_none());
        let written = if is_interface {
            writeln!(text, "export interface {name} {}", object(schema, ""))
        } else {
            writeln!(text, "{}", format!("export type {name} = {}", type_of(schema, "")).replace("= \n", "=\n"))
        };
        // Writing to a string does not fail.
        let _ = written;
        if documents.iter().any(|document| document == name) {
            let _ = writeln!(text, "\nexport const {name}: Schema<{name}> = /* @__PURE__ */ schema('{name}')");
        }
    }
    text
}

/// The type of a schema, its lines indented by `margin`.
pub(super) fn type_of(schema: &Value, margin: &str) -> String {
    let mut parts: Vec<_> = reference(schema).into_iter().map(ToOwned::to_owned).collect();
    parts.extend(list(schema, "allOf").iter().map(|part| type_of(part, margin)));
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if schema["not"] == json!({}) {
        return "undefined".into();
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().map(literal).collect();
        return alternatives(&values, margin);
    }
    if schema.get("properties").is_some() {
        parts.push(object(schema, margin));
        parts.extend(groups(schema, margin));
    }
    let variants = [list(schema, "oneOf"), list(schema, "anyOf")].concat();
    if !variants.is_empty() {
        let union = union(&variants, margin);
        let is_alone = parts.is_empty();
        let end = if union.contains('\n') { format!("\n{margin}") } else { String::new() };
        parts.push(if is_alone { union } else { format!("({union}{end})") });
    }
    if parts.is_empty() { plain(schema, margin) } else { parts.join(" & ") }
}

/// A type that is made of no others.
fn plain(schema: &Value, margin: &str) -> String {
    let one = |kind: &Value| match kind.as_str() {
        Some("string") => template(schema["pattern"].as_str().unwrap_or_default()),
        Some("integer" | "number") => "number".into(),
        Some("boolean") => "boolean".into(),
        Some("null") => "null".into(),
        Some("array") if schema["maxItems"] == 0 => "readonly []".into(),
        Some("array") => match type_of(&schema["items"], margin) {
            item if item.contains([' ', '{']) => format!("readonly ({item})[]"),
            item => format!("readonly {item}[]"),
        },
        Some("object") => {
            let key = reference(&schema["propertyNames"]).unwrap_or("string");
            format!("{{ readonly [key: {key}]: {} }}", type_of(&schema["additionalProperties"], margin))
        }
        _ if schema.get("pattern").is_some() => template(schema["pattern"].as_str().unwrap_or_default()),
        _ => "unknown".into(),
    };
    match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(one).collect::<Vec<_>>().join(" | "),
        kind => one(kind),
    }
}

/// The variants of a union. Any text beside known ones leaves these to be suggested.
fn union(variants: &[Value], margin: &str) -> String {
    let is_open = |variant: &Value| variant.get("pattern").is_some() && variant.get("not").is_some();
    let deeper = format!("{margin}  ");
    let deepest = format!("{margin}    ");
    let types: Vec<_> = variants
        .iter()
        .map(
            |variant| {
                if is_open(variant) { "(string & {})".into() } else { type_of(&apart(variant, variants), &deepest) }
            },
        )
        .collect();
    if types.iter().all(|variant| !variant.contains('\n')) {
        return alternatives(&types, margin);
    }
    let lines = variants.iter().zip(types).map(|(variant, text)| {
        let mut line = String::from("\n");
        comment(&mut line, &deeper, sentence(variant));
        line + &format!("{deeper}| {text}")
    });
    lines.collect()
}

/// A variant that has no other fields, where others have some: theirs are undefined, so that they can be asked for.
fn apart(variant: &Value, variants: &[Value]) -> Value {
    let mut variant = variant.clone();
    if variant["additionalProperties"] == false {
        let others = variants.iter().filter_map(|other| other["properties"].as_object()).flatten();
        for (key, _) in others {
            if variant["properties"].get(key).is_none() {
                variant["properties"][key] = json!({ "not": {} });
            }
        }
    }
    variant
}

/// Short types, in a line where they fit.
fn alternatives(types: &[String], margin: &str) -> String {
    let line = types.join(" | ");
    if line.len() < WIDTH.saturating_sub(40) {
        return line;
    }
    types.iter().map(|variant| format!("\n{margin}  | {variant}")).collect()
}

/// The fields of an object, except those that depend on others.
fn object(schema: &Value, margin: &str) -> String {
    let apart = dependent(schema);
    let properties = schema["properties"].as_object().into_iter().flatten();
    fields(schema, properties.filter(|(key, _)| !apart.contains_key(*key)), margin)
}

fn fields<'a>(schema: &Value, properties: impl Iterator<Item = (&'a String, &'a Value)>, margin: &str) -> String {
    let deeper = format!("{margin}  ");
    let is_closed = [schema.get("additionalProperties"), schema.get("unevaluatedProperties")];
    // Who writes a document may have a field that is undefined; in an answer none is.
    let or_undefined = if is_closed.contains(&Some(&Value::Bool(false))) { " | undefined" } else { "" };
    let mut text = String::from("{\n");
    for (key, property) in properties {
        comment(&mut text, &deeper, &said(property));
        let is_required = list(schema, "required").iter().any(|required| required == key);
        let name = if key.contains('-') { format!("'{key}'") } else { key.clone() };
        let (mark, or_undefined) = if is_required { ("", "") } else { ("?", or_undefined) };
        let kind = type_of(property, &deeper);
        let or_undefined = if kind == "undefined" { "" } else { or_undefined };
        let line = format!("{deeper}readonly {name}{mark}: {kind}{or_undefined}").replace(": \n", ":\n");
        let _ = writeln!(text, "{line}");
    }
    text + margin + "}"
}

/// Fields that stand together or not at all: those that need each other, and those that need one of them.
fn groups(schema: &Value, margin: &str) -> Vec<String> {
    let apart = dependent(schema);
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let mut groups: Vec<Vec<&String>> = Vec::new();
    for key in properties.keys().filter(|key| apart.contains_key(*key)) {
        let near = |group: &&mut Vec<&String>| {
            group.iter().any(|other| needs(&apart, key, other) || needs(&apart, other, key))
        };
        match groups.iter_mut().find(near) {
            Some(group) => group.push(key),
            None => groups.push(vec![key]),
        }
    }
    groups.iter().map(|group| together(schema, &properties, &apart, group, margin)).collect()
}

fn together(
    schema: &Value,
    properties: &Map<String, Value>,
    apart: &Map<String, Value>,
    group: &[&String],
    margin: &str,
) -> String {
    let deeper = format!("{margin}  ");
    let needed = group.iter().filter(|key| group.iter().any(|other| needs(apart, other, key)));
    let mut there = schema.clone();
    there["required"] = needed.map(|key| Value::from(key.as_str())).collect();
    let some = fields(&there, group.iter().filter_map(|key| properties.get_key_value(*key)), &format!("{deeper}  "));
    let none: String = group.iter().map(|key| format!("{deeper}    readonly {key}?: undefined\n")).collect();
    format!("(\n{deeper}| {some}\n{deeper}| {{\n{none}{deeper}  }}\n{margin})")
}

/// The fields that others depend on or that depend on others, with what each needs.
fn dependent(schema: &Value) -> Map<String, Value> {
    let mut apart = schema["dependentRequired"].as_object().cloned().unwrap_or_default();
    let needed: Vec<_> = apart.values().filter_map(Value::as_array).flatten().cloned().collect();
    for key in needed.iter().filter_map(Value::as_str) {
        apart.entry(key).or_insert_with(|| Value::Array(Vec::new()));
    }
    apart
}

fn needs(apart: &Map<String, Value>, key: &str, other: &str) -> bool {
    apart.get(key).and_then(Value::as_array).is_some_and(|keys| keys.iter().any(|key| key == other))
}

/// As much of a pattern as a type can say: what its text begins with, or that it has a colon.
fn template(pattern: &str) -> String {
    let begin: String =
        pattern.trim_start_matches('^').chars().take_while(|c| c.is_alphanumeric() || *c == ':').collect();
    match begin.as_str() {
        "" if pattern.contains("}:[") => "`${string}:${string}`".into(),
        "" => "string".into(),
        "0x" => "Hex".into(),
        begin => format!("`{begin}${{string}}`"),
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => format!("'{text}'"),
        other => other.to_string(),
    }
}

fn list<'a>(schema: &'a Value, key: &str) -> &'a [Value] {
    schema[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The sentence of a schema, and the bounds of a number.
fn said(schema: &Value) -> String {
    [sentence(schema), bounds(schema).as_str()].join(" ").trim().into()
}

/// A comment of one line where it fits.
pub(super) fn comment(text: &mut String, margin: &str, sentence: &str) {
    if sentence.is_empty() {
        return;
    }
    let single = format!("{margin}/** {sentence} */\n");
    if !sentence.contains('\n') && single.chars().count() <= WIDTH.saturating_add(1) {
        text.push_str(&single);
        return;
    }
    let _ = writeln!(text, "{margin}/**");
    for paragraph in sentence.lines() {
        let hang = if paragraph.starts_with("- ") { "  " } else { "" };
        let mut line = format!("{margin} *");
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            if line.chars().count().saturating_add(word.chars().count()) >= WIDTH {
                let _ = writeln!(text, "{line}");
                line = format!("{margin} *{hang}");
            }
            line.push(' ');
            line.push_str(word);
        }
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "{margin} */");
}
