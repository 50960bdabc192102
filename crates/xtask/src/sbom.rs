//! `pack --sboms`: the components of what is published, as CycloneDX.
//!
//! The list is cargo's own of what is linked, for the features and the target of the program.
//! cargo-cyclonedx has listed what any feature of any member of the workspace could need: 225
//! components for modules that link 48, and took a minute of processors to compile.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use serde_json::{Value, json};

use crate::{Outcome, process, project, toolchain};

/// The crate, the programs and the addon, and what cargo needs to know of each.
const PROGRAMS: [(&str, &[&str]); 6] = [
    ("sendoff", &["--all-features"]),
    ("sendoff-gateway", &[]),
    ("sendoff-cli", &[]),
    ("sendoff-node", &[]),
    ("sendoff-wasm", &["--target", toolchain::WASM]),
    ("sendoff-sandbox-wasm", &["--target", toolchain::WASM]),
];

/// Writes the files beside the packages.
pub(crate) fn run() -> Outcome {
    let lock = fs::read_to_string(project::at("Cargo.lock"))
        .map_err(|error| format!("Cargo.lock: {error}"))?;
    let checksums = checksums(&lock);
    for (name, about) in PROGRAMS {
        let sbom = document(&tree(name, about)?, &checksums)?;
        keep(name, &serde_json::to_string_pretty(&sbom).map_err(|error| error.to_string())?)?;
    }
    let args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--omit=dev"];
    keep(
        "sendoff.npm",
        &process::answer(process::quiet("npm", &args).current_dir(project::package()), "")?,
    )
}

/// What cargo links into a package: a line for each dependency, with its depth, name, version, licence and source.
fn tree(name: &str, about: &[&str]) -> Result<String, String> {
    let format = ["--prefix", "depth", "--format", " {p}|{l}|{r}"];
    let args = ["tree", "--locked", "--package", name, "--edges", "normal,no-proc-macro"];
    process::answer(&mut process::quiet("cargo", &[&args, &format[..], about].concat()), "")
}

/// Writes a file, and prints how many components it lists.
fn keep(name: &str, text: &str) -> Outcome {
    let file = project::at("target/packages").join(format!("{name}.cdx.json"));
    let cannot = |why: String| format!("{}: {why}", file.display());
    let sbom: Value = serde_json::from_str(text).map_err(|error| cannot(error.to_string()))?;
    let components = sbom.get("components").and_then(Value::as_array).map_or(0, Vec::len);
    fs::write(&file, text).map_err(|error| cannot(error.to_string()))?;
    println!("{}: {components} components", file.display());
    Ok(())
}

/// The checksums of Cargo.lock, by package URL.
fn checksums(lock: &str) -> BTreeMap<String, String> {
    let entries = lock.split("[[package]]").filter_map(|package| {
        let value = |key: &str| {
            let line =
                package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
            line.strip_suffix('"')
        };
        Some((purl(value("name")?, value("version")?), value("checksum")?.to_owned()))
    });
    entries.collect()
}

/// A package's URL, which names it for every tool.
fn purl(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{version}")
}

/// The document about the tree of a package.
fn document(tree: &str, checksums: &BTreeMap<String, String>) -> Result<Value, String> {
    let mut components: BTreeMap<String, Value> = BTreeMap::new();
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut above: Vec<String> = Vec::new();
    for line in tree.lines() {
        let (depth, component) =
            component(line, checksums).ok_or_else(|| format!("cargo tree: {line}"))?;
        let name = component.get("bom-ref").and_then(Value::as_str).unwrap_or_default().to_owned();
        above.truncate(depth);
        if let Some(parent) = above.last() {
            needs.entry(parent.clone()).or_default().insert(name.clone());
        }
        above.push(name.clone());
        components.insert(name, component);
    }

    let first = above.first().and_then(|name| components.remove(name));
    let dependencies: Vec<Value> = needs
        .into_iter()
        .map(|(name, needed)| json!({ "ref": name, "dependsOn": needed }))
        .collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": { "component": first },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies,
    }))
}

/// The depth and the component of a line, as `2 hex v0.4.3|MIT OR Apache-2.0|https://github.com/KokaKiwi/rust-hex (*)`.
fn component(line: &str, checksums: &BTreeMap<String, String>) -> Option<(usize, Value)> {
    let (depth, line) = line.split_once(' ')?;
    let mut parts = line.trim_end_matches(" (*)").split('|');
    let (package, licence, source) = (parts.next()?, parts.next()?, parts.next()?);
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);

    let purl = purl(name, version);
    let mut component = json!({
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "purl": purl,
        // Older packages separate licences by a slash.
        "licenses": [{ "expression": licence.replace('/', " OR ") }],
    });
    let fields = component.as_object_mut()?;
    if let Some(sum) = checksums.get(&purl) {
        fields.insert("hashes".to_owned(), json!([{ "alg": "SHA-256", "content": sum }]));
    }
    if !source.is_empty() {
        fields.insert("externalReferences".to_owned(), json!([{ "type": "vcs", "url": source }]));
    }
    Some((depth.parse().ok()?, component))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_a_document() {
        let tree = "0 ours v0.1.0 (/home)|MIT|\n1 hex v0.4.3|MIT/Apache-2.0|https://a.example\n2 ff v1.0.0|MIT|\n1 ff v1.0.0|MIT| (*)\n";
        let lock = "[[package]]\nname = \"hex\"\nversion = \"0.4.3\"\nsource = \"registry\"\nchecksum = \"ab\"\n";
        let sbom = document(tree, &checksums(lock)).unwrap();
        assert_eq!(sbom.pointer("/metadata/component/purl"), Some(&json!("pkg:cargo/ours@0.1.0")));
        assert_eq!(
            sbom.pointer("/components/1/licenses/0/expression"),
            Some(&json!("MIT OR Apache-2.0"))
        );
        assert_eq!(sbom.pointer("/components/1/hashes/0/content"), Some(&json!("ab")));
        assert_eq!(sbom.get("components").and_then(Value::as_array).map(Vec::len), Some(2));
        let needs = json!([
            { "ref": "pkg:cargo/hex@0.4.3", "dependsOn": ["pkg:cargo/ff@1.0.0"] },
            { "ref": "pkg:cargo/ours@0.1.0", "dependsOn": ["pkg:cargo/ff@1.0.0", "pkg:cargo/hex@0.4.3"] },
        ]);
        assert_eq!(sbom.get("dependencies"), Some(&needs));
    }

    #[test]
    fn a_line_of_another_form_is_an_error() {
        let why = document("0 ours\n", &BTreeMap::new()).unwrap_err();
        assert_eq!(why, "cargo tree: 0 ours");
    }
}
