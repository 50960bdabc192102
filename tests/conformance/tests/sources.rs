//! What the sources of the core are held to: where values are named, and how many macros there are.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
};

/// The files that may name the dynamic `Value` of a document: the reader, the writer and the comparison of rows, and the files that
/// compare a reply by rows, or have details of several types.
const OF_VALUES: &str = "\
    document/choice.rs document/compare.rs document/describe.rs document/field.rs document/from_serde.rs \
    document/integer.rs document/items.rs document/mod.rs document/object.rs document/read.rs \
    document/record.rs document/table.rs document/typed.rs document/value.rs estimate/comparison.rs \
    estimate/scope.rs estimate/verify.rs intent/mod.rs value/newtype.rs value/opaque.rs";

/// The lines of the longest macro, which may only fall.
const LONGEST: usize = 136;

/// The files of the core by their paths, without comments and unit tests.
fn code() -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sendoff/src");
    let (mut folders, mut files) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.sort();

    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path)?;
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: Vec<_> = code.collect();
        Ok((path.strip_prefix(&root)?.display().to_string(), code.join("\n")))
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
fn values_are_named_where_records_are_read_and_compared() -> Result<(), Box<dyn Error>> {
    let code = code()?;
    let named = code.iter().filter(|(_, code)| names_values(code));
    let named: Vec<_> = named.map(|(name, _)| name.as_str()).collect();
    assert_eq!(named.join(" "), OF_VALUES);
    Ok(())
}

#[test]
fn macros_are_few_and_none_grows() -> Result<(), Box<dyn Error>> {
    let mut lengths = Vec::new();
    for (name, code) in code()? {
        for text in code.split("macro_rules! ").skip(1) {
            let text = text.split("\n}").next().unwrap_or_default();
            lengths.push((text.lines().count(), name.clone()));
        }
    }
    lengths.sort();
    assert!(lengths.len() <= 10, "{lengths:?}");
    assert!(lengths.iter().all(|(lines, _)| *lines <= LONGEST), "{lengths:?}");
    Ok(())
}

#[test]
fn a_search_finds_the_functions_of_the_boundary() -> Result<(), Box<dyn Error>> {
    let code = code()?;
    let (_, boundary) = code.iter().find(|(name, _)| name == "json/mod.rs").ok_or("json/mod.rs")?;
    for function in ["pub fn estimate(", "pub fn verify_estimate(", "pub fn read_reply("] {
        assert!(boundary.contains(function), "{function}");
    }
    Ok(())
}
