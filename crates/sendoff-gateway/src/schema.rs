//! The schemas of values that the core and the configuration define.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// The pattern of a wallet's address.
pub(crate) const WALLET: &str = "^0x[0-9a-fA-F]{40}$";

/// A reference to a definition.
pub(crate) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A limit: a word, or the policy of the core.
pub(crate) fn limit(_: &mut SchemaGenerator) -> Schema {
    let words = json!({ "type": "string", "enum": ["production", "none"] });
    json_schema!({ "oneOf": [words, reference("Policy")] })
}

pub(crate) fn limit_or_null(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "oneOf": [limit(generator), { "type": "null" }] })
}

pub(crate) fn origins_or_null(_: &mut SchemaGenerator) -> Schema {
    let origins = json!({ "type": "array", "items": { "type": "string" } });
    json_schema!({ "oneOf": [origins, { "type": "null" }] })
}
