//! What is in a WebAssembly module, by crate and by function.

use std::{cmp::Reverse, collections::BTreeMap, fs, path::Path};

use rustc_demangle::demangle;
use wasmparser::{KnownCustom, Name, Parser, Payload};

/// How many functions are listed.
const LARGEST: usize = 20;

/// Prints what the functions of a module take.
pub(crate) fn list(module: &Path) -> Result<(), String> {
    let place = module.display();
    let bytes = fs::read(module).map_err(|error| format!("{place}: {error}"))?;
    let functions = functions(&bytes).map_err(|error| format!("{place}: {error}"))?;
    let name = module.file_stem().unwrap_or_default().to_string_lossy();

    println!("\n{name}, before wasm-opt: {} bytes, of which functions take", bytes.len());
    show(&functions);
    Ok(())
}

/// The bytes of each function's code, by its name.
fn functions(module: &[u8]) -> wasmparser::Result<Vec<(String, usize)>> {
    let (mut imported, mut sizes, mut names) = (0, Vec::new(), BTreeMap::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(imports) => imported = imports.count(),
            Payload::CodeSectionEntry(body) => sizes.push(body.range().len()),
            Payload::CustomSection(section) => {
                let KnownCustom::Name(section) = section.as_known() else { continue };
                for part in section {
                    let Name::Function(functions) = part? else { continue };
                    for function in functions {
                        let function = function?;
                        names.insert(function.index, format!("{:#}", demangle(function.name)));
                    }
                }
            }
            _ => {}
        }
    }

    let name = |index| names.get(&index).cloned().unwrap_or_else(|| "without a name".into());
    Ok((imported..).map(name).zip(sizes).collect())
}

/// Prints what crates and modules take together, and the largest functions.
fn show(functions: &[(String, usize)]) {
    let mut places = BTreeMap::<String, (usize, usize)>::new();
    for (name, size) in functions {
        let (bytes, count) = places.entry(place(name)).or_default();
        (*bytes, *count) = (bytes.saturating_add(*size), count.saturating_add(1));
    }

    let mut places: Vec<_> = places.into_iter().collect();
    places.sort_by_key(|(_, (bytes, _))| Reverse(*bytes));

    for (place, (bytes, count)) in places {
        println!("  {bytes:>8}  {place}, {count} functions");
    }

    println!("  the largest:");
    let mut functions: Vec<_> = functions.iter().collect();

    functions.sort_by_key(|(_, size)| Reverse(*size));
    for (name, size) in functions.into_iter().take(LARGEST) {
        println!("  {size:>8}  {name}");
    }
}

/// The crate of a function, and its module if the crate is the core. A method of a trait belongs to the type's crate.
fn place(name: &str) -> String {
    let path = name.trim_start_matches(['<', '&', '[', '(', '*']);
    let path = path.trim_start_matches("mut ").trim_start_matches("dyn ");
    let end =
        path.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(path.len());
    let mut parts = path.get(..end).unwrap_or_default().split("::");
    match (parts.next(), parts.next()) {
        (Some("sendoff"), Some(module)) => format!("sendoff::{module}"),
        (Some(place), _) => place.into(),
        (None, _) => name.into(),
    }
}
