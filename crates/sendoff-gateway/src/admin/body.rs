//! Reads the JSON of a request, and finds all of its problems, each with its path.

use std::{fmt::Display, str::FromStr};

use sendoff::{
    error::{Error, Issue, IssueCode},
    http::Refusal,
};
use serde_json::{Map, Value};

/// An object whose fields are taken one after the other.
pub(super) struct Fields {
    fields: Map<String, Value>,
    issues: Vec<Issue>,
}

impl Fields {
    /// Reads a body. One without a byte is an empty object.
    ///
    /// # Errors
    ///
    /// `syntax` for other text than JSON, `type` for other JSON than an object.
    pub(super) fn read(body: Vec<u8>) -> Result<Self, Refusal> {
        let text = String::from_utf8(body).map_err(|_| Refusal::NOT_UTF8)?;
        if text.is_empty() {
            return Ok(Self { fields: Map::new(), issues: Vec::new() });
        }
        match serde_json::from_str(&text) {
            Ok(Value::Object(fields)) => Ok(Self { fields, issues: Vec::new() }),
            Ok(other) => Err(refused(vec![wrong("", "an object", &other)])),
            Err(error) => {
                let message = format!(
                    "expected JSON, found an error at line {} column {}",
                    error.line(),
                    error.column()
                );
                Err(refused(vec![Issue::new(String::new(), IssueCode::Syntax, message)]))
            }
        }
    }

    /// A field that must be there.
    pub(super) fn required(&mut self, key: &str) -> Option<Value> {
        let value = self.fields.remove(key);
        if value.is_none() {
            self.push(key, IssueCode::Missing, "expected a value, found none".into());
        }
        value
    }

    pub(super) fn optional(&mut self, key: &str) -> Option<Value> {
        self.fields.remove(key)
    }

    /// A text that is read as `T`.
    pub(super) fn text<T: FromStr<Err: Display>>(&mut self, key: &str) -> Option<T> {
        let value = self.required(key)?;
        self.parsed(key, &value)
    }

    /// The value of a field, a text that is read as `T`.
    pub(super) fn parsed<T: FromStr<Err: Display>>(
        &mut self,
        key: &str,
        value: &Value,
    ) -> Option<T> {
        let Some(text) = value.as_str() else {
            self.issues.push(wrong(key, "a text", value));
            return None;
        };
        let parsed = text.parse();
        parsed.map_err(|error: T::Err| self.push(key, IssueCode::Format, error.to_string())).ok()
    }

    /// A flag; `absent` if it is not there.
    pub(super) fn flag(&mut self, key: &str, absent: bool) -> Option<bool> {
        let Some(value) = self.optional(key) else { return Some(absent) };
        value.as_bool().or_else(|| {
            self.issues.push(wrong(key, "true or false", &value));
            None
        })
    }

    /// A document of the core.
    pub(super) fn document<T: FromStr<Err = Error>>(
        &mut self,
        key: &str,
        value: &Value,
    ) -> Option<T> {
        let read = value.to_string().parse();
        let refused = |error: Error| {
            for mut issue in error.into_issues() {
                issue.path = if issue.path.is_empty() {
                    key.into()
                } else {
                    format!("{key}.{}", issue.path)
                };
                self.issues.push(issue);
            }
        };
        read.map_err(refused).ok()
    }

    /// The documents of an array; none if the field is absent.
    pub(super) fn documents<T: FromStr<Err = Error>>(&mut self, key: &str) -> Option<Vec<T>> {
        let Some(value) = self.optional(key) else { return Some(Vec::new()) };
        let Some(items) = value.as_array() else {
            self.issues.push(wrong(key, "an array", &value));
            return None;
        };
        let read: Vec<_> = items
            .iter()
            .enumerate()
            .map(|(at, item)| self.document(&format!("{key}.{at}"), item))
            .collect();
        read.into_iter().collect()
    }

    pub(super) fn push(&mut self, path: &str, code: IssueCode, message: String) {
        self.issues.push(Issue::new(path.into(), code, message));
    }

    /// Refuses a value of another type.
    pub(super) fn wrong(&mut self, path: &str, expected: &str, found: &Value) {
        self.issues.push(wrong(path, expected, found));
    }

    /// The value made of the fields, if no field has a problem and none is left.
    pub(super) fn close<T>(mut self, made: Option<T>) -> Result<T, Refusal> {
        let unread = self.fields.keys().map(|key| {
            let message = "expected no such field, found one".into();
            Issue::new(key.chars().take(64).collect(), IssueCode::Unknown, message)
        });
        self.issues.extend(unread.collect::<Vec<_>>());
        match made {
            Some(made) if self.issues.is_empty() => Ok(made),
            _ => Err(refused(self.issues)),
        }
    }
}

fn wrong(path: &str, expected: &str, found: &Value) -> Issue {
    let found = match found {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    Issue::new(path.into(), IssueCode::Type, format!("expected {expected}, found {found}"))
}

/// A text that was found, and is no secret: its first characters.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 64;
    let cut: String = text.chars().take(MOST).collect();
    let rest = if cut.len() < text.len() { "…" } else { "" };
    format!("`{cut}{rest}`")
}

/// The refusal of a request with these problems.
pub(super) fn refused(issues: Vec<Issue>) -> Refusal {
    // The core reads refusals of its own: this is one.
    let issues = serde_json::to_value(issues).unwrap_or_default();
    let written = serde_json::json!({ "refused": "bad-request", "issues": issues }).to_string();
    written.parse().unwrap_or(Refusal::FAILED)
}
