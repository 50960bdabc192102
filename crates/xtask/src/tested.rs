//! Tests that a table names: whether they exist, and whether they run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use serde_json::Value;

use crate::{Outcome, project, rust};

/// The tests that run.
pub(crate) struct Tests {
    /// The tests of `cargo test`: their names without modules, and whether they are ignored.
    rust: BTreeMap<String, bool>,
    /// The cases of each suite in `tests/vectors`, by its file's name.
    vectors: BTreeMap<String, BTreeSet<String>>,
}

/// The files of tests in JavaScript that `cargo xtask test` runs, the dashboard's with `--all`: all
/// that begin and end so.
const SUITES: [(&str, &str); 6] = [
    ("apps/playground/browser/", ".mjs"),
    ("bindings/sendoff-js/test/", ".test.mjs"),
    ("bindings/sendoff-js/examples/node-backend/tests/", ".mjs"),
    ("docs/test/", ".test.mjs"),
    ("tests/aliases/guards", ".mjs"),
    ("tests/aliases/gateway", ".mjs"),
];

/// The tests that `cargo xtask test --all` runs. They are read as text, because compiling them takes a minute.
const CHAIN: &str = "tests/chain/tests/";

/// The folder of the suites of vectors.
const VECTORS: &str = "tests/vectors";

impl Tests {
    pub(crate) fn read() -> Result<Self, String> {
        Ok(Self { rust: rust::names()?, vectors: vectors()? })
    }

    /// The number of tests that a cell names, and each of them that does not exist or does not run.
    pub(crate) fn check(&self, cell: &str) -> (usize, Vec<String>) {
        let named = named(cell);
        let wrong = named.iter().filter_map(|(name, file)| {
            let why = self.problem(name, file)?;
            Some(format!("`{name}` in `{file}`: {why}"))
        });
        (named.len(), wrong.collect())
    }

    fn problem(&self, name: &str, file: &str) -> Option<&'static str> {
        if file.ends_with(".json") {
            return match self.vectors.get(file) {
                None => Some("there is no such suite in `tests/vectors`"),
                Some(cases) if !cases.contains(name) => Some("there is no such case"),
                Some(_) => None,
            };
        }

        let Ok(text) = fs::read_to_string(project::at(file)) else {
            return Some("there is no such file");
        };
        if file.starts_with(CHAIN) && file.ends_with(".rs") {
            let mut tests = text.split("#[test]").skip(1).map(str::trim_start);
            let is_test = tests.any(|test| test.starts_with(&format!("fn {name}(")));
            return (!is_test).then_some("there is no such test, or it is ignored");
        }

        if file.ends_with(".rs") {
            return match self.rust.get(name) {
                _ if !text.contains(&format!("fn {name}(")) => Some("there is no such test"),
                None => Some("`cargo test` does not run it"),
                Some(true) => Some("it is ignored"),
                Some(false) => None,
            };
        }

        let quotes = [
            format!("test('{name}'"),
            format!("test(`{name}`"),
            format!(": {name}`"),
            format!(": {name}'"),
            // A walk through a page in Chromium.
            format!("export async function {name}("),
        ];
        if !quotes.iter().any(|call| text.contains(call.as_str())) {
            return Some("there is no such test");
        }

        let is_run =
            SUITES.iter().any(|(start, end)| file.starts_with(start) && file.ends_with(end));
        (!is_run).then_some("`cargo xtask test` does not run it")
    }
}

/// Fails with the problems of a file, if it has any.
pub(crate) fn none(file: &str, wrong: &[String]) -> Outcome {
    if wrong.is_empty() { Ok(()) } else { Err(format!("{file}:\n  {}", wrong.join("\n  "))) }
}

/// The tests of a cell, such as `` `a` and `b` in `file`, `c` in `file` and `other` ``, each with its file. A vector is a case
/// in the file of its suite, such as `` `a call` in `rate-window.json` ``.
fn named(cell: &str) -> Vec<(String, String)> {
    let (mut names, mut files, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let is_file = |text: &str| {
        let is_source = text.contains('/') && (text.ends_with(".rs") || text.ends_with(".mjs"));
        is_source || text.ends_with(".json")
    };

    for text in cell.split('`').skip(1).step_by(2).chain([""]) {
        if is_file(text) {
            files.push(text);
            continue;
        }
        if !files.is_empty() || text.is_empty() {
            // A name without a file is in none.
            let files = if files.is_empty() { vec![""] } else { std::mem::take(&mut files) };
            let names = std::mem::take(&mut names);
            all.extend(
                names.iter().flat_map(|name: &&str| {
                    files.iter().map(|file| ((*name).into(), (*file).into()))
                }),
            );
        }
        names.push(text);
    }

    all
}

fn vectors() -> Result<BTreeMap<String, BTreeSet<String>>, String> {
    let files =
        fs::read_dir(project::at(VECTORS)).map_err(|error| format!("{VECTORS}: {error}"))?;
    let files = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    files
        .map(|file| {
            let suite: Value = serde_json::from_str(&project::read(&format!("{VECTORS}/{file}"))?)
                .map_err(|error| format!("{VECTORS}/{file}: {error}"))?;
            let cases = suite.get("cases").and_then(Value::as_array).into_iter().flatten();
            let names =
                cases.filter_map(|case| case.get("name")?.as_str().map(str::to_owned)).collect();
            Ok((file, names))
        })
        .collect()
}
