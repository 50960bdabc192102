//! The fields of an object, taken one after the other.

use alloc::string::String;

use super::{Node, Read, node::Field, push_mistyped};
use crate::error::{IssueCode, Issues, Path, ReplyTo, Wanted};
use crate::text::fill;

/// An object whose fields are being taken.
pub(crate) struct Object<'n, 'i> {
    fields: &'n [Field<'n>],
    at: &'n Path<'n>,
    issues: &'i mut Issues,
}

impl<'n, 'i> Object<'n, 'i> {
    /// Opens the object of a document, or pushes an issue of code `type`.
    pub(crate) fn open(node: &'n Node<'n>, wanted: &Wanted, at: &'n Path<'n>, issues: &'i mut Issues) -> Option<Self> {
        match node {
            Node::Object(fields) => Some(Self { fields, at, issues }),
            other => {
                push_mistyped(other, wanted, at, issues);
                None
            }
        }
    }

    /// `true` if the object has this field.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key)
    }

    /// Reads what can be read of a field. The field is required, unless `T::absent()` has a default.
    pub(crate) fn take<T: Read>(&mut self, key: &'static str, parts: &mut T::Partial) {
        match T::absent() {
            Some(default) if !self.has(key) => *parts = default,
            _ => self.take_with(key, T::WANTED, &mut |node, at, issues| T::read_partial(node, at, issues, parts)),
        }
    }

    /// Reads what can be read of a field with a default.
    pub(crate) fn take_or<T: Read>(&mut self, key: &'static str, default: T, parts: &mut T::Partial) {
        if self.has(key) {
            self.take::<T>(key, parts);
        } else {
            *parts = default.into_partial();
        }
    }

    /// Reads a field with a function of its own.
    // Compiled once, not once per type.
    #[inline(never)]
    pub(crate) fn take_with(
        &mut self,
        key: &'static str,
        wanted: &Wanted,
        read: &mut dyn FnMut(&Node<'_>, &Path<'_>, &mut Issues),
    ) {
        match self.node(key) {
            Taken::Node(node) => read(node, &Path::Field(self.at, key), self.issues),
            Taken::Absent => self.push_missing(key, wanted),
            Taken::Twice => {}
        }
    }

    /// Returns a field if all of it could be read.
    pub(crate) fn required<T: Read>(&mut self, key: &'static str) -> Option<T> {
        let mut parts = T::Partial::default();
        self.take::<T>(key, &mut parts);
        T::whole(parts)
    }

    /// Returns an optional field: `Some(None)` if it is absent.
    pub(crate) fn optional<T: Read>(&mut self, key: &'static str) -> Option<Option<T>> {
        self.required(key)
    }

    /// The intent type of the request, if this is a part of its reply.
    pub(crate) const fn reply_to(&self) -> Option<&'static str> {
        match self.issues.reply_to {
            Some(ReplyTo::Request(intent_type)) => Some(intent_type),
            Some(ReplyTo::Unknown) | None => None,
        }
    }

    /// Pushes an issue at a field.
    pub(crate) fn push(&mut self, key: &str, code: IssueCode, message: String) {
        self.issues.push(&Path::Field(self.at, key), code, message);
    }

    /// Reports unread fields as `unknown`, except in a reply, where they are ignored.
    pub(crate) fn close(self) {
        if self.issues.reply_to.is_some() {
            return;
        }
        for field in self.fields.iter().filter(|field| !field.taken.get()) {
            let message = fill("expected no such field, found {}", &[&field.node.kind()]);
            self.issues.push(&Path::Field(self.at, &field.key), IssueCode::Unknown, message);
        }
    }

    // Code that does not depend on the field's type is separate, because it would be compiled once per type.
    #[inline(never)]
    fn node(&self, key: &str) -> Taken<'n> {
        match self.fields.iter().find(|field| field.key == key) {
            None => Taken::Absent,
            Some(field) => {
                field.taken.set(true);
                if field.twice { Taken::Twice } else { Taken::Node(&field.node) }
            }
        }
    }

    #[cold]
    fn push_missing(&mut self, key: &str, wanted: &Wanted) {
        self.issues.push_wanted(&Path::Field(self.at, key), IssueCode::Missing, wanted, "nothing");
    }
}

/// The value of a key.
enum Taken<'n> {
    Node(&'n Node<'n>),
    Absent,
    /// The key is a duplicate, which is already reported; which of the values is meant is unknown.
    Twice,
}
