//! JSON: a value that keeps the order of keys and the spelling of numbers.
//!
//! The core's own reader is private, and checks texts before they come here. `serde_json` would
//! sort the keys of replies, and bring floating-point numbers into the WebAssembly module.

mod reader;

use alloc::{string::String, vec::Vec};
use core::{fmt, mem};

use crate::text;

/// A JSON value.
///
/// ```
/// use sendoff_sandbox::Json;
///
/// let value = Json::parse(r#"{ "status": "success", "data": [1.50, true] }"#).unwrap();
/// assert_eq!(value.get("status").and_then(Json::as_text), Some("success"));
/// assert_eq!(value.to_string(), r#"{"status":"success","data":[1.50,true]}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Json {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it is spelled.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Self>),
    /// An object; the order of its keys is kept.
    Object(Vec<(String, Self)>),
}

impl Json {
    /// Reads JSON text. Returns `None` for text that is not JSON, is nested deeper than 64, or has a key twice in an object.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        reader::read(text)
    }

    /// The value of a key of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The value at a dotted path, such as `data.jobs.0.status`.
    #[must_use]
    pub fn at(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |value, key| match value {
            Self::List(items) => items.get(place(key)?),
            _ => value.get(key),
        })
    }

    /// The same, to be changed.
    pub fn at_mut(&mut self, path: &str) -> Option<&mut Self> {
        path.split('.').try_fold(self, |value, key| match value {
            Self::List(items) => items.get_mut(place(key)?),
            Self::Object(fields) => {
                fields.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        })
    }

    /// Sets a key of an object. Other values stay as they are.
    pub fn set(&mut self, key: &str, value: Self) {
        let Self::Object(fields) = self else { return };
        match fields.iter_mut().find(|(name, _)| name == key) {
            Some((_, there)) => *there = value,
            None => fields.push((key.into(), value)),
        }
    }

    /// Removes a key of an object.
    pub fn remove(&mut self, key: &str) {
        if let Self::Object(fields) = self {
            fields.retain(|(name, _)| name != key);
        }
    }

    /// The text of a string.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The items of an array.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    /// The value of an integer without a sign.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        if let Self::Number(digits) = self { text::of_digits(digits) } else { None }
    }

    /// The text at a key; empty if it is absent or not a string.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.get(key).and_then(Self::as_text).unwrap_or_default()
    }

    /// About the bytes that it takes.
    pub(crate) fn weight(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) => 1,
            Self::Number(text) | Self::Text(text) => text.len(),
            Self::List(items) => items.iter().map(Self::weight).sum(),
            Self::Object(fields) => {
                fields.iter().map(|(name, value)| name.len().saturating_add(value.weight())).sum()
            }
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Self::Number(digits) => out.push_str(digits),
            Self::Text(text) => quote(text, out),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(fields) => {
                out.push('{');
                for (at, (name, value)) in fields.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    quote(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }

    /// The JSON text.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Json {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<bool> for Json {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Self {
        Self::Number(text::digits(number))
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Self {
        u64::try_from(number).unwrap_or(u64::MAX).into()
    }
}

impl From<i64> for Json {
    fn from(number: i64) -> Self {
        Self::Number(text::signed(number))
    }
}

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(items: Vec<T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

/// The place of an item in an array.
fn place(key: &str) -> Option<usize> {
    usize::try_from(text::of_digits(key)?).ok()
}

/// An object of these fields.
pub(crate) fn object<const N: usize>(mut fields: [(&str, Json); N]) -> Json {
    moved(&mut fields)
}

/// The same for any number of fields, so that the WebAssembly module has it once.
#[inline(never)]
fn moved(fields: &mut [(&str, Json)]) -> Json {
    let field = |(name, value): &mut (&str, Json)| (String::from(*name), mem::take(value));
    Json::Object(fields.iter_mut().map(field).collect())
}

/// Writes a string with its escapes (RFC 8259, section 7).
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' => {
                let code = u32::from(char);
                out.push_str("\\u00");
                out.extend(
                    [code >> 4, code & 0xf].map(|digit| char::from_digit(digit, 16).unwrap_or('0')),
                );
            }
            _ => out.push(char),
        }
    }
    out.push('"');
}
