//! Definitions by their use: as input, as answer, or both. In TypeScript, text of an input has any
//! form, and text of an answer has an exact type.

use std::collections::{BTreeMap, BTreeSet};

use sendoff::schema::{Boundary, Form, FunctionSchema};
use serde_json::Value;

use super::schema::{fields, is_text, named, parts, reached, reference};
use super::types::template;

/// A side of the boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Input, which callers write.
    Given,
    /// An answer of the core.
    Answered,
}

/// The types of each definition: one, or one for each side.
pub(super) struct Sides<'b> {
    pub(super) definitions: &'b Value,
    sides: BTreeMap<&'b str, &'static [Side]>,
}

impl<'b> Sides<'b> {
    pub(super) fn new(boundary: &'b Boundary) -> Self {
        let definitions = &boundary.schema["$defs"];
        let (mut given, mut answered) = (BTreeSet::new(), BTreeSet::new());

        for FunctionSchema { arguments, answer, .. } in
            boundary.functions.iter().chain(&boundary.signature)
        {
            named(answer, &mut answered);
            for argument in arguments.iter().filter(|argument| argument.form != Form::Text) {
                named(&argument.schema, &mut given);
            }
        }
        let [given, answered] = [given, answered].map(|names| reached(names, definitions));

        let sides = |(name, schema): (&'b String, _)| {
            let name = name.as_str();
            let is_both = given.contains(name) && answered.contains(name);
            let sides: &[_] = match given.contains(name) {
                _ if is_text(schema) => &[Side::Answered],
                true if is_both && knows_more(definitions, schema) => {
                    &[Side::Given, Side::Answered]
                }
                true if !is_both => &[Side::Given],
                _ => &[Side::Answered],
            };
            (name, sides)
        };
        let sides = fields(&boundary.schema, "$defs").map(sides).collect();
        Self { definitions, sides }
    }

    /// Definitions of answers alone.
    pub(super) fn of_answers(definitions: &'b Value) -> Self {
        Self { definitions, sides: BTreeMap::new() }
    }

    /// The sides for which a definition has a type.
    pub(super) fn of(&self, name: &str) -> &'static [Side] {
        self.sides.get(name).copied().unwrap_or_default()
    }

    /// The name of a definition's type on a side.
    pub(super) fn name(&self, name: &str, side: Side) -> String {
        let is_apart = side == Side::Answered && self.of(name).len() > 1;
        if is_apart { format!("Answered{name}") } else { name.to_owned() }
    }

    /// The names of all types.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.sides.iter().flat_map(|(name, sides)| sides.iter().map(|side| self.name(name, *side)))
    }
}

/// Returns `true` if a type contains text with an exact type.
fn knows_more(definitions: &Value, schema: &Value) -> bool {
    let pattern = schema["pattern"].as_str().unwrap_or_default();
    let is_narrow = is_text(schema) && template(pattern) != "string";
    let referred = reference(schema).map(|name| &definitions[name]);
    is_narrow
        || referred.is_some_and(|schema| knows_more(definitions, schema))
        || parts(schema).any(|part| knows_more(definitions, part))
}
