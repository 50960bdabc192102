//! Schemas of arguments and answers that have no type of their own.

use alloc::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::document_kind::Nothing;
use crate::rate_limit::redis;

/// An amount of wei as a decimal text.
pub(super) struct Wei;

/// The value of an `Authorization` header.
pub(super) struct Authorization;

/// The answer of the shared store's script.
pub(super) struct Numbers;

impl JsonSchema for Wei {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Wei".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" })
    }
}

impl JsonSchema for Authorization {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Authorization".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[Bb][Ee][Aa][Rr][Ee][Rr] +[-._~+/A-Za-z0-9]+=*$" })
    }
}

impl JsonSchema for Numbers {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Numbers".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<redis::Number>();
        json_schema!({ "type": "array", "items": items, "minItems": 5, "maxItems": 5 })
    }
}

impl JsonSchema for Nothing {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Nothing".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "maxProperties": 0 })
    }
}
