//! The documents and answers of the boundary as JSON Schema 2020-12, and the functions that use
//! them.
//!
//! The schemas are beside the readers and made from the same fields; this module only collects
//! them. A text is accepted if and only if its schema is satisfied and no rule of [`UnexpressedRule`], which
//! no schema can express, is broken. Every type that is read or answered also implements schemars'
//! `JsonSchema`.
//!
//! ```
//! let boundary = sendoff::schema::Boundary::new();
//! assert_eq!(boundary.schema["$defs"]["Address"]["pattern"], "^0x[0-9a-fA-F]{40}$");
//! assert_eq!(boundary.functions[0].name, "estimate");
//! ```

mod unexpressed_rule;

pub use crate::json::Form;
pub use crate::json::function_schema::{ArgumentSchema, FunctionSchema};
pub use unexpressed_rule::UnexpressedRule;

use alloc::{format, string::String, vec::Vec};

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::document::schema::{plain, tidy};
use crate::error::Error;
use crate::http::{RateLimitedBody, ServiceReply};
use crate::json;

/// The functions of [`crate::json`], and the schemas that they use.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// One JSON Schema with every document and answer in its `$defs`.
    pub schema: Value,
    /// Every function, in the order of [`crate::json`].
    pub functions: Vec<FunctionSchema>,
    /// Every function of the feature `signature`, in the order of [`crate::json::signature`].
    #[cfg(feature = "signature")]
    pub signature: Vec<FunctionSchema>,
}

impl Boundary {
    /// The `$id` of the schema.
    pub const ID: &'static str = "https://sendoff.invalid/schema/sendoff.schema.json";

    /// Collects the functions and schemas.
    #[must_use]
    pub fn new() -> Self {
        let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let functions = json::rows(&mut generator);
        #[cfg(feature = "signature")]
        let signature = json::signature::rows(&mut generator);
        generator.subschema_for::<Error>();
        generator.subschema_for::<ServiceReply>();
        generator.subschema_for::<RateLimitedBody>();
        let mut definitions = Value::Object(generator.take_definitions(true));
        tidy(&mut definitions);
        let schema = serde_json::json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": Self::ID,
            "title": "Sendoff",
            "description": format!(
                "Every document that Sendoff reads and every answer that it gives. A document is accepted where its schema \
                 is satisfied, and the rules that no schema can say are kept:\n{}",
                UnexpressedRule::list(),
            ),
            "$defs": definitions,
        });

        Self {
            schema,
            functions,
            #[cfg(feature = "signature")]
            signature,
        }
    }
}

/// Returns the first paragraph of a doc comment, for people who do not read Rust: without links, with a capital letter
/// and a period.
///
/// ```
/// assert_eq!(sendoff::schema::sentence("what it costs ([`max_cost`])\n\n# Errors"), "What it costs.");
/// ```
#[must_use]
pub fn sentence(doc: &str) -> String {
    plain(doc)
}

impl Default for Boundary {
    fn default() -> Self {
        Self::new()
    }
}
