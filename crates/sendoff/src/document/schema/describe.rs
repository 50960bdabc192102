//! Schemas of the values that readers accept.

use alloc::{borrow::Cow, string::String, vec::Vec};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::{Said, plain};
use crate::document::{Bounds, Choice, Integer, Is, Others, Pairs, Presence, Row, Table};

impl Is {
    /// Returns the schema of a part without a type of its own, or of the type that is this.
    pub(crate) fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        match self {
            Self::Flag => json_schema!({ "type": "boolean" }),
            Self::FlagOr(_) => json_schema!({ "enum": [true, false, "true", "false"] }),
            Self::Integer(Bounds { least, most, .. }) if least == most => {
                json_schema!({ "const": least })
            }
            Self::Integer(bounds) => integer(bounds.expected, bounds.least, bounds.most),
            Self::Text(kind) if kind.said.sentence.is_empty() => json_schema!({ "type": "string" }),
            Self::Text(kind) => text(kind.wanted.words, kind.said.sentence),
            Self::Keyword(texts) => json_schema!({ "enum": texts.list }),
            Self::Constant(text) => json_schema!({ "type": "string", "const": text }),
            Self::Record(table) | Self::Group(table) => table.schema(generator),
            Self::Choice(choice) => choice.schema(generator),
            Self::Nothing(nothing) => {
                json_schema!({ "type": "array", "description": nothing.expected, "maxItems": 0 })
            }
            Self::Pairs(pairs) => pairs.schema(generator),
            Self::Nullable(is) => {
                let mut schema = is.schema(generator);
                if let Some(kind) = schema.remove("type") {
                    schema.insert("type".into(), serde_json::json!([kind, "null"]));
                }
                schema
            }
            Self::List(item) => {
                json_schema!({ "type": "array", "items": item.schema(generator) })
            }
            Self::Counted(count) => {
                let items = count.item.schema(generator);
                json_schema!({ "type": "array", "items": items, "minItems": count.least, "maxItems": count.most })
            }
            Self::Json | Self::Tag | Self::Details(_) => Schema::default(),
        }
    }
}

impl Said {
    /// The schema of its type, or else of what it is.
    fn schema_of(&self, is: &Is, generator: &mut SchemaGenerator) -> Schema {
        match self.schema {
            Some(schema) => schema(generator),
            None => is.schema(generator),
        }
    }
}

impl Pairs {
    /// The schema of an object with other keys than those of rows.
    fn schema(&'static self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "object" });
        if !self.said.sentence.is_empty() {
            schema.insert("description".into(), self.said.sentence.into());
        }
        if let Some(key) = self.key.said.schema {
            schema.insert("propertyNames".into(), key(generator).to_value());
        }
        let value = self.value.said.schema_of(&Is::Text(self.value), generator);
        schema.insert("additionalProperties".into(), value.to_value());
        schema
    }
}

impl Table {
    /// The schema of a document.
    pub(crate) fn schema(&'static self, generator: &mut SchemaGenerator) -> Schema {
        self.schema_with(None, generator)
    }

    /// The same with this schema for the field of a tag.
    fn schema_with(
        &'static self,
        tag: Option<(&'static str, Schema)>,
        generator: &mut SchemaGenerator,
    ) -> Schema {
        let mut fields = Fields { tag, ..Fields::default() };
        fields.add(self, generator);
        fields.end(self)
    }
}

impl Choice {
    /// The schema of each document, with the texts that choose it.
    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut variants: Vec<(&'static Table, Vec<&'static str>)> = Vec::new();
        for (tag, table) in self.tables {
            match variants.iter_mut().find(|(known, _)| known == table) {
                Some((_, tags)) => tags.push(tag),
                None => variants.push((table, alloc::vec![tag])),
            }
        }

        let variants = variants.into_iter().map(|(table, tags)| match table.said.schema {
            Some(schema) => schema(generator),
            None => self.variant(table, &tags, generator),
        });
        let variants: Vec<_> = variants.collect();
        json_schema!({ "description": self.said.sentence, "oneOf": variants })
    }

    /// Returns the schema of the document that these texts choose.
    pub(crate) fn variant(
        &self,
        table: &'static Table,
        tags: &[&str],
        generator: &mut SchemaGenerator,
    ) -> Schema {
        let tag = match (&self.tag, tags) {
            (Is::Flag, [flag]) => json_schema!({ "const": *flag == "true" }),
            (Is::Keyword(_), [tag]) => json_schema!({ "const": tag }),
            _ => json_schema!({ "enum": tags }),
        };
        table.schema_with(Some((self.key, tag)), generator)
    }
}

