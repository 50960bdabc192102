//! Schemas of arguments and answers that have no type of their own.

use alloc::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::rate_limit::redis;

/// A form that has no name: its schema stands where it is used.
pub(super) struct Unnamed<const FORM: usize>;

/// An amount of wei as a decimal text.
pub(super) type Wei = Unnamed<0>;

/// The value of an `Authorization` header.
pub(super) type Authorization = Unnamed<1>;

/// The answer of the shared store's script.
pub(super) type Numbers = Unnamed<2>;

/// An object without fields.
pub(super) type Empty = Unnamed<3>;

impl<const FORM: usize> JsonSchema for Unnamed<FORM> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Unnamed".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        match FORM {
            0 => json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" }),
            1 => {
                let pattern = "^[Bb][Ee][Aa][Rr][Ee][Rr] +[-._~+/A-Za-z0-9]+=*$";
                json_schema!({ "type": "string", "pattern": pattern })
            }
            2 => {
                let items = generator.subschema_for::<redis::Number>();
                json_schema!({ "type": "array", "items": items, "minItems": 5, "maxItems": 5 })
            }
            _ => json_schema!({ "type": "object", "maxProperties": 0 }),
        }
    }
}
