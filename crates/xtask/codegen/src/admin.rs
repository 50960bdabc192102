//! The gateway's admin API: the definitions of the core in its document, and the dashboard's types of it.
//! `cargo xtask codegen admin` writes the rest of the document, from the gateway's routes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::openapi::components;
use super::schema::{list, named};

/// The document with the definitions of the core that its own refer to.
pub(super) fn document(committed: &str, schema: &Value) -> Result<Value, String> {
    let mut document: Value = serde_json::from_str(committed).map_err(|error| error.to_string())?;
    let mut names = BTreeSet::new();
    named(&document, &mut names);
    names.retain(|name| schema["$defs"].get(name).is_some());
    let of_core = components(names, schema);
    if let Some(all) = document["components"]["schemas"].as_object_mut() {
        all.retain(|name, _| schema["$defs"].get(name).is_none());
        all.extend(of_core);
    }
    Ok(document)
}

/// What the dashboard reads, each with the name of its definition. The package has the types of the core.
const SHOWN: [&str; 10] = [
    "Session",
    "Application",
    "Alteration",
    "Key",
    "NewKey",
    "ChainPolicies",
    "Refused",
    "Filled",
    "Change",
    "Late",
];

/// The types of these definitions in TypeScript.
pub(super) fn types(document: &Value) -> String {
    let mut text =
        String::from("import type { AnsweredCatalogue, Policy, Verdict } from 'sendoff'\n");
    for name in SHOWN {
        let definition = &document["components"]["schemas"][name];
        text.push_str(&format!("\nexport interface {name} {{\n"));
        for (key, schema) in definition["properties"].as_object().into_iter().flatten() {
            let mark =
                if list(definition, "required").contains(&key.as_str().into()) { "" } else { "?" };
            text.push_str(&format!("  readonly {key}{mark}: {}\n", type_of(schema)));
        }
        text.push_str("}\n");
    }
    text
}

fn type_of(schema: &Value) -> String {
    let union = |parts: &Vec<Value>| parts.iter().map(type_of).collect::<Vec<_>>().join(" | ");
    if let Some(reference) = schema["$ref"].as_str() {
        return match reference.rsplit('/').next().unwrap_or_default() {
            "Catalogue" => "AnsweredCatalogue".into(),
            "Kind" => "'client' | 'server' | 'user'".into(),
            name => name.into(),
        };
    }
    if let Some(parts) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return union(parts);
    }
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().map(|word| format!("'{}'", word.as_str().unwrap_or_default()));
        let words: Vec<_> = words.collect();
        return words.join(" | ");
    }
    match schema["type"].as_str().or(schema["type"][0].as_str()) {
        Some("string") => match schema["const"].as_str() {
            Some(word) => format!("'{word}'"),
            None => "string".into(),
        },
        Some("integer" | "number") => "number".into(),
        Some("boolean") => "boolean".into(),
        Some("array") => format!("readonly {}[]", type_of(&schema["items"])),
        Some("null") => "null".into(),
        _ => "Readonly<Record<string, unknown>>".into(),
    }
}
