//! Schemas of arguments and answers that have no type of their own.

use alloc::borrow::Cow;
use core::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::rate_limit::redis;

/// A form that has no name: its schema stands where it is used.
pub(super) struct Unnamed<T>(PhantomData<T>);

/// The schema of such a form.
pub(super) trait Shape {
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

impl<T: Shape> JsonSchema for Unnamed<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Unnamed".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::schema(generator)
    }
}

/// An amount of wei as a decimal text.
pub(super) struct Wei;

impl Shape for Wei {
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" })
    }
}

/// The value of an `Authorization` header.
pub(super) struct Authorization;

impl Shape for Authorization {
    fn schema(_: &mut SchemaGenerator) -> Schema {
        let pattern = "^[Bb][Ee][Aa][Rr][Ee][Rr] +[-._~+/A-Za-z0-9]+=*$";
        json_schema!({ "type": "string", "pattern": pattern })
    }
}

/// The answer of the shared store's script.
pub(super) struct Numbers;

impl Shape for Numbers {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<redis::Number>();
        json_schema!({ "type": "array", "items": items, "minItems": 5, "maxItems": 5 })
    }
}

/// An object without fields.
pub(super) struct Empty;

impl Shape for Empty {
    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "maxProperties": 0 })
    }
}
