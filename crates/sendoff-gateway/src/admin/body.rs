//! Reads the JSON of a request, and finds all of its problems, each with its path. What reads a body also describes it.

use std::{collections::BTreeMap, fmt, str::FromStr};

use sendoff::{
    error::{Error, Issue, IssueCode},
    http::Refusal,
};
use serde::{
    Deserialize,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value, json, value::RawValue};

/// The most problems of a request that are told.
const MOST_ISSUES: usize = 100;

type Reader<T> = dyn Fn(&RawValue) -> Result<T, Vec<Issue>>;

/// A kind of value: its schema, and its reader.
pub(super) struct Kind<T> {
    pub(super) schema: Value,
    read: Box<Reader<T>>,
}

impl<T: 'static> Kind<T> {
    pub(super) fn new(
        schema: Value,
        read: impl Fn(&RawValue) -> Result<T, Vec<Issue>> + 'static,
    ) -> Self {
        Self { schema, read: Box::new(read) }
    }

    pub(super) fn read(&self, value: &RawValue) -> Result<T, Vec<Issue>> {
        (self.read)(value)
    }

    /// The same, or `null` for `None`.
    pub(super) fn or_null(self) -> Kind<Option<T>> {
        let schema = json!({ "anyOf": [self.schema, { "type": "null" }] });
        Kind::new(schema, move |value| match value.get() {
            "null" => Ok(None),
            _ => self.read(value).map(Some),
        })
    }

    /// An array of such values.
    pub(super) fn list(self) -> Kind<Vec<T>> {
        let schema = json!({ "type": "array", "items": self.schema });
        Kind::new(schema, move |value| {
            let items: Vec<Box<RawValue>> = of_type(value, "an array")?;
            let read = items
                .iter()
                .enumerate()
                .map(|(at, item)| self.read(item).map_err(|issues| below(&at.to_string(), issues)));
            let (mut all, mut problems) = (Vec::new(), Vec::new());
            for item in read {
                match item {
                    Ok(item) => all.push(item),
                    Err(issues) => problems.extend(issues),
                }
            }
            if problems.is_empty() { Ok(all) } else { Err(problems) }
        })
    }
}

/// A text that is read as `T`.
pub(super) fn text<T: FromStr<Err: fmt::Display> + 'static>(schema: Value) -> Kind<T> {
    Kind::new(schema, |value| {
        let text: String = of_type(value, "a text")?;
        text.parse().map_err(|error: T::Err| issue(IssueCode::Format, error.to_string()))
    })
}

/// A document of the core, which has this name in its schema.
pub(super) fn document<T: FromStr<Err = Error> + 'static>(name: &str) -> Kind<T> {
    Kind::new(reference(name), |value| value.get().parse().map_err(Error::into_issues))
}

pub(super) fn flag() -> Kind<bool> {
    Kind::new(json!({ "type": "boolean" }), |value| of_type(value, "true or false"))
}

/// An integer from 0 to `most`.
pub(super) fn integer(most: u64) -> Kind<u64> {
    let schema = json!({ "type": "integer", "minimum": 0, "maximum": most });
    Kind::new(schema, move |value| {
        let number = serde_json::from_str(value.get()).ok().filter(|number| *number <= most);
        number.ok_or_else(|| {
            let found = shown(value.get());
            issue(IssueCode::Range, format!("expected an integer from 0 to {most}, found {found}"))
        })
    })
}

/// A reference to a definition.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A value of a type of JSON.
pub(super) fn of_type<T: for<'de> Deserialize<'de>>(
    value: &RawValue,
    expected: &str,
) -> Result<T, Vec<Issue>> {
    serde_json::from_str(value.get()).map_err(|_| {
        let found = match value.get().bytes().next() {
            Some(b'n') => "null",
            Some(b't' | b'f') => "true or false",
            Some(b'"') => "a text",
            Some(b'[') => "an array",
            Some(b'{') => "an object",
            _ => "a number",
        };
        issue(IssueCode::Type, format!("expected {expected}, found {found}"))
    })
}

pub(super) fn issue(code: IssueCode, message: String) -> Vec<Issue> {
    vec![Issue::new(String::new(), code, message)]
}

/// Issues whose paths begin with a key.
fn below(key: &str, issues: Vec<Issue>) -> Vec<Issue> {
    let below = |issue: Issue| {
        let dot = if issue.path.is_empty() { "" } else { "." };
        Issue { path: format!("{key}{dot}{}", issue.path), ..issue }
    };
    issues.into_iter().map(below).collect()
}

