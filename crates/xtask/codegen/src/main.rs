//! `codegen`: writes every committed file that is made from the project's own code. They are committed so that they can be
//! read and reviewed. What is measured is written by the command that measures it (CONTRIBUTING.md).

#[expect(clippy::indexing_slicing, reason = "indexing an absent key of a JSON value returns null")]
mod admin;
#[expect(clippy::indexing_slicing, reason = "a case of the corpus is an object")]
mod cli;
#[expect(clippy::indexing_slicing, reason = "indexing an absent key of a JSON value returns null")]
mod example;
#[expect(clippy::indexing_slicing, reason = "indexing an absent key of a JSON value returns null")]
mod functions;
#[expect(clippy::indexing_slicing, reason = "indexing an absent key of a JSON value returns null")]
mod openapi;
#[expect(clippy::indexing_slicing, reason = "indexing an absent key of a JSON value returns null")]
mod payloads;
mod project;
#[expect(clippy::indexing_slicing, reason = "indexing an absent key of a JSON value returns null")]
mod reference;
mod sandbox;
mod schema;
#[expect(clippy::indexing_slicing, reason = "indexing an absent key of a JSON value returns null")]
mod sides;
mod tables;
#[expect(clippy::indexing_slicing, reason = "indexing an absent key of a JSON value returns null")]
mod types;

use std::{
    collections::{BTreeSet, HashSet},
    env, fs,
    process::ExitCode,
};

use sendoff::{
    http::{HeaderNames, Onward},
    json,
    rate_limit::redis::{SCRIPT, SCRIPT_SHA1},
    schema::Boundary,
};
use serde_json::{Value, value::RawValue};

/// The result of a command, with a sentence for people if it fails.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let outcome = match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => write(),
        ["--check"] => check(),
        _ => Err("usage: codegen [--check]".into()),
    };

    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> Outcome {
    let files = files()?;
    for file in left_over(&files) {
        fs::remove_file(project::at(&file)).map_err(|error| format!("{file}: {error}"))?;
        println!("{file} is removed");
    }
    for (file, text) in files.into_iter().filter(|(file, text)| !is_fresh(file, text)) {
        let path = project::at(&file);
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(path, text))
            .map_err(|error| format!("{file}: {error}"))?;
        println!("{file} is written");
    }
    Ok(())
}

/// Fails if [`write()`] would change a file, with the first lines that differ in each.
fn check() -> Outcome {
    let files = files()?;
    let left_over = left_over(&files).into_iter().map(|file| format!("{file} is left over"));
    let stale = files.iter().filter(|(file, text)| !is_fresh(file, text));
    let stale = stale.map(|(file, text)| format!("{file} is stale{}", difference(file, text)));

    let wrong: Vec<_> = left_over.chain(stale).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}
`cargo xtask codegen` writes them",
        wrong.join("\n")
    ))
}

fn is_fresh(file: &str, text: &str) -> bool {
    project::read(file).is_ok_and(|found| found == text)
}

/// The first lines that only one of both texts has.
fn difference(file: &str, text: &str) -> String {
    let known = project::read(file).unwrap_or_default();
    let only = |these: &str, others: &str, sign: &str| -> Vec<String> {
        let others: HashSet<_> = others.lines().collect();
        let lines = these.lines().filter(|line| !others.contains(line)).take(5);
        lines
            .map(|line| format!("\n  {sign} {}", line.chars().take(200).collect::<String>()))
            .collect()
    };
    [only(&known, text, "-"), only(text, &known, "+")].concat().concat()
}

/// Pages of functions that are not there any more.
fn left_over(files: &[(String, String)]) -> Vec<String> {
    let names = project::names_in(reference::FOLDER, ".md").into_iter();
    let names = names.map(|name| format!("{}/{name}", reference::FOLDER));
    names.filter(|name| files.iter().all(|(file, _)| file != name)).collect()
}

/// A text with other lines between two of its lines.
fn between(text: &str, start: &str, end: &str, lines: &str) -> Result<String, String> {
    let parts =
        text.split_once(start).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) =
        parts.ok_or_else(|| format!("expected the lines `{start}` and `{end}`, found neither"))?;
    Ok(format!("{before}{start}{lines}{end}{after}"))
}

/// The page of the classes of `tests/bypass`.
const BYPASS: &str = "docs/reference/tables/bypass.md";

