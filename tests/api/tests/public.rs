//! `crates/sendoff/api.txt` is the public API of the core, and shows what a release adds, changes or removes.
//! `SENDOFF_WRITE_API=1 cargo test -p api` writes it.
//!
//! rustdoc's JSON has no stable format. With a compiler of another format nothing is compared, and the test prints that.

use std::{
    env, fs,
    io::{Write as _, stderr},
    path::Path,
    process::Command,
};

/// The format of rustdoc's JSON that this version of `public-api` reads: that of Rust 1.95.
const FORMAT: u64 = 57;

#[test]
fn the_public_api_equals_api_txt() {
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
    let version = Command::new("rustdoc").arg("--version").output().expect("rustdoc is there").stdout;
    let version = String::from_utf8_lossy(&version).trim().to_owned();
    if format != FORMAT {
        tell(&format!("not done: api.txt was NOT COMPARED: {version} writes format {format}, expected {FORMAT}"));
        return;
    }
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
        .expect("an API of the format that was looked for");
    let file = root.join("crates/sendoff/api.txt");
    if env::var_os("SENDOFF_WRITE_API").is_some() {
        return fs::write(&file, api.to_string()).expect("the file can be written");
    }
    let known = fs::read_to_string(&file).expect("crates/sendoff/api.txt");
    let known: Vec<_> = known.lines().collect();
    let api = api.to_string();
    let found: Vec<_> = api.lines().collect();
    let less = known.iter().filter(|item| !found.contains(item)).map(|item| format!("\n- {item}"));
    let more = found.iter().filter(|item| !known.contains(item)).map(|item| format!("\n+ {item}"));
    let change: String = less.chain(more).collect();
    tell(&format!("api.txt was compared with {} items of {version}, format {format}", found.len()));
    assert!(change.is_empty(), "the public API changed; SENDOFF_WRITE_API=1 cargo test -p api writes it:{change}");
}

/// Prints a line that the test harness does not capture.
fn tell(line: &str) {
    // Without a standard error there is nobody to tell.
    let _told = writeln!(stderr(), "{line}");
}
