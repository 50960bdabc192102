//! Documents made from the core's own schemas, so that a field that is added to a document is in the laws unasked.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::{address, amount, cased, chain, hex_bytes, quantity, uuid};

/// The definitions of all documents.
static DEFINITIONS: LazyLock<Value> = LazyLock::new(|| sendoff::schema::Boundary::new().schema["$defs"].take());

/// The fields of a document except these, for which a law has rules that no schema expresses. Optional fields are
/// sometimes absent.
pub fn fields_beside(name: &str, known: &[&str]) -> BoxedStrategy<Map<String, Value>> {
    fields(&DEFINITIONS, &DEFINITIONS[name], known)
}

fn fields(all: &Value, schema: &Value, known: &[&str]) -> BoxedStrategy<Map<String, Value>> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let fields = properties.into_iter().filter(|(key, _)| !known.contains(&key.as_str())).map(|(key, field)| {
        let is_required = required.iter().any(|name| *name == key);
        let value = of(all, &field);
        let value = if is_required { value.prop_map(Some).boxed() } else { prop::option::of(value).boxed() };
        value.prop_map(move |value| value.map(|value| (key.clone(), value)))
    });
    let fields: Vec<_> = fields.collect();
    fields.prop_map(|fields| fields.into_iter().flatten().collect()).boxed()
}

fn of(all: &Value, schema: &Value) -> BoxedStrategy<Value> {
    if let Some(name) = schema["$ref"].as_str().and_then(|place| place.strip_prefix("#/$defs/")) {
        return named(name).unwrap_or_else(|| of(all, &all[name]));
    }
    if let Some(value) = schema.get("const") {
        return Just(value.clone()).boxed();
    }
    if let Some(values) = schema["enum"].as_array() {
        return prop::sample::select(values.clone()).boxed();
    }
    match schema["type"].as_str() {
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("integer") => {
            let (least, most) =
                (schema["minimum"].as_i64().unwrap_or(0), schema["maximum"].as_i64().unwrap_or(1 << 53));
            (least..=most).prop_map(Value::from).boxed()
        }
        Some("array") => prop::collection::vec(of(all, &schema["items"]), 0..3).prop_map(Value::from).boxed(),
        Some("object") => fields(all, schema, &[]).prop_map(Value::from).boxed(),
        Some("string") => {
            let pattern =
                schema["pattern"].as_str().unwrap_or("[ -~]{1,9}").trim_start_matches('^').trim_end_matches('$');
            proptest::string::string_regex(pattern).unwrap().prop_map(Value::from).boxed()
        }
        _ => panic!("expected a schema that the laws can make a value of, found {schema}"),
    }
}

/// Texts whose schemas say less than their readers, and texts with several spellings.
fn named(name: &str) -> Option<BoxedStrategy<Value>> {
    let text = match name {
        "Address" => address(),
        "Amount" => amount().boxed(),
        "ChainId" => chain().boxed(),
        "HexBytes" => hex_bytes(40),
        "JobId" => uuid(),
        "Quantity" | "Quantity128" => quantity(112),
        "Word" => "0x[0-9a-f]{64}".prop_flat_map(cased).boxed(),
        _ => return None,
    };
    Some(text.prop_map(Value::from).boxed())
}
