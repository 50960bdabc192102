//! The schemas of values that the core and the configuration define.

use schemars::{Schema, SchemaGenerator};
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
    one_of(json!([words, reference("Policy")]))
}

/// Origins: every one, or these.
pub(crate) fn origins(_: &mut SchemaGenerator) -> Schema {
    let these = json!({ "type": "array", "items": { "type": "string" } });
    one_of(json!([{ "type": "string", "const": "*" }, these]))
}

pub(crate) fn limit_or_null(generator: &mut SchemaGenerator) -> Schema {
    or_null(limit(generator))
}

pub(crate) fn origins_or_null(generator: &mut SchemaGenerator) -> Schema {
    or_null(origins(generator))
}

fn one_of(all: Value) -> Schema {
    let mut schema = Schema::default();
    schema.insert("oneOf".into(), all);
    schema
}

fn or_null(mut schema: Schema) -> Schema {
    if let Some(Value::Array(all)) = schema.get_mut("oneOf") {
        all.push(json!({ "type": "null" }));
    }
    schema
}
