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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Valued as _, read_document};
    use crate::intent::Intent;
    use alloc::{format, vec::Vec};

    fn transfer(token: &str, amount: &str) -> Value {
        let text = format!(
            r#"{{"type":"TOKEN_TRANSFER","details":{{"caip2Id":"eip155:1","recipientWalletAddress":
            "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2","tokenAddress":"{token}","amount":"{amount}"}}}}"#
        );
        read_document::<Intent>(&text).unwrap().to_value()
    }

    fn differences(expected: &Value, found: &Value) -> Vec<(String, String, String)> {
        let mut list = Vec::new();
        let differ =
            &mut |at: &Path<'_>, (expected, found)| list.push((at.to_text(), expected, found));
        compare(expected, found, &Path::Root, differ);
        list
    }

    #[test]
    fn innermost_parts_differ() {
        let expected = transfer("", "5");
        assert_eq!(differences(&expected, &transfer("", "5")), []);
        assert_eq!(
            differences(&expected, &transfer("", "6")),
            [("details.amount".into(), "5".into(), "6".into())]
        );

        // The same address in other letters is equal.
        let [lower, upper] = [
            "0xabcdefabcdefabcdefabcdefabcdefabcdefabcd",
            "0xABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD",
        ];
        assert_eq!(differences(&transfer(lower, "5"), &transfer(upper, "5")), []);
    }

    #[test]
    fn what_was_not_read_is_skipped_and_lists_differ_as_a_whole() {
        let five = || Value::Integer(5);
        assert_eq!(differences(&Value::Unread, &five()), []);
        assert_eq!(differences(&five(), &Value::Unread), []);
        let (one, two) = (Value::List([five()].into()), Value::List([five(), five()].into()));
        assert_eq!(
            differences(&one, &two),
            [("".into(), "1 in a list".into(), "2 in a list".into())]
        );
        assert_eq!(differences(&Value::Absent, &five()), [("".into(), "null".into(), "5".into())]);
    }
}
