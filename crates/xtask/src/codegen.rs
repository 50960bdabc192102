//! `codegen`: the files that are made from the core, committed so that they can be read, and checked for freshness.

use std::fs;

use sendoff::json;
use serde_json::value::RawValue;

use crate::{Outcome, project};

pub(crate) fn write() -> Outcome {
    let file = project::at(OPERATIONS);
    fs::write(&file, operations()?).map_err(|error| format!("{OPERATIONS}: {error}"))
}

/// Fails where a file is not what [`write()`] would make it.
pub(crate) fn check() -> Outcome {
    match fs::read_to_string(project::at(OPERATIONS)) {
        Ok(text) if text == operations()? => Ok(()),
        Ok(_) => Err(format!("{OPERATIONS} is stale: run `cargo xtask codegen`")),
        Err(error) => Err(format!("{OPERATIONS}: {error}; run `cargo xtask codegen`")),
    }
}

const OPERATIONS: &str = "bindings/sendoff-js/src/operations.ts";

/// The table of operations, a line a row: as a constant it needs no call, and its types are its values.
fn operations() -> Result<String, String> {
    let answer = json::operations().map_err(|issues| format!("the core has no table of operations: {issues}"))?;
    let rows: Vec<&RawValue> =
        serde_json::from_str(&answer).map_err(|error| format!("the table of operations: {error}"))?;
    let lines: String = rows.iter().map(|row| format!("  {row},\n")).collect();
    Ok(format!(
        "// Made by `cargo xtask codegen` from the core; a change here is lost.\n\n\
         /** The operations of the service, in the order of its specification. */\n\
         export const OPERATIONS = [\n{lines}] as const;\n"
    ))
}
