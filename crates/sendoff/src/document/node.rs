//! A JSON value as a tree.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::cell::Cell;

use super::{Read, Write, escape};
use crate::error::{IssueCode, Issues, Path};
use crate::first_equal::{Key, first_equal};
use crate::text::fill;

/// The longest text that is read, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// Checks that a text is within the limit of every input.
pub(crate) fn bounded<'t>(text: &'t str, at: &Path<'_>, issues: &mut Issues) -> Option<&'t str> {
    if text.len() > MAX_TEXT {
        let message =
            fill("expected text of at most {} bytes, found {}", &[&MAX_TEXT, &text.len()]);
        issues.push(at, IssueCode::Range, message);
        return None;
    }
    Some(text)
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node<'a> {
    Null,
    Bool(bool),
    /// The number as written.
    Number(Cow<'a, str>),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Object(Vec<Field<'a>>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<'a> {
    pub(crate) key: Cow<'a, str>,
    pub(crate) node: Node<'a>,
    /// The key occurs again later; only the first is kept.
    pub(super) duplicate: bool,
    /// A reader took this field. Fields that no reader took do not belong in the document.
    pub(super) taken: Cell<bool>,
}

impl<'a> Field<'a> {
    pub(super) const fn new(key: Cow<'a, str>, node: Node<'a>) -> Self {
        Self { key, node, duplicate: false, taken: Cell::new(false) }
    }
}

impl<'a> Node<'a> {
    /// The kind of the value, in words for a message.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The value of a key, if this is an object and the key occurs once.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(fields) = self else { return None };
        fields.iter().find(|field| field.key == key && !field.duplicate).map(|field| &field.node)
    }

    /// The text, if this is text.
    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The part as a value if it can be read; another reader reports its problems.
    pub(crate) fn read<T: Read>(&self) -> Option<T> {
        T::read(self, &Path::Root, &mut Issues::default())
    }

    /// The tree as compact JSON text: keys in their order, numbers as written.
    pub(crate) fn to_json(&self) -> String {
        super::to_json(self)
    }

    pub(super) fn push_duplicates(&self, at: &Path<'_>, issues: &mut Issues) {
        match self {
            Self::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.push_duplicates(&Path::Item(at, index), issues);
                }
            }
            Self::Object(fields) => {
                for field in fields {
                    let at = Path::Field(at, &field.key);
                    if field.duplicate {
                        let message = "expected each key once, found it twice";
                        issues.push(&at, IssueCode::Duplicate, message.into());
                    }
                    field.node.push_duplicates(&at, issues);
                }
            }
            _ => {}
        }
    }
}

impl Write for Node<'_> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(value) => value.write(out),
            Self::Number(number) => out.extend_from_slice(number.as_bytes()),
            Self::Text(text) => escape(text, out),
            Self::List(items) => items.as_slice().write(out),
            Self::Object(fields) => {
                out.push(b'{');
                for (at, field) in fields.iter().enumerate() {
                    if at > 0 {
                        out.push(b',');
                    }
                    escape(&field.key, out);
                    out.push(b':');
                    field.node.write(out);
                }
                out.push(b'}');
            }
        }
    }
}

/// Keeps the first of equal keys, marked, and returns whether there were any.
pub(super) fn merge_equal_keys(fields: &mut Vec<Field<'_>>) -> bool {
    // Almost every object is small, and then comparing each pair is the fastest way. A large one is
    // sorted: a document of a million bytes must not cost a billion comparisons.
    const SMALL: usize = 16;

    let fields_at = || fields.iter().enumerate();
    let again: Vec<(usize, usize)> = if fields.len() <= SMALL {
        let again = |(later, field): (usize, &Field<'_>)| {
            let mut earlier = fields.iter().take(later);
            Some((earlier.position(|earlier| earlier.key == field.key)?, later))
        };
        fields_at().filter_map(again).collect()
    } else {
        let keys: Vec<Key<'_>> = fields.iter().map(|field| (None, &*field.key, None)).collect();
        let first = first_equal(&keys).into_iter().zip(0..);
        first.filter(|(first, at)| first != at).collect()
    };

    for (first, _) in &again {
        if let Some(field) = fields.get_mut(*first) {
            field.duplicate = true;
        }
    }

    let mut drop = again.iter().map(|(_, later)| *later).peekable();
    let mut at = 0_usize;

    fields.retain(|_| {
        let keep = drop.next_if_eq(&at).is_none();
        at = at.saturating_add(1);
        keep
    });
    !again.is_empty()
}
