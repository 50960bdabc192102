//! Schemas beside readers, made with schemars: JSON Schema 2020-12.

#[cfg(feature = "schema")]
mod describe;
#[cfg(feature = "schema")]
mod sentence;

#[cfg(feature = "schema")]
pub(crate) use describe::{
    Fields, integer, keyword, name_tag, short_text, tag, text, without_null,
};
#[cfg(feature = "schema")]
pub(crate) use sentence::{plain, tidy};

/// Implements the schema of a type, under the type's name, if the feature is on.
macro_rules! of {
    ($type:ident, |$generator:pat_param| $schema:expr) => {
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $type {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($type)).into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}
pub(crate) use of;
