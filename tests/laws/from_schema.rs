//! Documents made from the core's own schemas, so that a field that is added to a document is in
//! the laws unasked.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::strategy::Union;
use serde_json::{Map, Value};

use crate::{address, amount, cased, chain, hex_bytes, quantity, uuid};

/// The definitions of all documents.
static DEFINITIONS: LazyLock<Value> =
    LazyLock::new(|| sendoff::schema::Boundary::new().schema["$defs"].take());

/// The fields of a document except these, for which a law has rules that no schema expresses. Optional fields are
/// sometimes absent.
pub fn fields_beside(name: &str, known: &[&str]) -> BoxedStrategy<Map<String, Value>> {
    fields(&DEFINITIONS[name], known)
}

/// Values of a definition. They may break what its schema says of several fields together, and what no schema expresses.
pub fn values(name: &str) -> BoxedStrategy<Value> {
    of(&DEFINITIONS[name])
}

/// The name of the definition that a schema refers to.
pub fn definition(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/")
}

fn fields(schema: &Value, known: &[&str]) -> BoxedStrategy<Map<String, Value>> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let properties = properties.into_iter().filter(|(key, _)| !known.contains(&key.as_str()));
    let fields = properties.map(|(key, field)| {
        let is_required = required.iter().any(|name| *name == key);
        let value = prop::option::of(of(&field));
        let value = if is_required { of(&field).prop_map(Some).boxed() } else { value.boxed() };
        value.prop_map(move |value| value.map(|value| (key.clone(), value)))
    });
    let fields: Vec<_> = fields.collect();
    fields.prop_map(|fields| fields.into_iter().flatten().collect()).boxed()
}

fn of(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(name) = definition(schema) {
        return named(name).unwrap_or_else(|| of(&DEFINITIONS[name]));
    }
    if let Some(value) = schema.get("const") {
        return Just(value.clone()).boxed();
    }
    if let Some(values) = schema["enum"].as_array() {
        return prop::sample::select(values.clone()).boxed();
    }
    if let Some(variants) = schema["anyOf"].as_array() {
        return Union::new(variants.iter().map(of)).boxed();
    }
    if let Some(variants) = schema["oneOf"].as_array() {
        let variant = Union::new(variants.iter().map(of));
        let both = (fields(schema, &[]), variant).prop_map(|(mut all, variant)| {
            all.extend(variant.as_object().cloned().unwrap_or_default());
            Value::from(all)
        });
        return both.boxed();
    }
    if let Some(key) = schema.get("propertyNames") {
        let entry = (of(key), of(&schema["additionalProperties"]));
        let entries = prop::collection::vec(entry, 1..3);
        let entry = |(key, value): (Value, Value)| (key.as_str().unwrap().to_owned(), value);
        return entries
            .prop_map(move |entries| Value::Object(entries.into_iter().map(entry).collect()))
            .boxed();
    }
    if schema.get("properties").is_some() {
        return fields(schema, &[]).prop_map(Value::from).boxed();
    }
    let bound = |key: &str| schema[key].as_i64();
    match schema["type"].as_str() {
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        Some("null") => Just(Value::Null).boxed(),
        Some("integer") => {
            let (least, most) =
                (bound("minimum").unwrap_or(0), bound("maximum").unwrap_or(1 << 53));
            (least..=most).prop_map(Value::from).boxed()
        }
        Some("array") => {
            let least = bound("minItems").unwrap_or(0) as usize;
            let item = schema.get("items").filter(|_| bound("maxItems") != Some(0));
            item.map_or(Just(Value::Array(vec![])).boxed(), |item| {
                prop::collection::vec(of(item), least..least + 3).prop_map(Value::from).boxed()
            })
        }
        Some("string") => {
            let pattern = schema["pattern"].as_str().unwrap_or("[ -~]{1,9}");
            let pattern = pattern.trim_start_matches('^').trim_end_matches('$');
            proptest::string::string_regex(pattern).unwrap().prop_map(Value::from).boxed()
        }
        // Any value.
        None => {
            let values = ANY.split(' ').map(|text| text.parse().unwrap());
            prop::sample::select(values.collect::<Vec<Value>>()).boxed()
        }
        _ => panic!("expected a schema that the laws can make a value of, found {schema}"),
    }
}

/// Values where a schema accepts all.
const ANY: &str = r#"null -5 "" "0xDEADbeef" {"status":"0x1"} {"b":[1.5,"\u00e9"],"a":{}}"#;

/// Texts whose schemas say less than their readers, and texts with several spellings.
fn named(name: &str) -> Option<BoxedStrategy<Value>> {
    let text = match name {
        "Address" => address(),
        "Amount" => amount().boxed(),
        "ChainId" => chain().boxed(),
        "FeeAmount" => "0|[1-9][0-9]{0,20}".boxed(),
        "HexBytes" => hex_bytes(40),
        "JobId" => uuid(),
        "NftId" => crate::intents::nft_id(),
        "NftType" => "ERC721|ERC1155|NFT|erc-404_x".boxed(),
        "Nonce" => prop_oneof![quantity(256), "0x[0-9a-f]{64}"].boxed(),
        "Quantity" | "Quantity128" => quantity(112),
        "Word" => "0x[0-9a-f]{64}".prop_flat_map(cased).boxed(),
        _ => return None,
    };
    Some(text.prop_map(Value::from).boxed())
}
