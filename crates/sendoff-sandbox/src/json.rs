//! JSON: values, and documents as structs, with the place of the first problem.

use sendoff::error::{Issue, IssueCode};
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::Value;
use serde_path_to_error::Segment;

/// The value of a text. The keys of its objects are sorted, so that no feature of serde_json that
/// another crate asks for changes what is read first.
pub(crate) fn parse(text: &str) -> serde_json::Result<Value> {
    let mut value: Value = serde_json::from_str(text)?;
    value.sort_all_objects();
    Ok(value)
}

/// The text of a value, with sorted keys for the same reason.
pub(crate) fn written(mut value: Value) -> String {
    value.sort_all_objects();
    value.to_string()
}

/// Reads a value, or returns its first problem with the path.
pub(crate) fn read<'de, T: DeserializeOwned>(
    value: impl Deserializer<'de, Error = serde_json::Error>,
) -> Result<T, Box<Issue>> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let keys = error.path().iter().filter_map(|segment| match segment {
            Segment::Seq { index } => Some(index.to_string()),
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { .. } | Segment::Unknown => None,
        });
        let said = error.inner().to_string();
        // serde says the name of a field that is missing in its sentence alone.
        let missing = said.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
        let path = keys.chain(missing.map(Into::into)).collect::<Vec<_>>().join(".");
        let code = if missing.is_some() { IssueCode::Missing } else { IssueCode::Format };
        Box::new(Issue::new(path, code, sentence(&said)))
    })
}

/// What serde_json says, which has no other form than a sentence, in the order and the words of the core's.
fn sentence(said: &str) -> String {
    let Some((found, expected)) = said.split_once(", expected ") else { return said.into() };
    let said = ["invalid type: ", "invalid value: ", "unknown variant ", "unknown field "];
    let found = said.iter().find_map(|start| found.strip_prefix(start)).unwrap_or(found);
    let text = found.strip_prefix("string \"").and_then(|rest| rest.strip_suffix('"'));
    let found = text.map_or_else(|| found.into(), |text| format!("`{text}`"));
    let expected = match expected {
        "u8" => "an integer from 0 to 255",
        "u16" => "an integer from 0 to 65535",
        "u32" | "u64" | "usize" => "an integer from 0",
        "a nonzero u64" => "an integer from 1",
        "a sequence" => "a list",
        "a map" => "an object",
        record if record.starts_with("struct ") => "an object",
        other => other,
    };
    format!("expected {expected}, found {found}")
}

/// The value at a key; null if it is absent.
pub(crate) fn at<'a>(value: &'a Value, key: &str) -> &'a Value {
    value.get(key).unwrap_or(&Value::Null)
}

/// The text at a key; empty if it is absent or not a string.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    at(value, key).as_str().unwrap_or_default()
}

/// At most 64 characters of a caller's text.
pub(crate) fn cut(text: &str) -> &str {
    text.char_indices().nth(64).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}
