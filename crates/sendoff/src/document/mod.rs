//! One way to read every document: strict JSON as a tree, and fields taken from it by name.
//!
//! A document's reader names each field once ([`Object::required`], [`Object::optional`]) and reads on past a
//! problem, so that all of them are found in one pass. A path or a message is only made when something is wrong.
//! serde's derive is not used for input: it stops at the first problem, knows no path and lets the last of two equal
//! keys win.

mod from_serde;
mod integer;
mod node;
mod object;
mod parser;
pub(crate) mod schema;

pub(crate) use from_serde::deserialize;
pub(crate) use integer::{Integer, MAX_SAFE};
pub(crate) use node::{Node, bounded};
pub(crate) use object::Object;

use alloc::{format, string::String, vec::Vec};

use serde::Serialize;

use crate::error::{Code, Error, Issues, Path};

/// What can be read from a part of a document.
pub(crate) trait Read: Sized {
    /// What belongs here, in words: `expected …`.
    const EXPECTED: &'static str;

    /// The value; `None` when an issue was pushed instead.
    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self>;

    /// The value of a field that is not there; none where the field is required.
    fn absent() -> Option<Self> {
        None
    }

    /// An issue of code `type`.
    fn mistyped(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        push_mistyped(node, Self::EXPECTED, at, issues);
        None
    }
}

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

/// A document of its own: the value, or every problem of the text.
pub(crate) fn read_document<T: Read>(text: &str) -> Result<T, Error> {
    let mut issues = Issues::default();
    let value = read_text(text, &Path::Root, &mut issues);
    issues.or(value)
}

/// The one way in which answers are written: compact JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> String {
    // Writing to a string fails for keys that are no text and for maps of unknown length; none is written here.
    serde_json::to_string(value).unwrap_or_default()
}

impl Read for bool {
    const EXPECTED: &'static str = "true or false";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        match node {
            Node::Bool(value) => Some(*value),
            other => Self::mistyped(other, at, issues),
        }
    }
}

impl Read for String {
    const EXPECTED: &'static str = "text";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        match node {
            Node::Text(text) => Some(text.clone().into_owned()),
            other => Self::mistyped(other, at, issues),
        }
    }
}

impl<T: Read> Read for Vec<T> {
    const EXPECTED: &'static str = "an array";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let Node::List(items) = node else { return Self::mistyped(node, at, issues) };
        let mut values = Some(Vec::with_capacity(items.len()));
        for (index, item) in items.iter().enumerate() {
            match (T::read(item, &Path::Item(at, index), issues), &mut values) {
                (Some(value), Some(list)) => list.push(value),
                _ => values = None,
            }
        }
        values
    }
}

/// A document whose fields are all plain: the struct, its place in other documents, serde and its schema, from one
/// definition.
///
/// `"key" => field: Type` names a field in JSON and in Rust. What an absent field means is its type's
/// ([`Read::absent`]).
macro_rules! document {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $name:ident: $expected:literal $(, absent means $absent:ident)? {
            $($(#[doc = $field_doc:literal])* $key:literal => $field:ident: $type:ty,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        $(#[derive($($derive),*)])?
        $vis struct $name {
            $($(#[doc = $field_doc])* #[serde(rename = $key)] pub $field: $type,)*
        }

        impl $crate::document::Read for $name {
            const EXPECTED: &'static str = $expected;

            fn read(
                node: &$crate::document::Node<'_>,
                at: &$crate::error::Path<'_>,
                issues: &mut $crate::error::Issues,
            ) -> Option<Self> {
                let mut object = $crate::document::Object::open::<Self>(node, at, issues)?;
                let fields = ($(object.required::<$type>($key),)*);
                object.close();
                // One match: a `?` for each field would drop those before it in as many ways as there are fields.
                match fields {
                    ($(Some($field),)*) => Some(Self { $($field),* }),
                    _ => None,
                }
            }

            $(fn absent() -> Option<Self> {
                Some(Self::$absent())
            })?
        }

        $crate::document::schema::of!($name, |generator| {
            $crate::document::schema::Fields::new(generator)
                $(.read::<$type>($key, concat!($($field_doc, "\n"),*)))*
                .close(concat!($($doc, "\n"),*))
        });

        $crate::document::from_document!($name);
    };
}
pub(crate) use document;

/// `FromStr` from JSON text, and serde's `Deserialize`, through the type's one reader.
macro_rules! from_document {
    ($name:ident) => {
        impl core::str::FromStr for $name {
            type Err = $crate::error::Error;

            /// Reads JSON text; every problem of it is in the error.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::document::read_document(text)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::document::deserialize(deserializer)
            }
        }
    };
}
pub(crate) use from_document;
