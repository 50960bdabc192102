//! What the sources of the core are held to: one type has one name, in Rust and in the schemas, which TypeScript is made from, and
//! the dynamic value of a document is named where records are read and compared; and macros are few and short.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sendoff::schema::Boundary;

/// The files that may name the dynamic `Value` of a document: the reader, the writer and the comparison of rows, and the files that
/// compare a reply by rows, or have details of several types.
const OF_VALUES: &str = "\
    document/choice.rs document/compare.rs document/describe.rs document/field.rs document/from_serde.rs \
    document/integer.rs document/items.rs document/mod.rs document/object.rs document/read.rs \
    document/record.rs document/table.rs document/typed.rs document/value.rs estimate/comparison.rs \
    estimate/scope.rs estimate/verify.rs intent/mod.rs value/newtype.rs value/opaque.rs";

/// The code of the files in a folder of the core, without comments and unit tests, by their paths.
fn code(folder: &str, found: &mut BTreeMap<String, String>) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sendoff/src");
    for entry in fs::read_dir(sources.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            code(&format!("{path}/"), found);
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        found.insert(path, lines.collect::<Vec<_>>().join("\n"));
    }
}

fn all_code() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    code("", &mut found);
    found
}

/// The types that the code declares, with their number.
fn types() -> BTreeMap<String, usize> {
    let mut types = BTreeMap::new();
    for line in all_code().values().flat_map(|code| code.lines()).map(str::trim_start) {
        let mut visible = ["pub ", "pub(crate) ", "pub(super) "].iter();
        let bare = visible.find_map(|visible| line.strip_prefix(visible)).unwrap_or(line);
        // `type` without `pub` belongs to a trait.
        let words: &[_] = &["struct ", "enum ", "type "][..if bare == line { 2 } else { 3 }];
        if let Some(line) = words.iter().find_map(|word| bare.strip_prefix(word)) {
            let name = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap();
            *types.entry(name.to_owned()).or_default() += 1;
        }
    }
    assert!(types.len() > 50, "{types:?}");
    types
}

#[test]
fn a_schema_has_the_name_of_its_one_type_in_rust() {
    let (types, boundary) = (types(), Boundary::new());
    let names = boundary.schema["$defs"].as_object().unwrap().keys();
    let is_one = |name: &&String| types.get(*name) == Some(&1);
    let others: Vec<_> = names.filter(|name| !is_one(name)).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn values_are_named_where_records_are_read_and_compared() {
    let names_values = |code: &String| {
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        // serde's and serde_json's are others.
        let others = code.contains("serde_json::Value") || code.contains("use serde_json::");
        !others && words.any(|word| word == "Value")
    };
    let code = all_code();
    let named = code.iter().filter(|(_, code)| names_values(code));
    let named: Vec<_> = named.map(|(path, _)| path.as_str()).collect();
    assert_eq!(named.join(" "), OF_VALUES);
}

/// Ten macros, and none longer than a page of 80 lines.
#[test]
fn macros_are_few_and_short() {
    let code = all_code();
    let macros = code.values().flat_map(|code| code.split("macro_rules! ").skip(1));
    let lengths: Vec<_> =
        macros.map(|text| text.split("\n}").next().unwrap().lines().count()).collect();
    assert!(lengths.len() <= 10 && lengths.iter().all(|lines| *lines < 80), "{lengths:?}");
}
