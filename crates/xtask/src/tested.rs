//! Tests that a table names: whether they exist, and whether they run.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, mem,
};

use serde_json::Value;

use crate::{
    project,
    rust::{self, array},
};

/// The tests that run.
pub(crate) struct Tests {
    /// The tests of `cargo test`: their names without modules, and whether they are ignored.
    rust: BTreeMap<String, bool>,
    /// The cases of each suite in `tests/vectors`, by its file's name.
    vectors: BTreeMap<String, BTreeSet<String>>,
}

/// The files of tests in JavaScript that `cargo xtask test` runs, the dashboard's and the SDKs' with
/// `--all`: all that begin and end so.
const SUITES: [(&str, &str); 7] = [
    ("apps/playground/browser/", ".mjs"),
    ("bindings/sendoff-js/test/", ".test.mjs"),
    ("bindings/sendoff-js/examples/node-backend/tests/", ".mjs"),
    ("docs/test/", ".test.mjs"),
    ("tests/aliases/guards", ".mjs"),
    ("tests/aliases/gateway", ".mjs"),
    ("tests/sdks/", ".test.mjs"),
];

/// The tests that `cargo xtask test --all` runs. They are read as text, because compiling them takes a minute.
const CHAIN: &str = "tests/chain/tests/";

/// The folder of the suites of vectors.
const VECTORS: &str = "tests/vectors";

impl Tests {
    pub(crate) fn read() -> Result<Self, String> {
        let suites = project::files_in(&project::at(VECTORS), ".json")?;
        let suites = suites.iter().map(|file| {
            let suite = fs::read(file).map_err(project::cannot(file))?;
            let suite: Value = serde_json::from_slice(&suite)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            let names = array(&suite, "cases").filter_map(|case| case.get("name")?.as_str());
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, names.map(str::to_owned).collect()))
        });
        Ok(Self { rust: rust::names()?, vectors: suites.collect::<Result<_, String>>()? })
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
            let is_case = self.vectors.get(file).is_some_and(|cases| cases.contains(name));
            return (!is_case).then_some("there is no such case in `tests/vectors`");
        }
        let Ok(text) = fs::read_to_string(project::at(file)) else {
            return Some("there is no such file");
        };
        if file.ends_with(".rs") {
            let function = format!("fn {name}(");
            if file.starts_with(CHAIN) {
                let mut tests = text.split("#[test]").skip(1).map(str::trim_start);
                let is_test = tests.any(|test| test.starts_with(&function));
                return (!is_test).then_some("there is no such test, or it is ignored");
            }
            return match self.rust.get(name) {
                _ if !text.contains(&function) => Some("there is no such test"),
                None => Some("`cargo test` does not run it"),
                Some(is_ignored) => is_ignored.then_some("it is ignored"),
            };
        }

        // The last is a walk through a page in Chromium.
        let calls = ["test('NAME'", "test(`NAME`", ": NAME`", ": NAME'", "async function NAME("];
        let is_run =
            SUITES.iter().any(|(start, end)| file.starts_with(start) && file.ends_with(end));
        match calls.iter().any(|call| text.contains(&call.replace("NAME", name))) {
            false => Some("there is no such test"),
            true => (!is_run).then_some("`cargo xtask test` does not run it"),
        }
    }
}

/// The tests of a cell, such as `` `a` and `b` in `file`, `c` in `file` and `other` ``, each with its file. A vector is a case
/// in the file of its suite, such as `` `a call` in `rate-window.json` ``. A name without a file is in none.
fn named(cell: &str) -> Vec<(&str, &str)> {
    let (mut names, mut files, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for text in cell.split('`').skip(1).step_by(2).chain([""]) {
        let is_source = text.contains('/') && (text.ends_with(".rs") || text.ends_with(".mjs"));
        if is_source || text.ends_with(".json") {
            files.push(text);
            continue;
        }
        if !files.is_empty() || text.is_empty() {
            let files = if files.is_empty() { vec![""] } else { mem::take(&mut files) };
            let names = mem::take(&mut names);
            all.extend(names.iter().flat_map(|name| files.iter().map(|file| (*name, *file))));
        }
        names.push(text);
    }
    all
}
