//! Writes `crates/sendoff/api.txt`, the public API of the core, which shows what a release adds, changes or removes. With
//! `--check` it compares. `cargo xtask codegen [--check]` starts it.
//!
//! rustdoc's JSON has no stable format. With a compiler of another format nothing is written or compared, and that is printed.

use std::{
    collections::HashSet,
    env, fs,
    path::Path,
    process::{self, Command},
};

/// The format of rustdoc's JSON that this version of `public-api` reads: that of Rust 1.95.
const FORMAT: u64 = 57;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = root.join("target/api");
    let mut rustdoc = Command::new(env!("CARGO"));
    rustdoc.args(["rustdoc", "-p", "sendoff", "--lib", "--quiet"]);
    rustdoc.args(["--", "-Zunstable-options", "--output-format", "json"]);
    // The format is unstable, and only for it an unstable option is used.
    rustdoc.current_dir(&root).env("CARGO_TARGET_DIR", &target).env("RUSTC_BOOTSTRAP", "1");
    assert!(rustdoc.status().expect("cargo is there").success(), "rustdoc writes JSON");

    let json = target.join("doc/sendoff.json");
    let document: serde_json::Value =
        serde_json::from_slice(&fs::read(&json).expect("rustdoc wrote it")).expect("JSON");
    let format = document["format_version"].as_u64().expect("a format has a number");
    let version =
        Command::new("rustdoc").arg("--version").output().expect("rustdoc is there").stdout;
    let version = String::from_utf8_lossy(&version).trim().to_owned();
    if format != FORMAT {
        return eprintln!(
            "not done: api.txt was NOT COMPARED: {version} writes format {format}, expected {FORMAT}"
        );
    }

    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("an API of the format that was looked for");
    let api = in_modules(&api.to_string());
    let file = root.join("crates/sendoff/api.txt");
    let known = fs::read_to_string(&file).expect("crates/sendoff/api.txt");
    if env::args().nth(1).is_none_or(|argument| argument != "--check") {
        if api != known {
            fs::write(&file, api).expect("the file can be written");
            println!("crates/sendoff/api.txt is written");
        }
        return;
    }

    let known: Vec<_> = known.lines().collect();
    let found: Vec<_> = api.lines().collect();
    let less = known.iter().filter(|item| !found.contains(item)).map(|item| format!("\n- {item}"));
    let more = found.iter().filter(|item| !known.contains(item)).map(|item| format!("\n+ {item}"));
    let change: String = less.chain(more).collect();
    println!("api.txt was compared with {} items of {version}, format {format}", found.len());
    if !change.is_empty() {
        eprintln!("the public API changed; `cargo xtask codegen` writes it:{change}");
        process::exit(1);
    }
}

/// Returns the items with those that are at the root as well in their modules only, and at the end what the root has.
fn in_modules(api: &str) -> String {
    let path_of = |line: &str| {
        let item = line.trim_start_matches("#[non_exhaustive] ");
        let path = ["pub struct ", "pub enum ", "pub fn "]
            .iter()
            .find_map(|kind| item.strip_prefix(kind))?;
        let end = path.find(|c: char| c != ':' && !is_of_a_name(c)).unwrap_or(path.len());
        path[..end].rsplit_once("::").map(|(module, name)| (module.to_owned(), name.to_owned()))
    };
    let paths: Vec<_> = api.lines().filter_map(path_of).collect();
    let (root, inner): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|(module, _)| module == "sendoff");
    let module_of =
        |name: &str| inner.iter().find(|(_, known)| known == name).map(|(module, _)| module);

    let in_module = |line: &str| {
        let mut parts = line.split("sendoff::");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| {
            let name = part.split(|c| !is_of_a_name(c)).next().unwrap_or_default();
            let is_at_root = root.iter().any(|(_, known)| known == name);
            let module = if is_at_root { module_of(name) } else { None };
            text + module.map_or("sendoff", String::as_str) + "::" + part
        })
    };
    let mut lines: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for line in api.lines().map(in_module) {
        if seen.insert(line.clone()) {
            lines.push(line);
        }
    }

    let mut uses: Vec<_> = root
        .iter()
        .filter_map(|(_, name)| Some(format!("pub use {}::{name} at the root", module_of(name)?)))
        .collect();
    uses.sort();
    [lines, uses, vec![String::new()]].concat().join("\n")
}

fn is_of_a_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
