//! One description of every document, and what follows from it.
//!
//! A document is described by its fields, in [`document!`](document): each is one row. From the rows come its reader, its
//! writer, the comparison of two of its kind, serde's traits and its schema. Readers take strict JSON as a tree, take the
//! fields by name and read on past a problem, so that all problems are found in one pass. A path or a message is only
//! made when something is wrong. serde's derive is not used for input: it stops at the first problem, knows no path and
//! lets the last of two equal keys win. serde_json does not write answers: a writer made of the rows knows which texts
//! need no escapes, copies each part once, and is smaller in WebAssembly.

mod answer;
mod compare;
mod describe;
mod firsts;
mod from_serde;
mod group;
mod integer;
mod node;
mod object;
mod parser;
pub(crate) mod schema;
mod write;

pub(crate) use answer::{answer, tagged_answer, written_as};
pub(crate) use compare::{Compare, Differ, compare_whole};
pub(crate) use describe::{document, from_document};
pub(crate) use firsts::{Key, firsts};
pub(crate) use from_serde::deserialize;
pub(crate) use group::{Group, Keys};
pub(crate) use integer::{Integer, MAX_SAFE, number_value};
pub(crate) use node::{Node, bounded};
pub(crate) use object::Object;
pub(crate) use write::{Write, escape, serialize_field, to_json, write_field, write_key};

use alloc::{format, string::String, vec::Vec};

use crate::error::{Code, Error, Issues, Path};

/// What can be read from a part of a document.
pub(crate) trait Read: Sized {
    /// What belongs here, in words: `expected …`.
    const EXPECTED: &'static str;

    /// What could be read of it: the fields of a document one by one, any other value whole or not at all.
    type Partial: Default;

    /// What can be read; an issue was pushed for everything else.
    fn read_partial(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Self::Partial;

    /// The value, if all of it could be read.
    fn whole(partial: Self::Partial) -> Option<Self>;

    /// All of the value.
    fn into_partial(self) -> Self::Partial;

    /// The value; `None` when an issue was pushed instead.
    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self>;

    /// Default for an absent field; `None` if the field is required.
    fn absent() -> Option<Self> {
        None
    }

    /// An issue of code `type`.
    fn mistyped(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        push_mistyped(node, Self::EXPECTED, at, issues);
        None
    }
}

/// The part of [`Read`] that a value has which is read whole or not at all: all but `EXPECTED` and `read`.
macro_rules! undivided {
    () => {
        type Partial = Option<Self>;

        fn read_partial(
            node: &$crate::document::Node<'_>,
            at: &$crate::error::Path<'_>,
            issues: &mut $crate::error::Issues,
        ) -> Option<Self> {
            Self::read(node, at, issues)
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

#[cold]
#[inline(never)]
fn push_mistyped(node: &Node<'_>, expected: &str, at: &Path<'_>, issues: &mut Issues) {
    issues.push(at, Code::Type, format!("expected {expected}, found {}", node.kind()));
}

/// The text of a node, or an issue of code `type`.
#[inline(never)]
pub(crate) fn text_of<'n>(node: &'n Node<'_>, expected: &str, at: &Path<'_>, issues: &mut Issues) -> Option<&'n str> {
    if let Node::Text(text) = node {
        return Some(text);
    }
    push_mistyped(node, expected, at, issues);
    None
}

/// A document given as JSON text, from its root.
pub(crate) fn read_text<T: Read>(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<T> {
    T::read(&Node::parse(text, at, issues)?, at, issues)
}

/// What can be read of a document given as JSON text.
pub(crate) fn read_parts<T: Read>(text: &str, at: &Path<'_>, issues: &mut Issues) -> T::Partial {
    Node::parse(text, at, issues).map_or_else(T::Partial::default, |node| T::read_partial(&node, at, issues))
}

/// A document of its own: the value, or every problem of the text.
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
        text_of(node, Self::EXPECTED, at, issues).map(Into::into)
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

/// A value, or null for none.
pub(crate) struct Nullable<T>(pub(crate) Option<T>);

impl<T: Read> Read for Nullable<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        if matches!(node, Node::Null) {
            Some(Self(None))
        } else {
            T::read(node, at, issues).map(|value| Self(Some(value)))
        }
    }
}

/// A field that may be absent.
impl<T: Read> Read for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        T::read(node, at, issues).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}
