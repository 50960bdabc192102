//! The reader of values: one function for all tables.

use alloc::vec::Vec;

use super::integer::{Whole, in_bounds};
use super::node::Field;
use super::object::{read_choice, read_record};
use super::{Count, Is, Kind, Node, Nothing, Pairs, Texts, Value, bounded, push_mistyped, text_of};
use crate::error::{IssueCode, Issues, Path, Wanted};
use crate::text::fill;
use crate::value::ParseError;

/// How strictly a document is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reading {
    /// An unknown field is a problem.
    Strict,
    /// The same, but a text that is no label is absent.
    Labels,
    /// A reply: unknown fields are ignored, and null counts as an empty array.
    Reply,
    /// A reply to a request of this intent type, as which the details are read.
    ReplyTo(&'static str),
}

impl Reading {
    pub(super) const fn is_reply(self) -> bool {
        matches!(self, Self::Reply | Self::ReplyTo(_))
    }
}

/// Reads what can be read of a value, and pushes an issue for every other part.
pub(crate) fn read_value(node: &Node<'_>, is: &Is, at: &Path<'_>, issues: &mut Issues) -> Value {
    read_part(node, is, Reading::Strict, at, issues)
}

/// The same for a part of a document that is read in this way.
pub(crate) fn read_part(
    node: &Node<'_>,
    is: &Is,
    reading: Reading,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Value {
    match (is, node) {
        (Is::Flag | Is::FlagOr(_), Node::Bool(flag)) => return Value::Flag(*flag),
        (Is::FlagOr(kind), Node::Text(text)) => return checked(text, kind, at, issues),
        (Is::Integer(bounds), Node::Number(number)) => {
            let value = in_bounds(Whole::of(number), bounds.least, bounds.most, at, issues);
            return value.map_or(Value::Unread, Value::Integer);
        }
        (Is::Integer(_), _) => {
            push_mistyped(node, &Wanted { words: "an integer", kind: "" }, at, issues)
        }
        (Is::Text(kind), _) if kind.is_label && reading == Reading::Labels => {
            let text = text_of(node, &kind.wanted, at, issues);
            return text.map_or(Value::Unread, |text| (kind.read)(text).unwrap_or(Value::Absent));
        }
        (Is::Text(kind), _) => return read_kind(node, kind, at, issues),
        (Is::Keyword(texts), _) => {
            let text = text_of(node, &texts.wanted, at, issues);
            return text.map_or(Value::Unread, |text| keyword(text, texts, at, issues));
        }
        (Is::Record(table) | Is::Group(table), _) => {
            return read_record(node, table, reading, at, issues);
        }
        (Is::Choice(choice), _) => return read_choice(node, choice, reading, at, issues),
        (Is::Nullable(_), Node::Null) => return Value::Null,
        (Is::Nullable(is), _) => return read_part(node, is, reading, at, issues),
        (Is::Json, _) => return Value::Json(node.to_json().into()),
        (Is::List(item), Node::List(items)) => {
            return whole(read_items(items, item, reading, at, issues));
        }
        // Live servers send null for an empty array.
        (Is::List(_), Node::Null) if reading.is_reply() => return Value::List(Vec::new()),
        (Is::Counted(count), Node::List(items)) => {
            return read_counted(items, count, reading, at, issues);
        }
        (Is::Nothing(_), Node::Null) if reading.is_reply() => {
            return Value::List(Vec::new());
        }
        (Is::Nothing(Nothing { template, .. }), Node::List(items)) => {
            if !items.is_empty() {
                issues.push(at, IssueCode::Range, fill(template, &[&items.len()]));
            }
            return Value::List(Vec::new());
        }
        (Is::Nothing(_), _) => {
            push_mistyped(node, &Wanted { words: "an array", kind: "" }, at, issues)
        }
        (Is::Pairs(pairs), Node::Object(fields)) => {
            return read_pairs(fields, pairs, reading, at, issues);
        }
        _ => push_mistyped(node, &is.wanted(), at, issues),
    }

    Value::Unread
}

/// Reads an argument that is plain text. It is no part of a document, so that a module with such functions alone has no reader
/// of documents.
pub(crate) fn read_plain(text: &str, is: &Is, at: &Path<'_>, issues: &mut Issues) -> Value {
    match (is, bounded(text, at, issues)) {
        (Is::Text(kind), Some(text)) => checked(text, kind, at, issues),
        (Is::Keyword(texts), Some(text)) => keyword(text, texts, at, issues),
        _ => Value::Unread,
    }
}

fn keyword(text: &str, texts: &Texts, at: &Path<'_>, issues: &mut Issues) -> Value {
    let known = texts.list.iter().find(|known| **known == text);
    known.map_or_else(
        || {
            ParseError::FORMAT.push(text, &texts.wanted, at, issues);
            Value::Unread
        },
        |known| Value::Keyword(known),
    )
}

/// Reads a text of a kind.
fn read_kind(node: &Node<'_>, kind: &Kind, at: &Path<'_>, issues: &mut Issues) -> Value {
    text_of(node, &kind.wanted, at, issues)
        .map_or(Value::Unread, |text| checked(text, kind, at, issues))
}

fn checked(text: &str, kind: &Kind, at: &Path<'_>, issues: &mut Issues) -> Value {
    (kind.read)(text).unwrap_or_else(|fault| {
        fault.push(text, &kind.wanted, at, issues);
        Value::Unread
    })
}

fn read_items(
    items: &[Node<'_>],
    item: &Is,
    reading: Reading,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Vec<Value> {
    let mut values = Vec::with_capacity(items.len());
    for (index, node) in items.iter().enumerate() {
        values.push(read_part(node, item, reading, &Path::Item(at, index), issues));
    }
    values
}

/// A list of which every item could be read.
fn whole(values: Vec<Value>) -> Value {
    if values.iter().all(Value::is_whole) { Value::List(values) } else { Value::Unread }
}

fn read_counted(
    items: &[Node<'_>],
    count: &Count,
    reading: Reading,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Value {
    if count.is_first {
        count.check(items.len(), at, issues);
    }
    let mut values = read_items(items, count.item, reading, at, issues);
    if !count.is_first {
        count.check(items.len(), at, issues);
    }

    if !count.fits(items.len()) {
        values.push(Value::Unread);
    }
    if count.in_parts { Value::List(values) } else { whole(values) }
}

impl Count {
    const fn fits(&self, count: usize) -> bool {
        self.least <= count && count <= self.most
    }

    /// Pushes an issue of code `range` if a list has another number of items.
    pub(crate) fn check(&self, count: usize, at: &Path<'_>, issues: &mut Issues) {
        if !self.fits(count) {
            let message = match self.expected {
                "" => fill("expected at most {} items, found {}", &[&self.most, &count]),
                expected => fill("expected {}, found {}", &[&expected, &count]),
            };
            issues.push(at, IssueCode::Range, message);
        }
    }
}

fn read_pairs(
    fields: &[Field<'_>],
    pairs: &Pairs,
    reading: Reading,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Value {
    let pair = |field: &Field<'_>| {
        let at = &Path::Field(at, &field.key);
        // In a reply to a request a rule checks the key, even if it could not be read.
        let read_key = if let Reading::ReplyTo(_) = reading {
            (pairs.key.read)(&field.key).unwrap_or_default()
        } else {
            bounded(&field.key, at, issues)
                .map_or(Value::Unread, |text| checked(text, pairs.key, at, issues))
        };
        let value = read_kind(&field.node, pairs.value, at, issues);
        (field.key.clone().into(), if read_key.is_whole() { value } else { Value::Unread })
    };
    Value::Pairs(fields.iter().map(pair).collect())
}
