//! What the sources of the core are held to: where values are named, and how many macros there are.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The files that may name the dynamic `Value` of a document: the reader, the writer and the comparison of rows, and the files that
/// compare a reply by rows, or have details of several types.
const OF_VALUES: [&str; 19] = [
    "document/answer.rs",
    "document/compare.rs",
    "document/describe.rs",
    "document/field.rs",
    "document/from_serde.rs",
    "document/integer.rs",
    "document/items.rs",
    "document/mod.rs",
    "document/object.rs",
    "document/read.rs",
    "document/record.rs",
    "document/table.rs",
    "document/typed.rs",
    "document/value.rs",
    "estimate/comparison.rs",
    "estimate/expect.rs",
    "estimate/verify.rs",
    "intent/details.rs",
    "value/mod.rs",
];

/// The lines of the longest macro, which may only fall.
const LONGEST: usize = 242;

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the core has sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The files of the core by their paths, without comments and unit tests.
fn code() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sendoff/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source is text");
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: Vec<_> = code.collect();
        let name = path.strip_prefix(&root).expect("a file of the core").display().to_string();
        (name, code.join("\n"))
    };
    files.into_iter().map(read).collect()
}

fn names_values(code: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = code.split(|c| !is_of_word(c));
    // serde's and serde_json's are others.
    let others = code.contains("serde_json::Value") || code.contains("use serde_json::");
    !others && words.any(|word| word == "Value")
}

#[test]
fn values_are_named_where_records_are_read_and_compared() {
    let code = code();
    let named = code.iter().filter(|(name, code)| !name.ends_with("tests.rs") && names_values(code));
    let named: Vec<_> = named.map(|(name, _)| name.as_str()).collect();
    assert_eq!(named, OF_VALUES);
}

#[test]
fn macros_are_few_and_none_grows() {
    let code = code();
    let mut macros = Vec::new();
    for (name, code) in &code {
        for (at, _) in code.match_indices("macro_rules! ") {
            let text = &code[at..];
            let end = text.find("\n}").expect("a macro ends");
            macros.push((name, text[..end].lines().count()));
        }
    }
    assert!(macros.len() <= 11, "{macros:?}");
    let long: Vec<_> = macros.iter().filter(|(_, lines)| *lines > LONGEST).collect();
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn a_search_finds_the_functions_of_the_boundary() {
    let (_, code) = code().into_iter().find(|(name, _)| name == "json/mod.rs").expect("json/mod.rs");
    for function in ["pub fn estimate(", "pub fn verify_estimate(", "pub fn read_reply("] {
        assert!(code.contains(function), "{function}");
    }
}
