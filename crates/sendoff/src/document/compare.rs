//! Comparison of values, field by field: one function for all tables.

use alloc::string::String;

use super::{Value, Write, to_json};
use crate::error::{Excerpt, Path};
use crate::text::{WriteText, fill};

/// The expected value and the value found, for people.
pub(crate) type Values = (String, String);

/// Receives each innermost field that differs, with its place.
pub(crate) type Differ<'d> = &'d mut dyn FnMut(&Path<'_>, Values);

/// Reports to `differ` each innermost part of `found` that is not as expected. Parts that could not be read on one of the two
/// sides are skipped. Lists of different lengths differ as a whole, and details of different intents by their type.
pub(crate) fn compare(expected: &Value, found: &Value, at: &Path<'_>, differ: Differ<'_>) {
    match (expected, found) {
        (Value::Unread, _) | (_, Value::Unread) => {}
        (Value::Record(expected, table), Value::Record(found, other)) => {
            if table == other {
                for ((row, expected), found) in table.rows.iter().zip(expected).zip(found) {
                    compare(expected, found, &Path::Field(at, row.key), differ);
                }
            }
        }
        (Value::List(expected), Value::List(found)) if expected.len() == found.len() => {
            for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
                compare(expected, found, &Path::Item(at, index), differ);
            }
        }
        (Value::List(expected), Value::List(found)) => {
            let items = |list: &[Value]| fill("{} in a list", &[&list.len()]);
            differ(at, (items(expected), items(found)));
        }
        _ if expected == found => {}
        _ => differ(at, (shown(expected), shown(found))),
    }
}

/// Returns at most 64 characters of a value.
#[cold]
#[inline(never)]
fn shown(value: &dyn Write) -> String {
    let json = to_json(value);
    let text = json.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&json);
    let shown = Excerpt(text).to_text();
    let shown = shown.strip_prefix('`').unwrap_or(&shown);
    shown.strip_suffix('`').unwrap_or(shown).into()
}
