//! Schemas of arguments and answers that have no type of their own.

use alloc::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::document_kind::Nothing;
use crate::rate_limit::redis;

macro_rules! shape {
    ($($type:ident |$generator:pat_param| $schema:expr;)*) => {
        $(impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        })*
    };
}

/// An amount of wei as a decimal text.
pub(super) struct Wei;

/// The value of an `Authorization` header.
pub(super) struct Authorization;

/// The answer of the shared store's script.
pub(super) struct Numbers;

shape! {
    Wei |_| json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" });
    Authorization |_| {
        json_schema!({ "type": "string", "pattern": "^[Bb][Ee][Aa][Rr][Ee][Rr] +[-._~+/A-Za-z0-9]+=*$" })
    };
    Numbers |generator| {
        let items = generator.subschema_for::<redis::Number>();
        json_schema!({ "type": "array", "items": items, "minItems": 5, "maxItems": 5 })
    };
    Nothing |_| json_schema!({ "type": "object", "maxProperties": 0 });
}
