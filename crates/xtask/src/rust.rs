//! The tests in Rust of the workspace's default members, whose binaries are compiled once and run
//! by two parts.
//!
//! Every command names targets and no packages, or all packages but one whose features others need too: with another choice
//! of packages cargo would choose other features for what they depend on, and compile it again.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Outcome,
    process::{self, sh, words},
    project, setup,
};

/// The package with the gateway, and its binary of tests that wait on sockets, so that many of them run at a time.
const GATEWAY: &str = "sendoff-gateway";
const WAITING: &str = "http";
const AT_A_TIME: &str = "--test-threads=8";

/// A binary with tests.
#[derive(Serialize, Deserialize)]
struct Binary {
    package: String,
    name: String,
    program: PathBuf,
    /// The folder that cargo would run it in.
    folder: PathBuf,
}

/// The examples of the core. Those of other packages are tools.
const EXAMPLES: [&str; 4] = ["bot", "estimate", "limits", "sign"];

/// Compiles the programs that other parts start, with one test of each: by `cargo build` their dependencies would have other
/// features than in the tests, and be compiled twice.
pub(crate) fn programs() -> Outcome {
    sh(&format!("cargo test --no-run --test conformance --test {WAITING}"))
}

/// Compiles the tests, and notes their binaries. The core's examples and the programs of the packages are compiled too.
pub(crate) fn compile() -> Outcome {
    let mut cargo = words("cargo test --no-run --message-format json-render-diagnostics --tests");
    cargo.args(EXAMPLES.iter().flat_map(|example| ["--example", example]));
    let messages = process::output(&mut cargo)?;
    let binaries: Vec<Binary> = messages.lines().filter_map(binary).collect();
    let text = serde_json::to_string_pretty(&binaries).map_err(|error| error.to_string())?;
    println!("{} binaries with tests", binaries.len());
    fs::create_dir_all(project::at("target/test"))
        .and_then(|()| fs::write(noted(), text))
        .map_err(|error| format!("{}: {error}", noted().display()))
}

/// The binary that a message of cargo's is about.
fn binary(message: &str) -> Option<Binary> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_test = message.get("profile")?.get("test")?.as_bool()?;
    let manifest = Path::new(message.get("manifest_path")?.as_str()?);
    let folder = manifest.parent()?.to_owned();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let name = message.get("target")?.get("name")?.as_str()?.to_owned();
    let program = message.get("executable")?.as_str()?.into();
    is_test.then_some(Binary { package, name, program, folder })
}

fn noted() -> PathBuf {
    project::at("target/test/binaries.json")
}

fn binaries() -> Result<Vec<Binary>, String> {
    let text =
        fs::read_to_string(noted()).map_err(|error| format!("{}: {error}", noted().display()))?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// The gateway's tests, many at a time.
pub(crate) fn gateway() -> Outcome {
    setup::redis()?;
    setup::postgres()?;
    run(|binary| binary.package == GATEWAY)
}

/// All other tests.
pub(crate) fn others() -> Outcome {
    run(|binary| binary.package != GATEWAY)
}

/// Runs binaries one after the other, even if an earlier one failed.
fn run(are_chosen: impl Fn(&Binary) -> bool) -> Outcome {
    let mut failed = Vec::new();
    for Binary { package, name, program, folder } in binaries()?.into_iter().filter(are_chosen) {
        println!("\n{package}: {name}");
        let mut tests = process::loud(&program.to_string_lossy(), &[]);
        tests.args((package == GATEWAY && name == WAITING).then_some(AT_A_TIME));
        // As cargo runs it.
        tests.current_dir(&folder).env("CARGO_MANIFEST_DIR", &folder);
        if process::run(&mut tests).is_err() {
            failed.push(format!("{package}: {name}"));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
}

/// The examples in documentation.
pub(crate) fn examples() -> Outcome {
    // `--doc` would run those of the core twice.
    process::run(words("cargo test --doc").args(all_but("units")?))
}

/// Unit tests, the core's vectors and its sentences, without the examples of the README.
pub(crate) fn units() -> Outcome {
    let mut cargo = words("cargo test --lib --test conformance");
    // `--lib` would compile those of the core optimised, though `units` has them.
    process::run(cargo.args(all_but("sendoff")?).args(["--", "--skip", "readme"]))
}

/// The default members of the workspace without one, as arguments of cargo.
pub(crate) fn all_but(other: &str) -> Result<Vec<String>, String> {
    let metadata = metadata("--no-deps")?;
    let members: Vec<_> = array(&metadata, "workspace_default_members").collect();
    let packages = array(&metadata, "packages")
        .filter(|package| package.get("id").is_some_and(|id| members.contains(&id)));
    let names = packages.filter_map(|package| package.get("name")?.as_str());
    Ok(names.filter(|name| *name != other).map(|name| format!("--package={name}")).collect())
}

/// The packages that cargo knows: with `--no-deps` those of the workspace.
pub(crate) fn packages(argument: &str) -> Result<Vec<Value>, String> {
    Ok(array(&metadata(argument)?, "packages").cloned().collect())
}

fn metadata(argument: &str) -> Result<Value, String> {
    let mut cargo = words(&format!("cargo metadata --format-version 1 --locked {argument}"));
    serde_json::from_str(&process::answer(&mut cargo, "")?)
        .map_err(|error| format!("cargo metadata: {error}"))
}

fn array<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The names of the tests, without their modules, and whether they are ignored.
pub(crate) fn names() -> Result<BTreeMap<String, bool>, String> {
    let mut all = BTreeMap::new();
    for binary in binaries()? {
        let list = |more: &[&str]| {
            let mut tests =
                process::loud(&binary.program.to_string_lossy(), &["--list", "--format", "terse"]);
            process::answer(tests.args(more), "")
        };
        for (more, is_ignored) in [(&[][..], false), (&["--ignored"], true)] {
            let list = list(more)?;
            let tests = list.lines().filter_map(|line| line.strip_suffix(": test"));
            all.extend(
                tests.map(|test| {
                    (test.rsplit("::").next().unwrap_or_default().to_owned(), is_ignored)
                }),
            );
        }
    }
    Ok(all)
}
