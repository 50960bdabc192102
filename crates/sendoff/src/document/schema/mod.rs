//! Schemas of documents, made of the rows that readers use: JSON Schema 2020-12, with schemars.

#[cfg(feature = "schema")]
mod describe;
#[cfg(feature = "schema")]
mod sentence;

#[cfg(feature = "schema")]
pub(crate) use describe::{integer, keyword, label, text};
#[cfg(feature = "schema")]
pub(crate) use sentence::{plain, tidy};

/// A type with a schema, if the feature is on.
#[cfg(feature = "schema")]
pub(crate) use schemars::JsonSchema as HasSchema;

/// A type with a schema, if the feature is on.
#[cfg(not(feature = "schema"))]
pub(crate) trait HasSchema {}

#[cfg(not(feature = "schema"))]
impl<T> HasSchema for T {}

/// What only a schema says: a sentence, and the schema of a type; of a kind of text, its pattern. Without the feature it is nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    #[cfg(feature = "schema")]
    pub(super) sentence: &'static str,
    #[cfg(feature = "schema")]
    pub(super) schema: Option<fn(&mut schemars::SchemaGenerator) -> schemars::Schema>,
}

#[cfg(feature = "schema")]
impl Said {
    /// A sentence about a part that has no type of its own.
    pub(crate) const fn new(sentence: &'static str) -> Self {
        Self { sentence, schema: None }
    }

    /// Another sentence about the same part.
    pub(crate) const fn about(self, sentence: &'static str) -> Self {
        Self { sentence, ..self }
    }

    /// A sentence about a part of this type.
    pub(crate) const fn of<T: HasSchema>(sentence: &'static str) -> Self {
        Self { sentence, schema: Some(schemars::SchemaGenerator::subschema_for::<T>) }
    }
}

#[cfg(not(feature = "schema"))]
impl Said {
    pub(crate) const fn new(_: &'static str) -> Self {
        Self {}
    }

    pub(crate) const fn of<T: HasSchema>(_: &'static str) -> Self {
        Self {}
    }

    pub(crate) const fn about(self, _: &'static str) -> Self {
        self
    }
}
