//! The functions of the boundary: their arguments and answers.

use alloc::{string::String, vec::Vec};

use schemars::Schema;
use serde_json::Value;

use super::{Argument, Form, Function};
use crate::document::schema::plain;
use crate::json;

/// A function of [`crate::json`].
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionSchema {
    /// Its name in JavaScript and in vectors, such as `verifyEstimate`.
    pub name: &'static str,
    /// Its doc comment in Rust.
    pub doc: &'static str,
    /// Its arguments, in order.
    pub arguments: Vec<ArgumentSchema>,
    /// The schema of its answer.
    pub answer: Value,
    /// `true` if the npm entry `sendoff/sign` has it.
    pub is_for_signing: bool,
}

/// An argument of a [`FunctionSchema`].
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentSchema {
    /// Its name. The paths of its problems begin with it, unless it is the first.
    pub name: &'static str,
    /// Its form.
    pub form: Form,
    /// The schema of accepted values.
    pub schema: Value,
    /// `true` if it is optional.
    pub is_optional: bool,
}

impl FunctionSchema {
    /// A function with its doc comment, the schemas of its arguments, and that of its answer.
    pub(crate) fn of(
        Function { name, arguments, is_for_signing }: Function,
        doc: &'static str,
        schemas: Vec<Schema>,
        answer: Schema,
    ) -> Self {
        let schema_of = |(argument, schema): (&Argument, Schema)| {
            let Argument { name, form, is_optional } = *argument;
            ArgumentSchema { name, form, schema: schema.to_value(), is_optional }
        };
        let arguments = arguments.iter().zip(schemas).map(schema_of).collect();
        Self { name, doc, arguments, answer: answer.to_value(), is_for_signing }
    }

    /// The description, for people who do not read Rust.
    #[must_use]
    pub fn sentence(&self) -> String {
        said(self.doc.split_once(ERRORS).map_or(self.doc, |(text, _)| text))
    }

    /// The errors, for people who do not read Rust.
    #[must_use]
    pub fn errors(&self) -> String {
        said(self.doc.split_once(ERRORS).map_or("", |(_, errors)| errors))
    }
}

const ERRORS: &str = "# Errors";

/// Returns the sentences of a doc comment, with the names that functions have in JavaScript.
fn said(doc: &str) -> String {
    let in_javascript = |text: String, function: &Function| {
        text.replace(
            &["`", &snake(function.name), "`"].concat(),
            &["`", function.name, "`"].concat(),
        )
    };
    let text = json::FUNCTIONS.iter().fold(plain(doc), in_javascript);
    #[cfg(feature = "signature")]
    let text = json::signature::FUNCTIONS.iter().fold(text, in_javascript);
    text
}

/// Returns the name of a function in Rust for its name in JavaScript.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}
