//! One description of every document, and the code that is made from it.
//!
//! [`document!`](document) describes a document by its fields, one row each. The rows are a table,
//! which is data: one reader, one writer and one comparison work on all tables, and the values that
//! they read are of one type. Structs, their JSON text, serde's traits and schemas come from the
//! same rows. The reader parses strict JSON to a tree, takes the fields by name and continues after
//! a problem, so one pass finds all problems. A path or a message is only built if there is a
//! problem. serde's derive is not used for input: it stops at the first problem, knows no path and
//! lets the last of two equal keys win. serde_json does not write answers: our writer knows from
//! the rows which texts need no escapes, copies each part once, and is smaller in WebAssembly.

mod parser;
mod node;
mod value;
mod record;
mod table;
mod field;
mod typed;
mod read;
mod object;
mod items;
mod integer;
mod compare;
mod write;
mod from_serde;
pub(crate) mod schema;
mod describe;
mod choice;

pub(crate) use choice::choice;
pub(crate) use compare::{Differ, Values, compare};
pub(crate) use describe::{document, traits};
pub(crate) use field::{Field, Listed, Parts, path_in, split};
pub(crate) use from_serde::deserialize;
pub(crate) use integer::{Integer, MAX_SAFE, check_integer};
pub(crate) use items::Items;
pub(crate) use node::{Node, bounded};
pub(crate) use read::{Reading, read_part, read_plain, read_value};
pub(crate) use record::{Fields, Record};
pub(crate) use schema::Said;
pub(crate) use table::{
    Bounds, Choice, Count, Is, Kind, Nothing, Others, Pairs, Presence, Row, Table, Texts, Union,
    equal, equal_bytes,
};
pub(crate) use typed::{Draft, Leaf, Nullable, Typed, Valued, checked, narrow, widen};
pub(crate) use value::Value;
pub(crate) use write::{Write, escape, to_json, write_as, write_field, write_key, write_object};

use crate::error::{Error, IssueCode, Issues, Path, Wanted};

/// What is read from a part of a document: a type, or its value.
pub(crate) trait Read: Sized {
    /// Reads the value; returns `None` if an issue was pushed instead.
    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self>;

    /// Reads a document from JSON text.
    fn of_text(text: &str, at: &Path<'_>, issues: &mut Issues) -> Option<Self>;
}

#[cold]
#[inline(never)]
fn push_mistyped(node: &Node<'_>, wanted: &Wanted, at: &Path<'_>, issues: &mut Issues) {
    issues.push_wanted(at, IssueCode::Type, wanted, node.kind());
}

/// The text of a node, or an issue of code `type`.
#[inline(never)]
pub(crate) fn text_of<'n>(
    node: &'n Node<'_>,
    wanted: &Wanted,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Option<&'n str> {
    if let Node::Text(text) = node {
        return bounded(text, at, issues);
    }
    push_mistyped(node, wanted, at, issues);
    None
}

/// Reads the parts of a document that can be read from JSON text.
pub(crate) fn value_of_text(text: &str, is: &Is, at: &Path<'_>, issues: &mut Issues) -> Value {
    Node::parse(text, at, issues).map_or(Value::Unread, |node| read_value(&node, is, at, issues))
}

/// Reads a document by itself: returns the value, or every problem of the text.
pub(crate) fn read_document<T: Read>(text: &str) -> Result<T, Error> {
    let mut issues = Issues::default();
    let value = T::of_text(text, &Path::Root, &mut issues);
    issues.or(value)
}
