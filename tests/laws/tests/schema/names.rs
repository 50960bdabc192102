//! One type has one name, in Rust, in the schemas and in TypeScript.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sendoff::schema::Boundary;

/// The types that the core's sources declare, with their number: all of them, or the public ones.
fn declared(folder: &Path, public: bool, types: &mut BTreeMap<String, usize>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            declared(&path, public, types);
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]\nmod tests").next().unwrap();
        for line in code.lines().map(str::trim_start) {
            let visible = line.strip_prefix("pub ");
            if public && visible.is_none() {
                continue;
            }
            let line = visible
                .or(line.strip_prefix("pub(crate) "))
                .or(line.strip_prefix("pub(super) "))
                .unwrap_or(line);
            // `type` without `pub` belongs to a trait.
            let words: &[_] = if visible.is_some() {
                &["struct ", "enum ", "type "]
            } else {
                &["struct ", "enum "]
            };
            let declared = words.iter().find_map(|word| line.strip_prefix(word));
            let name: String = declared
                .into_iter()
                .flat_map(str::chars)
                .take_while(char::is_ascii_alphanumeric)
                .collect();
            if !name.is_empty() {
                *types.entry(name).or_default() += 1;
            }
        }
    }
}

fn types(public: bool) -> BTreeMap<String, usize> {
    let mut types = BTreeMap::new();
    declared(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sendoff/src"),
        public,
        &mut types,
    );
    assert!(types.len() > 50, "{types:?}");
    types
}

#[test]
fn no_two_public_types_have_one_name() {
    let twice: Vec<_> = types(true).into_iter().filter(|(_, count)| *count > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn a_schema_has_the_name_of_its_one_type_in_rust() {
    let types = types(false);
    let boundary = Boundary::new();
    let definitions = boundary.schema["$defs"].as_object().unwrap();
    let others: Vec<_> = definitions.keys().filter(|name| types.get(*name) != Some(&1)).collect();
    assert!(others.is_empty(), "{others:?}");
}

/// Types of the npm package alone, which no schema has.
const TYPESCRIPT_ALONE: [&str; 4] = ["Document", "Hex", "ParamsOf", "RequestOf"];

#[test]
fn a_type_of_typescript_has_the_name_of_its_schema() {
    let boundary = Boundary::new();
    let types =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/sendoff-js/src/types.ts");
    let types = fs::read_to_string(types).unwrap();
    let exported = types.lines().filter_map(|line| {
        let line = line.strip_prefix("export type ").or(line.strip_prefix("export interface "))?;
        line.split(|character: char| !character.is_ascii_alphanumeric()).next()
    });
    let others: Vec<_> = exported
        .filter(|name| {
            // A request of one intent has the name of its details.
            let name =
                name.strip_prefix("Answered").or(name.strip_suffix("Request")).unwrap_or(name);
            boundary.schema["$defs"]
                .get(name)
                .or(boundary.schema["$defs"].get(format!("{name}Request")))
                .is_none()
                && !TYPESCRIPT_ALONE.contains(&name)
        })
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

/// The npm package writes a bigint as a fraction, which the core then refuses at its path.
#[test]
fn no_field_of_a_document_is_a_fraction() {
    fn numbers(schema: &serde_json::Value) -> usize {
        match schema {
            serde_json::Value::Object(fields) => {
                usize::from(
                    fields.get("type").is_some_and(|kind| kind.to_string().contains("number")),
                ) + fields.values().map(numbers).sum::<usize>()
            }
            serde_json::Value::Array(parts) => parts.iter().map(numbers).sum(),
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
