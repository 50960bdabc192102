//! One description of every document, and the code that is made from it.
//!
//! [`document!`](document) describes a document by its fields, one row each. From the rows come its reader, its writer,
//! the comparison of two documents, serde's traits and its schema. Readers parse strict JSON to a tree, take the fields
//! by name and continue after a problem, so one pass finds all problems. A path or a message is only built if there is
//! a problem. serde's derive is not used for input: it stops at the first problem, knows no path and lets the last of
//! two equal keys win. serde_json does not write answers: our writer knows from the rows which texts need no escapes,
//! copies each part once, and is smaller in WebAssembly.

mod answer;
mod compare;
mod describe;
mod firsts;
mod from_serde;
mod group;
mod integer;
mod items;
mod node;
mod object;
mod parser;
mod part;
pub(crate) mod schema;
mod write;

pub(crate) use answer::{answer, tagged_answer, written_as};
pub(crate) use compare::{Compare, Differ, compare_whole};
pub(crate) use describe::{document, from_document};
pub(crate) use firsts::{Key, firsts};
pub(crate) use from_serde::deserialize;
pub(crate) use group::{Group, Keys};
pub(crate) use integer::{Integer, MAX_SAFE, number_value};
pub(crate) use items::Items;
pub(crate) use node::{Node, bounded};
pub(crate) use object::Object;
pub(crate) use part::{Document, Part, TypedPart};
pub(crate) use write::{Write, escape, serialize_field, to_json, write_field, write_key};

use alloc::{string::String, vec::Vec};

use crate::error::{Error, IssueCode, Issues, Path, Wanted};

/// A value that can be read from a part of a document.
pub(crate) trait Read: Sized {
    /// The words after `expected`.
    const EXPECTED: &'static str;

    /// The name of the type in issues; empty if it has none.
    const KIND: &'static str = "";

    /// Both.
    const WANTED: &'static Wanted = &Wanted { words: Self::EXPECTED, kind: Self::KIND };

    /// The parts that could be read: the fields of a document one by one; any other value whole or not at all.
    type Partial: Default;

    /// Reads what can be read into `parts`, which are empty, and pushes an issue for every other part. A field's reader is
    /// given its place, so that one function can take every field of an object ([`Object::take_with`]).
    fn read_partial(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues, parts: &mut Self::Partial);

    /// Returns the value if all of its parts could be read.
    fn whole(partial: Self::Partial) -> Option<Self>;

    /// Returns the parts of a whole value.
    fn into_partial(self) -> Self::Partial;

    /// Reads the value; returns `None` if an issue was pushed instead.
    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self>;

    /// Default for an absent field; `None` if the field is required.
    fn absent() -> Option<Self::Partial> {
        None
    }

    /// Pushes an issue of code `type`.
    fn mistyped(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        push_mistyped(node, Self::WANTED, at, issues);
        None
    }
}

/// The part of [`Read`] for a value that is read whole or not at all: everything but `EXPECTED` and `read`. A function that
/// reads into parts can be named.
macro_rules! undivided {
    () => {
        $crate::document::undivided!($crate::document::read_whole);
    };
    ($read_partial:path) => {
        type Partial = Option<Self>;

        fn read_partial(
            node: &$crate::document::Node<'_>,
            at: &$crate::error::Path<'_>,
            issues: &mut $crate::error::Issues,
            parts: &mut Option<Self>,
        ) {
            $read_partial(node, at, issues, parts);
        }

        fn whole(partial: Option<Self>) -> Option<Self> {
            partial
        }

        fn into_partial(self) -> Option<Self> {
            Some(self)
        }
    };
}
pub(crate) use undivided;

pub(crate) fn read_whole<T: Read>(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues, parts: &mut Option<T>) {
    *parts = T::read(node, at, issues);
}

#[cold]
#[inline(never)]
fn push_mistyped(node: &Node<'_>, wanted: &Wanted, at: &Path<'_>, issues: &mut Issues) {
    issues.push_wanted(at, IssueCode::Type, wanted, node.kind());
}

/// The text of a node, or an issue of code `type`.
#[inline(never)]
pub(crate) fn text_of<'n>(node: &'n Node<'_>, wanted: &Wanted, at: &Path<'_>, issues: &mut Issues) -> Option<&'n str> {
    if let Node::Text(text) = node {
        return bounded(text, at, issues);
    }
    push_mistyped(node, wanted, at, issues);
    None
}

/// Reads a document from JSON text, from its root.
pub(crate) fn read_text<T: Read>(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
    T::read(&Node::parse(text, at, issues)?, at, issues)
}

/// Returns the parts of a document in JSON text that could be read.
pub(crate) fn read_parts<T: Read>(text: &str, at: &Path<'_>, issues: &mut Issues) -> T::Partial {
    let mut parts = T::Partial::default();
    if let Some(node) = Node::parse(text, at, issues) {
        T::read_partial(&node, at, issues, &mut parts);
    }
    parts
}

/// Reads a document by itself: returns the value, or every problem of the text.
pub(crate) fn read_document<T: Read>(text: &str) -> Result<T, Error> {
    let mut issues = Issues::default();
    let value = read_text(text, &Path::Root, &mut issues);
    issues.or(value)
}

impl Read for bool {
    const EXPECTED: &'static str = "true or false";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        match node {
            Node::Bool(value) => Some(*value),
            other => Self::mistyped(other, at, issues),
        }
    }
}

impl Read for String {
    const EXPECTED: &'static str = "text";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        text_of(node, Self::WANTED, at, issues).map(Into::into)
    }
}

impl<T: Read> Read for Vec<T> {
    const EXPECTED: &'static str = "an array";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let items = match node {
            Node::List(items) => &**items,
            // Live servers send null for an empty array.
            Node::Null if issues.reply_to.is_some() => &[],
            other => return Self::mistyped(other, at, issues),
        };
        let mut values = Some(Self::with_capacity(items.len()));
        for (index, item) in items.iter().enumerate() {
            match (T::read(item, &Path::Item(at, index), issues), &mut values) {
                (Some(value), Some(list)) => list.push(value),
                _ => values = None,
            }
        }
        values
    }
}

/// A value, or null if there is none.
pub(crate) struct Nullable<T>(pub(crate) Option<T>);

impl<T: Read> Read for Nullable<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const KIND: &'static str = T::KIND;

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        if matches!(node, Node::Null) {
            Some(Self(None))
        } else {
            T::read(node, at, issues).map(|value| Self(Some(value)))
        }
    }
}

/// An optional field.
impl<T: Read> Read for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;
    const KIND: &'static str = T::KIND;

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        T::read(node, at, issues).map(Some)
    }

    fn absent() -> Option<Option<Self>> {
        Some(Some(None))
    }
}
