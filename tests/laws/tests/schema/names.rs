//! One type has one name, in Rust and in the schemas, which TypeScript is made from.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sendoff::schema::Boundary;
use serde_json::Value;

/// The types that the core's sources declare, with their number, and that of the public ones.
fn declared(folder: &Path, types: &mut BTreeMap<String, [usize; 2]>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            declared(&path, types);
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]\nmod tests").next().unwrap();
        for line in code.lines().map(str::trim_start) {
            let is_public = line.starts_with("pub ");
            let line = ["pub ", "pub(crate) ", "pub(super) "]
                .iter()
                .find_map(|visible| line.strip_prefix(visible))
                .unwrap_or(line);
            // `type` without `pub` belongs to a trait.
            let words: &[_] = &["struct ", "enum ", "type "][..if is_public { 3 } else { 2 }];
            if let Some(line) = words.iter().find_map(|word| line.strip_prefix(word)) {
                let name = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap();
                let [all, public] = types.entry(name.to_owned()).or_default();
                (*all, *public) = (*all + 1, *public + usize::from(is_public));
            }
        }
    }
}

fn types() -> BTreeMap<String, [usize; 2]> {
    let mut types = BTreeMap::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sendoff/src");
    declared(&sources, &mut types);
    assert!(types.len() > 50, "{types:?}");
    types
}

#[test]
fn no_two_public_types_have_one_name() {
    let twice: Vec<_> = types().into_iter().filter(|(_, [_, public])| *public > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn a_schema_has_the_name_of_its_one_type_in_rust() {
    let (types, boundary) = (types(), Boundary::new());
    let names = boundary.schema["$defs"].as_object().unwrap().keys();
    let is_one = |name: &&String| types.get(*name).is_some_and(|[all, _]| *all == 1);
    let others: Vec<_> = names.filter(|name| !is_one(name)).collect();
    assert!(others.is_empty(), "{others:?}");
}

/// The npm package writes a bigint as a fraction, which the core then refuses at its path.
#[test]
fn no_field_of_a_document_is_a_fraction() {
    fn numbers(schema: &Value) -> usize {
        match schema {
            Value::Object(fields) => {
                let is = fields.get("type").is_some_and(|kind| kind.to_string().contains("number"));
                usize::from(is) + fields.values().map(numbers).sum::<usize>()
            }
            Value::Array(parts) => parts.iter().map(numbers).sum(),
            _ => 0,
        }
    }

    let boundary = Boundary::new();
    assert_eq!(numbers(&boundary.schema), 0);

    // What has no type accepts a fraction: values of any shape, which have a reader of their own.
    let definitions = boundary.schema["$defs"].as_object().unwrap();
    let keys = ["type", "$ref", "const", "enum", "oneOf", "anyOf", "allOf"];
    let any =
        definitions.iter().filter(|(_, schema)| keys.iter().all(|key| schema.get(key).is_none()));
    assert_eq!(any.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Opaque"]);
}
