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
        let item = line.trim_start_matches("#[non_exhaustive] ").strip_prefix("pub ")?;
        let (_, path) = item.split_once(' ').filter(|(kind, _)| "struct enum fn".contains(kind))?;
        let path = path.split(['(', '<', ' ']).next()?;
        path.rsplit_once("::").map(|(module, name)| (module.to_owned(), name.to_owned()))
    };
    let paths: Vec<_> = api.lines().filter_map(path_of).collect();
    let (root, inner): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|(module, _)| module == "sendoff");
    let mut moved: Vec<_> = root
        .iter()
        .filter_map(|(_, name)| inner.iter().find(|(_, known)| known == name))
        .map(|(module, name)| (format!("sendoff::{name}"), format!("{module}::{name}")))
        .collect();
    moved.sort();

    // Longer names first: a shorter one may be their beginning.
    let mut api = api.to_owned();
    for (at_root, in_module) in moved.iter().rev() {
        api = api.replace(at_root, in_module);
    }
    let mut seen = HashSet::new();
    let lines = api.lines().filter(|line| seen.insert(*line)).map(str::to_owned);
    let uses = moved.iter().map(|(_, path)| format!("pub use {path} at the root"));
    let mut uses: Vec<_> = uses.collect();
    uses.sort();
    lines.chain(uses).chain([String::new()]).collect::<Vec<_>>().join("\n")
}
