//! Facts that are read from a schema.

use std::collections::BTreeSet;

use serde_json::Value;

/// The name of the definition that a schema refers to.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    let path = schema["$ref"].as_str()?;
    path.strip_prefix("#/$defs/").or(path.strip_prefix("#/components/schemas/"))
}

/// The items of a list; none if it is absent.
pub(super) fn list<'a>(schema: &'a Value, key: &str) -> &'a [Value] {
    schema[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The fields of an object in a schema, such as `properties`; none if it is absent.
pub(super) fn fields<'a>(
    schema: &'a Value,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    schema[key].as_object().into_iter().flatten()
}

/// Returns `true` if a schema requires a field.
pub(super) fn is_required(schema: &Value, name: &str) -> bool {
    list(schema, "required").iter().any(|required| required == name)
}

/// The fields of an object, or the items of a list.
pub(super) fn parts(schema: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match schema {
        Value::Object(fields) => Box::new(fields.values()),
        Value::Array(items) => Box::new(items.iter()),
        _ => Box::new(std::iter::empty()),
    }
}

/// The names of the definitions that a schema refers to.
pub(super) fn names(schema: &Value) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    named(schema, &mut found);
    found
}

/// Adds the names of the definitions that a schema refers to.
pub(super) fn named<'a>(schema: &'a Value, found: &mut BTreeSet<&'a str>) {
    found.extend(reference(schema));
    parts(schema).for_each(|part| named(part, found));
}

/// These definitions, and all that they refer to.
pub(super) fn reached<'a>(names: BTreeSet<&'a str>, definitions: &'a Value) -> BTreeSet<&'a str> {
    let mut all = names;
    loop {
        let mut more = all.clone();
        all.iter().for_each(|name| named(&definitions[*name], &mut more));
        if more.len() == all.len() {
            return all;
        }
        all = more;
    }
}

/// Returns `true` if a schema accepts only text.
pub(super) fn is_text(schema: &Value) -> bool {
    let or_empty = schema.pointer("/anyOf/0/const").is_some_and(Value::is_string);
    schema["type"] == "string" || or_empty
}

/// The description of a schema.
pub(super) fn sentence(schema: &Value) -> &str {
    schema["description"].as_str().unwrap_or_default()
}

/// The bounds of a number, as a sentence.
pub(super) fn bounds(schema: &Value) -> String {
    match (schema["minimum"].as_i64(), schema["maximum"].as_i64()) {
        (Some(min), Some(max)) => format!("From {} to {}.", grouped(min), grouped(max)),
        _ => String::new(),
    }
}

/// A text with a capital letter at its start.
pub(super) fn capital(text: &str) -> String {
    let (first, rest) = text.split_at_checked(1).unwrap_or((text, ""));
    first.to_uppercase() + rest
}

/// `NFT_TRANSFER` as `NftTransfer`.
pub(super) fn pascal(word: &str) -> String {
    word.to_lowercase().split('_').map(capital).collect()
}

/// `transferTokens` with another character between its words: `transfer_tokens`.
pub(super) fn apart(name: &str, between: char) -> String {
    let is_start = |c: &char| c.is_ascii_uppercase();
    let parts = name.chars().flat_map(|c| {
        Some(between).filter(|_| is_start(&c)).into_iter().chain([c.to_ascii_lowercase()])
    });
    parts.collect()
}

/// A number with separated thousands.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let first = digits.len() % 3;
    let mut text = String::from(if number < 0 { "−" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == first {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
