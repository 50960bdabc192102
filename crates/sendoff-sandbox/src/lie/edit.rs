//! Changes of JSON.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::operation::other_account;

/// A change of a document. A place is a JSON Pointer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Edit {
    /// A place has this value, whether something was there or not.
    Set(String, Value),
    /// Nothing is at a place.
    Removed(String),
    /// The second place has the text of the first, if there is one.
    Copied(String, String),
    /// The values at two places change places.
    Exchanged(String, String),
    /// The value at a place changes.
    At(String, Change),
    /// Fields with one of these names change.
    Each { keys: Vec<String>, to: Change },
    /// Every text changes.
    Every(Change),
    /// Every list, the outermost only, changes.
    Lists(Change),
}

/// A change of a value, if it is of the right type.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Change {
    /// Another value.
    Value(Value),
    /// The other value of a flag.
    Switched,
    /// A text that is so many characters shorter.
    Cut(usize),
    /// A text with something before and behind it.
    Around {
        #[serde(default)]
        before: String,
        #[serde(default)]
        behind: String,
    },
    /// Another word for one of these.
    Reworded(BTreeMap<String, String>),
    /// Bytes that have these digits from a byte on. Those that are too short stay as they are.
    Bytes(usize, String),
    /// The other account of an account's key.
    OtherAccount,
    /// Another digit at the end of a text.
    OtherEnd,
    /// Seconds for milliseconds, and the other way round.
    OtherUnit,
    /// A letter of an address in another case.
    Checksum,
    /// A state that is not in any list.
    Completed,
    Doubled,
    /// The first item is there again, before it.
    Repeated,
    /// The last item is missing, if there are several.
    Shortened,
}

impl Edit {
    /// Changes a document.
    pub(super) fn make(&self, body: &mut Value) {
        match self {
            Self::Set(place, value) => set(body, place, value.clone()),
            Self::Removed(place) => {
                if let Some((fields, key)) = fields(body, place) {
                    fields.remove(key);
                }
            }
            Self::Copied(from, to) => {
                if let Some(text @ Value::String(_)) = body.pointer(from).cloned() {
                    set(body, to, text);
                }
            }
            Self::Exchanged(one, other) => {
                let values = body.pointer(one).cloned().zip(body.pointer(other).cloned());
                if let Some((first, second)) = values {
                    body.pointer_mut(one).into_iter().for_each(|at| at.clone_from(&second));
                    body.pointer_mut(other).into_iter().for_each(|at| at.clone_from(&first));
                }
            }
            Self::At(place, to) => body.pointer_mut(place).into_iter().for_each(|at| to.make(at)),
            Self::Each { keys, to } => {
                to.spread(body, "", &|key, _| keys.iter().any(|it| it == key))
            }
            Self::Every(to) => to.spread(body, "", &|_, value| value.is_string()),
            Self::Lists(to) => to.spread(body, "", &|_, value| value.is_array()),
        }
    }
}

impl Change {
    /// Changes the outermost values that are asked for, by their keys and by themselves.
    fn spread(&self, value: &mut Value, key: &str, is_asked: &dyn Fn(&str, &Value) -> bool) {
        match value {
            value if is_asked(key, value) => self.make(value),
            Value::Array(items) => items.iter_mut().for_each(|it| self.spread(it, "", is_asked)),
            Value::Object(fields) => {
                fields.iter_mut().for_each(|(key, it)| self.spread(it, key, is_asked));
            }
            _ => {}
        }
    }

    fn make(&self, value: &mut Value) {
        match (self, value) {
            (Self::Value(other), value) => value.clone_from(other),
            (Self::Switched, Value::Bool(flag)) => *flag = !*flag,
            (Self::Cut(count), Value::String(text)) => {
                let end = text.len().saturating_sub(*count);
                *text = text.get(..end).unwrap_or_default().into();
            }
            (Self::Around { before, behind }, Value::String(text)) => {
                *text = format!("{before}{text}{behind}");
            }
            (Self::Reworded(words), Value::String(text)) => {
                words.get(text).into_iter().for_each(|other| text.clone_from(other));
            }
            (Self::Bytes(at, digits), Value::String(data)) => {
                let at = at.saturating_mul(2).saturating_add(2);
                let around = data.get(..at).zip(data.get(at.saturating_add(digits.len())..));
                if let Some((before, after)) = around {
                    *data = [before, digits, after].concat();
                }
            }
            (Self::OtherAccount, Value::String(account)) => *account = other_account(account),
            (Self::OtherEnd, Value::String(text)) => {
                let last = text.pop();
                text.push(if last == Some('0') { '1' } else { '0' });
            }
            (Self::OtherUnit, value) => {
                let number = value.as_u64().unwrap_or_default();
                let is_ms = number > 100_000_000_000;
                *value = if is_ms { number / 1_000 } else { number.saturating_mul(1_000) }.into();
            }
            (Self::Checksum, Value::String(text)) => *text = text.replacen('b', "B", 1),
            (Self::Completed, value) if *value != "success" => *value = "COMPLETED".into(),
            (Self::Doubled, Value::Array(items)) => items.extend(items.clone()),
            (Self::Repeated, Value::Array(items)) => {
                *items = items.iter().take(1).chain(&*items).cloned().collect();
            }
            (Self::Shortened, Value::Array(items)) if items.len() > 1 => drop(items.pop()),
            // A value of another type stays as it is.
            _ => {}
        }
    }
}

/// The object and the key of a place, if there is an object for it.
fn fields<'a, 'p>(
    body: &'a mut Value,
    place: &'p str,
) -> Option<(&'a mut Map<String, Value>, &'p str)> {
    let (part, key) = place.rsplit_once('/')?;
    Some((body.pointer_mut(part)?.as_object_mut()?, key))
}

fn set(body: &mut Value, place: &str, value: Value) {
    if let Some((fields, key)) = fields(body, place) {
        fields.insert(key.into(), value);
    }
}
