//! Schemas beside readers, made with schemars: JSON Schema 2020-12.

#[cfg(feature = "schema")]
mod describe;
#[cfg(feature = "schema")]
mod sentence;

#[cfg(feature = "schema")]
pub(crate) use describe::{Fields, integer, keyword, name_tag, tag, text, without_null};
#[cfg(feature = "schema")]
pub(crate) use sentence::{plain, tidy};

/// Implements the schema of a type, if the feature is on; `as` gives it another name than the type's.
macro_rules! of {
    ($type:ident, |$generator:pat_param| $schema:expr) => {
        $crate::document::schema::of!($type as $type, |$generator| $schema);
    };
    ($type:ty as $name:ident, |$generator:pat_param| $schema:expr) => {
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $type {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($name)).into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}
pub(crate) use of;
