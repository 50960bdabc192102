//! The schemas of values that the core and the configuration define.

use schemars::{Schema, SchemaGenerator, json_schema};
use sendoff::rate_limit::Policy;
use serde_json::json;

use crate::config::Origin;

/// A limit: a word, or the policy of the core.
pub(crate) fn limit(generator: &mut SchemaGenerator) -> Schema {
    let words = json!({ "type": "string", "enum": ["production", "none"] });
    json_schema!({ "oneOf": [words, generator.subschema_for::<Policy>()] })
}

pub(crate) fn limit_or_null(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "oneOf": [limit(generator), { "type": "null" }] })
}

pub(crate) fn origins_or_null(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "oneOf": [generator.subschema_for::<Vec<Origin>>(), { "type": "null" }] })
}
