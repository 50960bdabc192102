//! Facts that are read from a schema.

use serde_json::Value;

/// The name of the definition that a schema refers to.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str().and_then(|path| path.rsplit('/').next())
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