/// The parts of the schema of an object.
#[derive(Default)]
struct Fields {
    properties: Map<String, Value>,
    required: Vec<&'static str>,
    /// The forms of an intent.
    intents: Vec<Schema>,
    /// The fields that others need beside them.
    dependent: Map<String, Value>,
    /// The field that distinguishes it from others, and its schema.
    tag: Option<(&'static str, Schema)>,
    /// The schema of the fields of another type.
    others: Schema,
    /// `true` if it is written only, with one spelling of each key.
    is_written: bool,
}

impl Fields {
    /// Adds the fields of a table.
    fn add(&mut self, table: &'static Table, generator: &mut SchemaGenerator) {
        for row in table.rows {
            match &row.is {
                // It is with the details of its intent.
                Is::Tag => {}
                Is::Group(group) => match (row.presence, row.said.schema) {
                    (Presence::Required, Some(schema)) => self.others = schema(generator),
                    (Presence::Required, None) => {
                        self.is_written = true;
                        self.add(group, generator);
                    }
                    _ => self.add_group(group, generator),
                },
                Is::Details(union) if row.said.schema.is_none() => {
                    let tag = table.rows.iter().find(|row| matches!(row.is, Is::Tag));
                    let tag = tag.map_or("type", |row| row.key);
                    let forms = union.tables.iter();
                    self.intents = forms.map(|form| form_of(form, tag, row, generator)).collect();
                }
                _ => self.add_row(row, generator),
            }
        }
    }

    fn add_row(&mut self, row: &'static Row, generator: &mut SchemaGenerator) {
        let mut schema = match self.tag.take_if(|(key, _)| *key == row.key) {
            Some((_, tag)) => tag,
            None => row.said.schema_of(&row.is, generator),
        };

        let key = match row.presence {
            Presence::Required => {
                self.required.push(row.key);
                row.key
            }
            Presence::Spelled([first, _]) if !self.is_written => first,
            _ => {
                without_null(&mut schema);
                row.key
            }
        };
        if !row.said.sentence.is_empty() {
            schema.insert("description".into(), row.said.sentence.into());
        }
        self.properties.insert(key.into(), schema.to_value());
    }

    /// Adds the fields of another document, all or none.
    fn add_group(&mut self, group: &'static Table, generator: &mut SchemaGenerator) {
        let others: Vec<String> = self.properties.keys().cloned().collect();
        let outer = core::mem::take(&mut self.required);
        self.add(group, generator);

        let needed = core::mem::replace(&mut self.required, outer);
        for key in self.properties.keys().filter(|key| !others.contains(key)) {
            let with: Vec<_> = needed.iter().filter(|other| *other != key).copied().collect();
            if !with.is_empty() {
                self.dependent.insert(key.clone(), with.into());
            }
        }
    }

    /// Allows other fields if the table does.
    fn end(self, table: &Table) -> Schema {
        let Self { properties, required, intents, dependent, others: mut schema, .. } = self;
        let has_intents = !intents.is_empty();
        schema.insert("type".into(), "object".into());
        if !properties.is_empty() || !has_intents {
            schema.insert("properties".into(), properties.into());
            schema.insert("required".into(), required.into());
        }
        if !table.said.sentence.is_empty() {
            schema.insert("description".into(), table.said.sentence.into());
        }
        if !dependent.is_empty() {
            schema.insert("dependentRequired".into(), dependent.into());
        }
        if has_intents {
            schema.insert("oneOf".into(), serde_json::json!(intents));
        }
        if table.others == Others::Refused {
            let key = if has_intents { "unevaluatedProperties" } else { "additionalProperties" };
            schema.insert(key.into(), false.into());
        }
        schema
    }
}

/// A form of an intent: its type and its details at these keys.
fn form_of(form: &'static Table, tag: &str, row: &Row, generator: &mut SchemaGenerator) -> Schema {
    let mut details = form.said.schema_of(&Is::Flag, generator);
    details.insert("description".into(), "The details of the intent.".into());
    json_schema!({
        "properties": {
            tag: { "const": form.tag, "description": "The type of the intent." },
            row.key: details,
        },
        "required": [tag, row.key],
    })
}

/// Removes null from the schema of a field that is left out instead.
fn without_null(schema: &mut Schema) {
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

pub(crate) fn text(expected: &str, pattern: &str) -> Schema {
    json_schema!({ "type": "string", "description": expected, "pattern": pattern })
}

/// The schema of a label: any text, because sentences leave out what is no label.
pub(crate) fn label(expected: &str) -> Schema {
    json_schema!({ "type": "string", "description": expected })
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
