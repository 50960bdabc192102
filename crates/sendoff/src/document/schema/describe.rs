//! Schemas of the values that readers accept.

use alloc::{borrow::Cow, string::String, vec::Vec};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

use super::{Said, plain};
use crate::document::{Bounds, Choice, Integer, Is, Others, Pairs, Presence, Row, Table, Union};

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
    /// Returns the schema of a document by its rows.
    pub(crate) fn schema(&'static self, generator: &mut SchemaGenerator) -> Schema {
        self.add_to(Fields::new(generator)).end(self)
    }

    /// The rows in order.
    fn add_to<'g>(&'static self, fields: Fields<'g>) -> Fields<'g> {
        self.rows.iter().fold(fields, |fields, row| match &row.is {
            Is::Tag => fields,
            Is::Group(table) => match (row.presence, row.said.schema) {
                (Presence::Required, Some(schema)) => fields.beside(schema),
                // Only answers have such a group: its fields are as they are written.
                (Presence::Required, None) => table.add_to(Fields { is_written: true, ..fields }),
                _ => fields.group(|fields| table.add_to(fields)),
            },
            Is::Details(union) if row.said.schema.is_none() => {
                let tag = self.rows.iter().find(|row| matches!(row.is, Is::Tag));
                fields.intent(union, tag.map_or("type", |row| row.key), row)
            }
            _ => fields.row(row),
        })
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
        let tag = Some((self.key, tag));
        table.add_to(Fields { tag, ..Fields::new(generator) }).end(table)
    }
}

/// The schema of an object, field by field.
struct Fields<'g> {
    generator: &'g mut SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<&'static str>,
    /// The type and details of an intent, in each of their forms.
    intents: Vec<Schema>,
    /// Keys that an object has together with others.
    dependent: Map<String, Value>,
    /// The key that distinguishes the document from others, and what it is in this one.
    tag: Option<(&'static str, Schema)>,
    /// Fields of a type, which are there too.
    others: Schema,
    /// A field with two spellings has the one in which it is written.
    is_written: bool,
}

impl<'g> Fields<'g> {
    fn new(generator: &'g mut SchemaGenerator) -> Self {
        Self {
            generator,
            properties: Map::new(),
            required: Vec::new(),
            intents: Vec::new(),
            dependent: Map::new(),
            tag: None,
            others: Schema::default(),
            is_written: false,
        }
    }

    /// Adds the field of a row.
    fn row(mut self, row: &'static Row) -> Self {
        let sentence = row.said.sentence;
        let mut schema = match self.tag.take_if(|(key, _)| *key == row.key) {
            Some((_, tag)) => tag,
            None => row.said.schema_of(&row.is, self.generator),
        };

        match row.presence {
            Presence::Required => self.required(row.key, sentence, schema),
            Presence::Spelled([first, _]) if !self.is_written => {
                self.property(first, sentence, schema)
            }
            _ => {
                without_null(&mut schema);
                self.property(row.key, sentence, schema)
            }
        }
    }

    fn required(mut self, key: &'static str, sentence: &str, schema: Schema) -> Self {
        self.required.push(key);
        self.property(key, sentence, schema)
    }

    /// Adds all fields of a type.
    fn beside(mut self, schema: fn(&mut SchemaGenerator) -> Schema) -> Self {
        self.others = schema(self.generator);
        self
    }

    /// Adds an intent: its type and its details at these keys, in each of their forms.
    fn intent(mut self, union: &'static Union, tag: &str, row: &Row) -> Self {
        let form = |table: &&'static Table| {
            let mut details = table.said.schema_of(&Is::Flag, self.generator);
            details.insert("description".into(), "The details of the intent.".into());
            json_schema!({
                "properties": {
                    tag: { "const": table.tag, "description": "The type of the intent." },
                    row.key: details,
                },
                "required": [tag, row.key],
            })
        };
        self.intents = union.tables.iter().map(form).collect();
        self
    }

    /// Adds the fields of another document, all or none.
    fn group(mut self, fields: impl FnOnce(Self) -> Self) -> Self {
        let others: Vec<String> = self.properties.keys().cloned().collect();
        let outer = core::mem::take(&mut self.required);
        let mut group = fields(self);

        let needed = core::mem::replace(&mut group.required, outer);
        for key in group.properties.keys().filter(|key| !others.contains(key)) {
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

    /// Allows other fields if the table does.
    fn end(self, table: &Table) -> Schema {
        match table.others {
            Others::Refused => self.close(table.said.sentence),
            _ => self.open(table.said.sentence),
        }
    }

    /// Allows no other field.
    fn close(self, sentence: &str) -> Schema {
        let key =
            if self.intents.is_empty() { "additionalProperties" } else { "unevaluatedProperties" };
        let mut schema = self.open(sentence);
        schema.insert(key.into(), false.into());
        schema
    }

    /// Allows other fields.
    fn open(self, sentence: &str) -> Schema {
        let Self { properties, required, intents, dependent, others: mut schema, .. } = self;
        schema.insert("type".into(), "object".into());

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