/// Every file and its text.
fn files() -> Result<Vec<(String, String)>, String> {
    let made = |text: String| {
        format!("// Made by `cargo xtask codegen` from the core. Do not edit this file.\n\n{text}")
    };
    let boundary = Boundary::new();
    let types = types::types(&sides::Sides::new(&boundary));
    let of_admins = admin::document(&project::read("docs/schema/admin.json")?, &boundary.schema)?;

    let files = [
        ("bindings/sendoff-js/src/functions.ts", made(functions::of_values(&boundary))),
        (
            "bindings/sendoff-js/src/signature-functions.ts",
            made(functions::of_signatures(&boundary)),
        ),
        ("bindings/sendoff-js/src/sign.ts", made(functions::for_signing(&boundary, &types))),
        ("bindings/sendoff-js/src/text-functions.ts", made(functions::of_texts(&boundary))),
        ("bindings/sendoff-js/src/operations.ts", made(operations()?)),
        ("bindings/sendoff-js/src/http/headers.ts", made(headers())),
        ("bindings/sendoff-js/src/redis-script.ts", made(redis_script())),
        ("bindings/sendoff-js/src/types.ts", made(types.clone())),
        ("bindings/sendoff-js/src/json-schemas.ts", made(json_schemas(&boundary.schema)?)),
        ("docs/schema/sendoff.schema.json", lines(&boundary.schema)),
        ("docs/schema/admin.json", lines(&of_admins)),
        (
            "apps/playground/src/dashboard/types.ts",
            format!(
                "// Made by `cargo xtask codegen` from docs/schema/admin.json. Do not edit this file.\n\n{}",
                admin::types(&of_admins)
            ),
        ),
        ("docs/schema/openapi.json", lines(&openapi::document(&boundary.schema))),
        ("docs/schema/openapi-okto-v1.json", lines(&payloads::document(&boundary.schema)?)),
    ];
    let files = files.into_iter().chain(corpora()?).map(|(file, text)| (file.to_owned(), text));
    Ok(files.chain(reference::pages(&boundary)?).chain(tables::pages()?).collect())
}

/// Files with a part that is written by hand: the text around a table, or what is asked.
fn corpora() -> Result<[(&'static str, String); 6], String> {
    Ok([
        (BYPASS, bypass::page(&project::read(BYPASS)?)),
        ("tests/bypass/cases.json", bypass::committed_json()),
        (cli::FILE, cli::corpus(&project::read(cli::FILE)?)?),
        ("tests/conformance/messages.txt", conformance::messages(&[project::at("tests/vectors")])?),
        (sandbox::PAGE, sandbox::page(&project::read(sandbox::PAGE)?)?),
        (sandbox::RECORD, sandbox::record(&project::read(sandbox::RECORD)?)?),
    ])
}

/// Indented JSON.
fn lines(value: &Value) -> String {
    format!("{value:#}\n")
}

/// The JSON Schemas of the input documents and of all that they refer to, each as a literal that bundlers drop if it is unused. A
/// reference is the constant itself, so what is referred to comes first.
fn json_schemas(schema: &Value) -> Result<String, String> {
    let mut left: Vec<_> = openapi::documents(schema).into_iter().collect();
    let mut known = BTreeSet::new();
    let mut text = String::from(
        "/** A JSON Schema whose references are schemas. */\nexport type JsonSchema = Readonly<Record<string, unknown>>\n\n",
    );
    while !left.is_empty() {
        let (ready, rest): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|(_, schema)| openapi::references(schema).is_subset(&known));
        if ready.is_empty() {
            return Err("expected definitions without a circle, found one".into());
        }
        for (name, schema) in ready {
            let schema = schema.to_string();
            let mut parts = schema.split("\"$ref\":\"#/components/schemas/");
            text.push_str(&format!(
                "export const {name}: JsonSchema = {}",
                parts.next().unwrap_or_default()
            ));
            for (reference, rest) in parts.filter_map(|part| part.split_once('"')) {
                text.push_str(&format!("\"$ref\":{reference}{rest}"));
            }
            text.push('\n');
            known.insert(name);
        }
        left = rest;
    }
    Ok(text)
}

/// The headers of requests that a host in JavaScript keeps from its backend, as the gateway does.
fn headers() -> String {
    let kinds = [
        ("needed", Onward::Needed),
        ("hopByHop", Onward::HopByHop),
        ("ofProxies", Onward::OfProxies),
        ("ofTargets", Onward::OfTargets),
    ];
    let rows: String = kinds
        .iter()
        .map(|(key, kind)| {
            let HeaderNames { names, beginnings } = kind.names();
            let of = |names: &[&str]| {
                format!(
                    "[{}]",
                    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
                )
            };
            format!("  {key}: {{ names: {}, beginnings: {} }},\n", of(names), of(beginnings))
        })
        .collect();
    format!(
        "/** Names of headers, and how others begin. */\n\
         export interface HeaderNames {{\n  readonly names: readonly string[]\n  readonly beginnings: readonly string[]\n}}\n\n\
         /** What becomes of a request's header on the way to the backend (`sendoff::http::Onward`). All others go on. */\n\
         export const HEADERS: {{ readonly [kind in {}]: HeaderNames }} = {{\n{rows}}}\n",
        kinds.map(|(key, _)| format!("'{key}'")).join(" | ")
    )
}

/// The table of operations, one row per line. As a constant it needs no call, and TypeScript knows its values.
fn operations() -> Result<String, String> {
    let answer = json::operations()
        .map_err(|issues| format!("the core has no table of operations: {issues}"))?;
    let rows: Vec<&RawValue> = serde_json::from_str(&answer)
        .map_err(|error| format!("the table of operations: {error}"))?;
    let lines: String = rows.iter().map(|row| format!("  {row},\n")).collect();
    Ok(format!(
        "/** The operations of the service, in the order of its specification. */\n\
         export const OPERATIONS = [\n{lines}] as const;\n"
    ))
}

/// The script of the shared windows, as one literal that bundlers drop if it is unused.
fn redis_script() -> String {
    let text = serde_json::json!(SCRIPT);
    format!(
        "/** The script that keeps rate windows in Redis 6.0 or Valkey, and the SHA-1 that the store knows it by. */\n\
         export const REDIS_SCRIPT = {{\n  text: {text},\n  sha1: \"{SCRIPT_SHA1}\",\n}} as const;\n"
    )
}
