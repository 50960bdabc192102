//! The fields of an object, taken one after the other.

use alloc::format;

use super::{Node, Read, node::Field};
use crate::error::{Code, Issues, Path};

/// An object whose fields are being taken.
pub(crate) struct Object<'n, 'i> {
    fields: &'n [Field<'n>],
    at: &'n Path<'n>,
    issues: &'i mut Issues,
}

impl<'n, 'i> Object<'n, 'i> {
    /// The object that `T` is read from, or an issue of code `type`.
    pub(crate) fn open<T: Read>(node: &'n Node<'n>, at: &'n Path<'n>, issues: &'i mut Issues) -> Option<Self> {
        match node {
            Node::Object(fields) => Some(Self { fields, at, issues }),
            other => T::mistyped(other, at, issues).and(None),
        }
    }

    /// Whether there is such a field.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|field| field.key == key)
    }

    /// A field that must be there, unless its type says what it means that it is not.
    pub(crate) fn required<T: Read>(&mut self, key: &'static str) -> Option<T> {
        match self.take(key) {
            Taken::Node(node) => T::read(node, &Path::Field(self.at, key), self.issues),
            Taken::Absent => T::absent().or_else(|| {
                self.push_missing(key, T::EXPECTED);
                None
            }),
            Taken::Twice => None,
        }
    }

    /// A field that may be absent: `Some(None)` then.
    pub(crate) fn optional<T: Read>(&mut self, key: &'static str) -> Option<Option<T>> {
        match self.take(key) {
            Taken::Node(node) => T::read(node, &Path::Field(self.at, key), self.issues).map(Some),
            Taken::Absent => Some(None),
            Taken::Twice => None,
        }
    }

    /// Done: what was not taken does not belong here.
    pub(crate) fn close(self) {
        for field in self.fields.iter().filter(|field| !field.taken.get()) {
            let message = "expected no such field, found one".into();
            self.issues.push(&Path::Field(self.at, &field.key), Code::Unknown, message);
        }
    }

    // What does not depend on the field's type stands apart: it would be compiled once for each.
    #[inline(never)]
    fn take(&self, key: &str) -> Taken<'n> {
        match self.fields.iter().find(|field| field.key == key) {
            None => Taken::Absent,
            Some(field) => {
                field.taken.set(true);
                if field.twice { Taken::Twice } else { Taken::Node(&field.node) }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn push_missing(&mut self, key: &str, expected: &str) {
        self.issues.push(&Path::Field(self.at, key), Code::Missing, format!("expected {expected}, found nothing"));
    }
}

/// What stands at a key.
enum Taken<'n> {
    Node(&'n Node<'n>),
    Absent,
    /// Its issue is already there; which of the two is meant cannot be known.
    Twice,
}
