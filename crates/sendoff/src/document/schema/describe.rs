//! Schemas of the values that readers accept.

use alloc::{borrow::Cow, string::String, vec::Vec};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::plain;
use crate::document::{Integer, Presence, Typed};

/// The forms of an intent's type and details, at two keys.
pub(crate) type Forms = fn(&mut SchemaGenerator, &str, &str) -> Vec<Schema>;

/// The schema of an object, field by field; the counterpart of [`crate::document::Object`].
pub(crate) struct Fields<'g> {
    generator: &'g mut SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
    /// The type and details of an intent, in each of their forms.
    intents: Vec<Schema>,
    /// Keys that an object has together with others.
    dependent: Map<String, Value>,
}

impl<'g> Fields<'g> {
    pub(crate) fn new(generator: &'g mut SchemaGenerator) -> Self {
        Self {
            generator,
            properties: Map::new(),
            required: Vec::new(),
            intents: Vec::new(),
            dependent: Map::new(),
        }
    }

    /// A required field, unless one of its type may be absent.
    pub(crate) fn read<T: Typed + JsonSchema>(self, key: &'static str, sentence: &str) -> Self {
        match T::PRESENCE {
            Presence::Required => self.required::<T>(key, sentence),
            _ => self.optional::<T>(key, sentence),
        }
    }

    /// Adds a field that is always present.
    pub(crate) fn required<T: JsonSchema>(self, key: &'static str, sentence: &str) -> Self {
        let schema = self.generator.subschema_for::<T>();
        self.shaped(key, sentence, schema)
    }

    /// Adds an optional field.
    pub(crate) fn optional<T: JsonSchema>(self, key: &'static str, sentence: &str) -> Self {
        let mut schema = self.generator.subschema_for::<T>();
        without_null(&mut schema);
        self.property(key, sentence, schema)
    }

    /// Adds a field with a constant value.
    pub(crate) fn constant(
        self,
        key: &'static str,
        sentence: &str,
        value: impl Into<Value>,
    ) -> Self {
        self.shaped(key, sentence, json_schema!({ "const": value.into() }))
    }

    /// Adds a field that is always present, with a shape that has no type of its own.
    pub(crate) fn shaped(mut self, key: &'static str, sentence: &str, schema: Schema) -> Self {
        self.required.push(key);
        self.property(key, sentence, schema)
    }

    /// Adds an intent: its type and its details at these keys, in each of their forms.
    pub(crate) fn intent(mut self, forms: Forms, type_key: &str, details_key: &str) -> Self {
        self.intents = forms(self.generator, type_key, details_key);
        self
    }

    /// Adds the fields of another document, all or none.
    pub(crate) fn group(mut self, fields: impl FnOnce(Self) -> Self) -> Self {
        let (others, outer) = (self.properties.len(), core::mem::take(&mut self.required));
        let mut group = fields(self);
        let needed = core::mem::replace(&mut group.required, outer);
        for key in group.properties.keys().skip(others) {
            let with: Vec<_> = needed.iter().filter(|other| *other != key).copied().collect();
            if !with.is_empty() {
                group.dependent.insert(key.clone(), with.into());
            }
        }
        group
    }

    fn property(mut self, key: &'static str, sentence: &str, mut schema: Schema) -> Self {
        if !sentence.is_empty() {
            schema.insert("description".into(), sentence.into());
        }
        self.properties.insert(key.into(), schema.to_value());
        self
    }

    /// Allows no other field.
    pub(crate) fn close(self, sentence: &str) -> Schema {
        let key =
            if self.intents.is_empty() { "additionalProperties" } else { "unevaluatedProperties" };
        let mut schema = self.open(sentence);
        schema.insert(key.into(), false.into());
        schema
    }

    /// Allows other fields.
    pub(crate) fn open(self, sentence: &str) -> Schema {
        let Self { properties, required, intents, dependent, .. } = self;
        let mut schema = json_schema!({ "type": "object" });

        if !properties.is_empty() || intents.is_empty() {
            schema.insert("properties".into(), properties.into());
            schema.insert("required".into(), required.into());
        }

        if !sentence.is_empty() {
            schema.insert("description".into(), sentence.into());
        }
        if !dependent.is_empty() {
            schema.insert("dependentRequired".into(), dependent.into());
        }
        if !intents.is_empty() {
            schema.insert("oneOf".into(), serde_json::json!(intents));
        }

        schema
    }
}

/// Removes null from the schema of a field that is left out instead.
pub(crate) fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        let one = kinds.pop();
        schema.insert("type".into(), one.into());
    }

    let Some(Value::Array(mut variants)) = schema.remove("anyOf") else { return };
    variants.retain(|variant| variant.get("type").is_none_or(|kind| kind != "null"));

    match variants.pop() {
        Some(Value::Object(only)) if variants.is_empty() => {
            only.into_iter().for_each(|(key, value)| drop(schema.insert(key, value)));
        }
        last => {
            variants.extend(last);
            schema.insert("anyOf".into(), variants.into());
        }
    }
}

/// Puts the field that distinguishes the variants of a union first.
pub(crate) fn tag(schema: &mut Schema, key: &str, sentence: &str, value: bool) {
    let Some(Value::Object(others)) = schema.remove("properties") else { return };
    let mut properties = Map::new();
    properties.insert(key.into(), serde_json::json!({ "const": value, "description": sentence }));
    properties.extend(others);
    schema.insert("properties".into(), properties.into());
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.insert(0, key.into());
    }
}

/// Describes the field that distinguishes the variants of a union.
pub(crate) fn name_tag(schema: &mut Schema, key: &str, sentence: &str) {
    let variants = schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten();
    for tag in
        variants.filter_map(|variant| variant.get_mut("properties")?.get_mut(key)?.as_object_mut())
    {
        tag.insert("description".into(), sentence.into());
    }
}

/// The schema of a kind of text.
pub(crate) fn text(expected: &str, pattern: &str) -> Schema {
    json_schema!({ "type": "string", "description": expected, "pattern": pattern })
}

/// The schema of text with a largest number of characters.
pub(crate) fn short_text(expected: &str, most: usize) -> Schema {
    json_schema!({ "type": "string", "description": expected, "minLength": 1, "maxLength": most })
}

/// The schema of a closed set of texts, each with its sentence.
pub(crate) fn keyword(sentence: &str, texts: &[(&str, &str)]) -> Schema {
    let lines = texts.iter().filter(|(_, sentence)| !sentence.is_empty());
    let list: String =
        lines.map(|(text, sentence)| alloc::format!("\n- `{text}`: {}", plain(sentence))).collect();
    let texts: Vec<_> = texts.iter().map(|(text, _)| *text).collect();
    json_schema!({ "type": "string", "description": alloc::format!("{}{list}", plain(sentence)), "enum": texts })
}

/// The schema of an integer within bounds.
pub(crate) fn integer(expected: &str, min: i64, max: i64) -> Schema {
    json_schema!({ "type": "integer", "description": expected, "minimum": min, "maximum": max })
}

impl<const MIN: i64, const MAX: i64> JsonSchema for Integer<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        alloc::format!("Integer{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}
