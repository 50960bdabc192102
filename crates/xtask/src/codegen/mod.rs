//! `codegen`: the files that are made from the core, committed so that they can be read, and checked for freshness.

mod commands;
#[expect(clippy::indexing_slicing, reason = "what a JSON value does not have is null")]
mod example;
#[expect(clippy::indexing_slicing, reason = "what a JSON value does not have is null")]
mod functions;
#[expect(clippy::indexing_slicing, reason = "what a JSON value does not have is null")]
mod openapi;
#[expect(clippy::indexing_slicing, reason = "what a JSON value does not have is null")]
mod reference;
mod schema;
#[expect(clippy::indexing_slicing, reason = "what a JSON value does not have is null")]
mod sides;
#[expect(clippy::indexing_slicing, reason = "what a JSON value does not have is null")]
mod types;

use std::fs;

use sendoff::{
    json,
    rate_limit::redis::{SCRIPT, SCRIPT_SHA1},
    schema::Boundary,
};
use serde_json::{Value, value::RawValue};

use crate::{Outcome, project};

pub(crate) fn write() -> Outcome {
    files()?
        .into_iter()
        .try_for_each(|(file, text)| fs::write(project::at(file), text).map_err(|error| format!("{file}: {error}")))
}

/// Fails where a file is not what [`write()`] would make it.
pub(crate) fn check() -> Outcome {
    files()?.into_iter().try_for_each(|(file, text)| match fs::read_to_string(project::at(file)) {
        Ok(found) if found == text => Ok(()),
        Ok(_) => Err(format!("{file} is stale: run `cargo xtask codegen`")),
        Err(error) => Err(format!("{file}: {error}; run `cargo xtask codegen`")),
    })
}

/// Every file and its text.
fn files() -> Result<[(&'static str, String); 12], String> {
    let made =
        |text: String| format!("// Made by `cargo xtask codegen` from the core; a change here is lost.\n\n{text}");
    let boundary = Boundary::new();
    Ok([
        ("bindings/sendoff-js/bin/commands.mjs", made(commands::table())),
        ("bindings/sendoff-js/src/functions.ts", made(functions::of_values(&boundary))),
        ("bindings/sendoff-js/src/signature-functions.ts", made(functions::of_signatures(&boundary))),
        ("bindings/sendoff-js/src/kinds.ts", made(functions::kinds(&boundary.schema))),
        ("bindings/sendoff-js/src/sign.ts", made(functions::for_signing(&boundary))),
        ("bindings/sendoff-js/src/text-functions.ts", made(functions::of_texts(&boundary))),
        ("bindings/sendoff-js/src/operations.ts", made(operations()?)),
        ("bindings/sendoff-js/src/redis-script.ts", made(redis_script())),
        ("bindings/sendoff-js/src/types.ts", made(types::types(&sides::Sides::new(&boundary)))),
        ("docs/schema/sendoff.schema.json", lines(&boundary.schema)),
        ("docs/schema/openapi.json", lines(&openapi::document(&boundary.schema))),
        ("docs/reference.md", reference::page(&boundary)?),
    ])
}

/// JSON for people to read.
fn lines(value: &Value) -> String {
    format!("{value:#}\n")
}

/// The table of operations, a line a row: as a constant it needs no call, and its types are its values.
fn operations() -> Result<String, String> {
    let answer = json::operations().map_err(|issues| format!("the core has no table of operations: {issues}"))?;
    let rows: Vec<&RawValue> =
        serde_json::from_str(&answer).map_err(|error| format!("the table of operations: {error}"))?;
    let lines: String = rows.iter().map(|row| format!("  {row},\n")).collect();
    Ok(format!(
        "/** The operations of the service, in the order of its specification. */\n\
         export const OPERATIONS = [\n{lines}] as const;\n"
    ))
}

/// The script of the shared windows: one literal, which bundlers drop where nobody uses it.
fn redis_script() -> String {
    let text = serde_json::json!(SCRIPT);
    format!(
        "/** The script that keeps rate windows in Redis 6.0 or Valkey, and the SHA-1 that the store knows it by. */\n\
         export const REDIS_SCRIPT = {{\n  text: {text},\n  sha1: \"{SCRIPT_SHA1}\",\n}} as const;\n"
    )
}
