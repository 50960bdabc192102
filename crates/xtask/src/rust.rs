//! The tests in Rust of the workspace's default members, whose binaries are compiled once and run
//! by two parts.
//!
//! Every command names targets and no packages, or all packages but one whose features others need too: with another choice
//! of packages cargo would choose other features for what they depend on, and compile it again.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{
    Outcome,
    process::{self, command, run as finish, said},
    project,
};

/// The package with the gateway, and its binary of tests that wait on sockets, so that many of them run at a time.
const GATEWAY: &str = "sendoff-gateway";
const WAITING: &str = "http";
const AT_A_TIME: &str = "--test-threads=8";

/// What cargo says of the binaries with tests, as [`compile`] notes it.
const BINARIES: &str = "target/test/binaries.jsonl";

/// A binary with tests.
struct Binary {
    package: String,
    name: String,
    program: PathBuf,
    /// The folder that cargo would run it in.
    folder: PathBuf,
}

/// Compiles the tests, and notes their binaries. The core's examples and the programs of the packages are compiled too; examples of
/// other packages are tools.
pub(crate) fn compile() -> Outcome {
    let tests = "cargo test --no-run --message-format json-render-diagnostics --tests";
    let messages =
        said(&format!("{tests} --example bot --example estimate --example limits --example sign"))?;
    println!("{} binaries with tests", messages.lines().filter_map(binary).count());
    project::write(&project::at(BINARIES), &messages)
}

/// The binary that a message of cargo's is about.
fn binary(message: &str) -> Option<Binary> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_test = message.get("profile")?.get("test")?.as_bool()?;
    let folder = Path::new(message.get("manifest_path")?.as_str()?).parent()?.to_owned();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let name = message.get("target")?.get("name")?.as_str()?.to_owned();
    let program = message.get("executable")?.as_str()?.into();
    is_test.then_some(Binary { package, name, program, folder })
}

fn binaries() -> Result<Vec<Binary>, String> {
    Ok(project::read(BINARIES)?.lines().filter_map(binary).collect())
}

/// The gateway's tests, many at a time.
pub(crate) fn gateway() -> Outcome {
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
        let mut tests = command(program);
        tests.args((package == GATEWAY && name == WAITING).then_some(AT_A_TIME));
        // As cargo runs it.
        tests.current_dir(&folder).env("CARGO_MANIFEST_DIR", &folder);
        if finish(&mut tests).is_err() {
            failed.push(format!("{package}: {name}"));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
}

/// The default members of the workspace without one, as arguments of cargo.
pub(crate) fn all_but(other: &str) -> Result<Vec<String>, String> {
    let metadata = metadata()?;
    let members: Vec<_> = array(&metadata, "workspace_default_members").collect();
    let packages = array(&metadata, "packages")
        .filter(|package| package.get("id").is_some_and(|id| members.contains(&id)));
    let names = packages.filter_map(|package| package.get("name")?.as_str());
    Ok(names.filter(|name| *name != other).map(|name| format!("--package={name}")).collect())
}

/// What cargo knows of the workspace.
pub(crate) fn metadata() -> Result<Value, String> {
    serde_json::from_str(&said("cargo metadata --format-version 1 --locked --no-deps")?)
        .map_err(|error| format!("cargo metadata: {error}"))
}

/// The items of a list; none if it is absent.
pub(crate) fn array<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The names of the tests, without their modules, and whether they are ignored.
pub(crate) fn names() -> Result<BTreeMap<String, bool>, String> {
    let mut all = BTreeMap::new();
    for binary in binaries()? {
        for (more, is_ignored) in [(None, false), (Some("--ignored"), true)] {
            let mut tests = command(&binary.program);
            tests.args(["--list", "--format", "terse"]).args(more);
            let list = process::answer(&mut tests)?;
            let tests = list.lines().filter_map(|line| line.strip_suffix(": test"));
            let names = tests.filter_map(|test| test.rsplit("::").next());
            all.extend(names.map(|name| (name.to_owned(), is_ignored)));
        }
    }
    Ok(all)
}