/// An object whose fields are taken one after the other: those of a body, or those of a description, which has none.
#[derive(Default)]
pub(super) struct Fields {
    fields: BTreeMap<String, Box<RawValue>>,
    issues: Vec<Issue>,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl Fields {
    /// Reads a body. One without a byte is an empty object.
    ///
    /// # Errors
    ///
    /// All problems of the body.
    pub(super) fn read<T>(
        body: Vec<u8>,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<T, Refusal> {
        let text = String::from_utf8(body).map_err(|_| Refusal::NOT_UTF8)?;
        let mut fields = Self::of(if text.is_empty() { "{}" } else { &text }).map_err(refused)?;
        let made = read(&mut fields);

        let unread = std::mem::take(&mut fields.fields).into_keys().map(|key| {
            let message = "expected no such field, found one".into();
            Issue::new(key.chars().take(64).collect(), IssueCode::Unknown, message)
        });
        fields.issues.extend(unread);
        match made {
            Some(made) if fields.issues.is_empty() => Ok(made),
            _ => Err(refused(fields.issues)),
        }
    }

    /// The schema of the body that this reads.
    pub(super) fn describe<T>(read: impl FnOnce(&mut Self) -> Option<T>) -> Value {
        let mut fields = Self::default();
        let _nothing = read(&mut fields);
        let mut schema = json!({
            "type": "object",
            "properties": fields.properties,
            // The server refuses a field that it does not know.
            "additionalProperties": false,
        });
        if let (Some(schema), false) = (schema.as_object_mut(), fields.required.is_empty()) {
            schema.insert("required".into(), json!(fields.required));
        }
        schema
    }

    fn of(text: &str) -> Result<Self, Vec<Issue>> {
        let value: &RawValue = serde_json::from_str(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            issue(
                IssueCode::Syntax,
                format!("expected JSON, found an error at line {line} column {column}"),
            )
        })?;
        let Entries { fields, twice } = of_type(value, "an object")?;
        let twice = twice.into_iter().map(|key| {
            let message = "expected each field once, found it again".into();
            Issue::new(key.chars().take(64).collect(), IssueCode::Duplicate, message)
        });
        Ok(Self { fields, issues: twice.collect(), ..Self::default() })
    }

    /// A field that must be there.
    pub(super) fn required<T: 'static>(&mut self, key: &'static str, kind: Kind<T>) -> Option<T> {
        self.required.push(key);
        let value = self.optional(key, kind)?;
        if value.is_none() {
            self.push(key, IssueCode::Missing, "expected a value, found none".into());
        }
        value
    }

    /// A field that can be absent; `None` if its value has a problem.
    #[expect(clippy::option_option, reason = "absent is another answer than wrong")]
    pub(super) fn optional<T: 'static>(
        &mut self,
        key: &'static str,
        kind: Kind<T>,
    ) -> Option<Option<T>> {
        self.properties.insert(key.into(), kind.schema.clone());
        let Some(value) = self.fields.remove(key) else { return Some(None) };
        let read = kind.read(&value).map_err(|issues| below(key, issues));
        read.map(Some).map_err(|issues| self.issues.extend(issues)).ok()
    }

    pub(super) fn push(&mut self, path: &str, code: IssueCode, message: String) {
        self.issues.push(Issue::new(path.into(), code, message));
    }
}

/// The fields of an object, and those that are there again.
struct Entries {
    fields: BTreeMap<String, Box<RawValue>>,
    twice: Vec<String>,
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self { fields: BTreeMap::new(), twice: Vec::new() })
    }
}

impl<'de> Visitor<'de> for Entries {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
            if self.fields.insert(key.clone(), value).is_some() {
                self.twice.push(key);
            }
        }
        Ok(self)
    }
}

/// A text that was found, and is no secret: its first characters.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 64;
    let cut: String = text.chars().take(MOST).collect();
    let rest = if cut.len() < text.len() { "…" } else { "" };
    format!("`{cut}{rest}`")
}

/// The refusal of a request with these problems.
pub(super) fn refused(mut issues: Vec<Issue>) -> Refusal {
    issues.truncate(MOST_ISSUES);
    // The core reads refusals of its own: this is one.
    let issues = serde_json::to_value(issues).unwrap_or_default();
    let written = json!({ "refused": "bad-request", "issues": issues }).to_string();
    written.parse().unwrap_or(Refusal::FAILED)
}
