//! Schemas of arguments and answers that have no type of their own.

use schemars::json_schema;

use super::document_kind::Nothing;
use crate::document::traits;
use crate::rate_limit::redis;

/// An amount of wei as a decimal text.
pub(super) struct Wei;

/// The value of an `Authorization` header.
pub(super) struct Authorization;

/// The answer of the shared store's script.
pub(super) struct Numbers;

traits!(Wei: inline(|_| json_schema!({ "type": "string", "pattern": "^(0|[1-9][0-9]*)$" })));
traits!(Authorization: inline(|_| {
    json_schema!({ "type": "string", "pattern": "^[Bb][Ee][Aa][Rr][Ee][Rr] +[-._~+/A-Za-z0-9]+=*$" })
}));
traits!(Numbers: inline(|generator| {
    let items = generator.subschema_for::<redis::Number>();
    json_schema!({ "type": "array", "items": items, "minItems": 5, "maxItems": 5 })
}));
traits!(Nothing: inline(|_| json_schema!({ "type": "object", "maxProperties": 0 })));
