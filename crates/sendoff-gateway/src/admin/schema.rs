//! The schemas of values that the core and the configuration define.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

/// A reference to a definition.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn schema(value: Value) -> Schema {
    Schema::try_from(value).unwrap_or_default()
}

pub(crate) fn wallet(_: &mut SchemaGenerator) -> Schema {
    schema(json!({ "type": "string", "pattern": "^0x[0-9a-fA-F]{40}$" }))
}

pub(super) fn name(_: &mut SchemaGenerator) -> Schema {
    schema(json!({ "type": "string", "minLength": 1, "maxLength": 40 }))
}

pub(super) fn fee(_: &mut SchemaGenerator) -> Schema {
    schema(json!({ "type": "string" }))
}

pub(super) fn catalogue(_: &mut SchemaGenerator) -> Schema {
    schema(reference("Catalogue"))
}

pub(super) fn disabling(_: &mut SchemaGenerator) -> Schema {
    schema(reference("Disabling"))
}

pub(super) fn step(_: &mut SchemaGenerator) -> Schema {
    schema(reference("CatalogueStep"))
}

pub(super) fn policy(_: &mut SchemaGenerator) -> Schema {
    schema(reference("Policy"))
}

pub(super) fn verdict(_: &mut SchemaGenerator) -> Schema {
    schema(reference("Verdict"))
}

pub(crate) fn policy_or_none(_: &mut SchemaGenerator) -> Schema {
    let words = json!({ "type": "string", "enum": ["production", "none"] });
    schema(json!({ "oneOf": [words, reference("Policy")] }))
}

pub(crate) fn origins(_: &mut SchemaGenerator) -> Schema {
    let these = json!({ "type": "array", "items": { "type": "string" } });
    schema(json!({ "oneOf": [{ "type": "string", "const": "*" }, these] }))
}

/// One of these, or `null`.
fn or_null(mut schema: Schema) -> Schema {
    if let Some(Value::Array(all)) = schema.get_mut("oneOf") {
        all.push(json!({ "type": "null" }));
    }
    schema
}

pub(crate) fn policy_or_null(generator: &mut SchemaGenerator) -> Schema {
    or_null(policy_or_none(generator))
}

pub(crate) fn origins_or_null(generator: &mut SchemaGenerator) -> Schema {
    or_null(origins(generator))
}

/// An array of documents of the core.
fn list(name: &str) -> Schema {
    schema(json!({ "type": "array", "items": reference(name) }))
}

pub(crate) fn chains(_: &mut SchemaGenerator) -> Schema {
    list("KnownChain")
}

pub(crate) fn tokens(_: &mut SchemaGenerator) -> Schema {
    list("KnownToken")
}

pub(crate) fn collections(_: &mut SchemaGenerator) -> Schema {
    list("KnownCollection")
}
