//! The gateway's admin API: the definitions of the core in its document, and the dashboard's types of it.
//! `cargo xtask codegen admin` writes the rest of the document, from the gateway's routes.

use serde_json::Value;

use super::openapi::components;
use super::schema::names;
use super::sides::{Side, Sides};
use super::types::Types;

/// The document with the definitions of the core that its own refer to.
pub(super) fn document(committed: &str, schema: &Value) -> Result<Value, String> {
    let mut document: Value = serde_json::from_str(committed).map_err(|error| error.to_string())?;
    let mut names = names(&document);
    names.retain(|name| schema["$defs"].get(name).is_some());
    let of_core = components(names, schema);
    if let Some(all) = document["components"]["schemas"].as_object_mut() {
        all.retain(|name, _| schema["$defs"].get(name).is_none());
        all.extend(of_core);
    }
    Ok(document)
}

/// What the dashboard reads, each with the name of its definition. The package has the types of the core.
const SHOWN: &str =
    "Session Application Alteration Key NewKey Sponsorship Refused Filled Change Late";

/// The types of these definitions in TypeScript.
pub(super) fn types(document: &Value) -> String {
    let definitions = &document["components"]["schemas"];
    let sides = Sides::of_answers(definitions);
    let mut text = String::from(
        "import type { Address, AnsweredCatalogue as Catalogue, FeeAmount, Policy, Verdict } from 'sendoff'\n",
    );
    for name in SHOWN.split(' ') {
        text.push('\n');
        // What the dashboard sends.
        let side = if name == "Alteration" { Side::Given } else { Side::Answered };
        Types { sides: &sides, side }.definition(&mut text, name, &definitions[name]);
    }
    text
}
