//! Comparison of the core's schemas with its readers. A document that a reader accepts satisfies
//! its schema. A document that satisfies its schema is accepted, unless it breaks a rule that no
//! schema can express. [`Schemas`] judges by schema only, [`read`] by the core, and [`broken`] by a
//! second implementation of those rules.

mod reader;
mod rules;

mod generated;
mod vectors;

pub use reader::{ANSWERS, DOCUMENTS, OTHERS, comes_back, read};
pub use rules::broken;

use std::collections::HashMap;

use jsonschema::Validator;
use sendoff::schema::{Boundary, UnexpressedRule};
use serde_json::{Value, json};

/// Validators by the name of a definition.
#[derive(Debug)]
pub struct Schemas {
    document: Value,
    validators: HashMap<String, Validator>,
}

impl Schemas {
    /// The schemas of the boundary.
    pub fn new() -> Self {
        Self::of(Boundary::new().schema)
    }

    /// The schemas of a JSON Schema document with definitions.
    pub fn of(document: Value) -> Self {
        jsonschema::meta::validate(&document).expect("the document is a JSON Schema");
        Self { document, validators: HashMap::new() }
    }

    /// Returns `true` if a value satisfies a schema.
    pub fn accept(&mut self, schema: &Value, value: &Value) -> bool {
        let Self { document, validators } = self;
        let validator = validators.entry(schema.to_string()).or_insert_with(|| {
            let mut root = schema.as_object().cloned().unwrap_or_default();
            root.insert("$schema".into(), document["$schema"].clone());
            root.insert("$defs".into(), document["$defs"].clone());
            jsonschema::validator_for(&Value::Object(root)).expect("a schema")
        });
        validator.is_valid(value)
    }
}

/// The counts of the verdicts of schema and reader.
#[derive(Debug, Default)]
pub struct Tally {
    /// Accepted by both.
    pub accepted: usize,
    /// Refused by both.
    pub refused: usize,
    /// Refused by the reader only, for these rules.
    pub unexpressed: HashMap<&'static str, usize>,
}

impl Tally {
    /// Judges a text by both.
    ///
    /// # Panics
    ///
    /// If they disagree, and no unexpressed rule is the reason.
    pub fn judge(&mut self, schemas: &mut Schemas, name: &str, schema: &Value, text: &str) {
        let accepted = read(name, text).expect("the name of a reader");
        // A schema cannot judge text that is not JSON.
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            assert!(!accepted, "{name} is read from what is no JSON: {text}");
            return;
        };
        let valid = schemas.accept(schema, &value);
        let broken = broken(name, text, &value);
        assert_eq!(
            accepted,
            valid && broken.is_empty(),
            "{name}: the schema says {valid}, the unexpressed rules {broken:?}, the reader {accepted}: {text}"
        );
        match (accepted, valid) {
            (true, _) => self.accepted += 1,
            (false, false) => self.refused += 1,
            (false, true) => {
                for rule in broken {
                    *self.unexpressed.entry(UnexpressedRule::as_str(rule)).or_default() += 1;
                }
            }
        }
    }

    /// The number of all verdicts.
    pub fn asked(&self) -> usize {
        self.accepted + self.refused + self.unexpressed.values().sum::<usize>()
    }
}

/// A reference to a definition.
pub fn definition(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}
