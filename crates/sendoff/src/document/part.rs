//! The parts of a document with their places.

use super::Read;
use crate::error::Path;

/// A part of a document that was read as far as possible, with its place.
pub(crate) struct Part<'a, P> {
    pub(crate) at: Path<'a>,
    pub(crate) parts: &'a P,
}

/// The details of an intent, with their place and that of their type.
pub(crate) struct TypedPart<'a, P> {
    pub(crate) type_at: Path<'a>,
    pub(crate) at: Path<'a>,
    pub(crate) parts: &'a P,
}

/// A document with rows. A comparison takes its fields apart without `..`, so that a new row does not compile before it
/// is compared; and no comparison spells a path, because each field has its place.
pub(crate) trait Document: Read {
    /// The fields, each with its place.
    type Fields<'a>;

    /// Returns the fields of a document at its place.
    fn fields<'a>(part: &'a Part<'_, Self::Partial>) -> Self::Fields<'a>;
}

impl<'a, P> Part<'a, P> {
    /// The root of a document.
    pub(crate) const fn root(parts: &'a P) -> Self {
        Self { at: Path::Root, parts }
    }

    /// A field of the part.
    pub(crate) const fn field<'b, F>(&'b self, key: &'static str, parts: &'b F) -> Part<'b, F> {
        Part { at: Path::Field(&self.at, key), parts }
    }
}
