//! What makes a release impossible: uncommitted changes, lock files that are stale, versions that
//! differ, and names of others.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{VERSION, crates};
use crate::{Outcome, process, project};

/// The names that the project's owner has, by registry.
const OWNED: &str = "crates/xtask/src/release/owned.json";

/// Checks all, and names every reason.
pub(super) fn check() -> Outcome {
    let found = [
        ("committed", committed()),
        ("locks", locks()),
        ("versions", versions()),
        ("names", names()),
    ];
    let reasons: Vec<_> = found
        .into_iter()
        .filter_map(|(what, found)| Some(format!("{what}: {}", found.err()?)))
        .collect();
    if reasons.is_empty() {
        Ok(())
    } else {
        Err(format!("this cannot be released\n{}", reasons.join("\n")))
    }
}

fn committed() -> Outcome {
    let changes = process::answer(&mut process::quiet("git", &["status", "--porcelain"]), "")?;
    if changes.is_empty() {
        Ok(())
    } else {
        Err(format!("expected no uncommitted changes, found:\n{changes}"))
    }
}

fn locks() -> Outcome {
    cargo_locks()?;
    npm_locks()
}

/// Cargo itself compares its lock files.
fn cargo_locks() -> Outcome {
    for lock in listed("*Cargo.lock")?.lines() {
        let manifest = project::at(lock).with_file_name("Cargo.toml");
        let mut cargo = process::quiet(
            "cargo",
            &["metadata", "--locked", "--format-version", "1", "--manifest-path"],
        );
        process::answer(cargo.arg(&manifest), "")
            .map_err(|why| format!("{lock} is stale: {why}"))?;
    }
    Ok(())
}

/// A lock file of npm is compared with the `package.json` beside it.
fn npm_locks() -> Outcome {
    for lock in listed("*package-lock.json")?.lines() {
        let package = read(&lock.replace("package-lock.json", "package.json"))?;
        is_fresh(&package, &read(lock)?).map_err(|why| format!("{lock} is stale: {why}"))?;
    }
    Ok(())
}

/// The files of the project whose path ends so.
fn listed(pattern: &str) -> Result<String, String> {
    process::answer(&mut process::quiet("git", &["ls-files", pattern]), "")
}

/// Whether a lock file of npm is of this `package.json`.
fn is_fresh(package: &Value, lock: &Value) -> Outcome {
    let locked = lock
        .get("packages")
        .and_then(|packages| packages.get(""))
        .ok_or("expected the package itself, found none")?;
    for kind in ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] {
        let (stated, locked) = (package.get(kind), locked.get(kind));
        if stated != locked {
            let shown =
                |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), Value::to_string);
            return Err(format!("expected {kind} {}, found {}", shown(stated), shown(locked)));
        }
    }
    Ok(())
}

/// Crates and package have one version.
fn versions() -> Outcome {
    let package = read("bindings/sendoff-js/package.json")?;
    let found = package.get("version").and_then(Value::as_str).unwrap_or_default();
    if found != VERSION {
        return Err(format!(
            "expected version {VERSION} in bindings/sendoff-js/package.json, found {found}"
        ));
    }
    Ok(())
}

/// Each name is free in its registry, or the owner's; and the npm package asks for no other.
fn names() -> Outcome {
    let owned = read(OWNED)?;
    let is_owned = |registry: &str, name: &str| {
        let names = owned.get(registry).and_then(Value::as_array).into_iter().flatten();
        names.filter_map(Value::as_str).any(|owned| owned == name)
    };

    for name in crates::names()? {
        // Not `search`, which also finds other names.
        let asked = process::answer(
            &mut process::quiet("cargo", &["info", "--registry", "crates-io", &name]),
            "",
        );
        judged("crates.io", &name, is_owned("crates.io", &name), &asked, "could not find")?;
    }

    let package = read("bindings/sendoff-js/package.json")?;
    let asked_for = ["dependencies", "optionalDependencies", "peerDependencies"].into_iter();
    let asked_for = asked_for
        .filter_map(|kind| package.get(kind)?.as_object())
        .flat_map(|names| names.keys().cloned());
    let own = package.get("name").and_then(Value::as_str).map(str::to_owned);

    for name in own.into_iter().chain(asked_for).collect::<BTreeSet<_>>() {
        let asked = process::answer(&mut process::quiet("npm", &["view", &name, "name"]), "");
        judged("npm", &name, is_owned("npm", &name), &asked, "E404")?;
    }

    Ok(())
}

/// What a registry said of a name. One that does not answer says nothing, which is told.
fn judged(
    registry: &str,
    name: &str,
    is_owned: bool,
    asked: &Result<String, String>,
    free: &str,
) -> Outcome {
    match asked {
        Ok(_) if is_owned => println!("{registry}: `{name}` is ours"),
        Ok(_) => {
            return Err(format!(
                "expected a name of ours, found `{name}` of others on {registry}; ours are in {OWNED}"
            ));
        }
        Err(why) if why.contains(free) => println!("{registry}: `{name}` is free"),
        Err(_) if is_owned => {
            println!("{registry}: `{name}` is ours; NOT CHECKED, the registry does not answer")
        }
        Err(why) => {
            return Err(format!("expected an answer of {registry} about `{name}`, found: {why}"));
        }
    }
    Ok(())
}

/// What a person decides before the first publication, and which no command can.
pub(super) fn open() -> Result<Vec<String>, String> {
    let changelog = project::read("CHANGELOG.md")?;
    let heading = changelog.lines().find(|line| line.starts_with("## ")).unwrap_or_default();
    let mut open = Vec::new();

    if !is_dated(heading) {
        open.push(format!(
            "expected `## {VERSION} - YYYY-MM-DD` as the first version in CHANGELOG.md, found `{heading}`"
        ));
    }

    let package = read("bindings/sendoff-js/package.json")?;
    if package.get("repository").is_none() {
        open.push("`repository` in Cargo.toml and in bindings/sendoff-js/package.json".into());
    }

    let owned = read(OWNED)?;
    if owned.as_object().is_some_and(|registries| {
        registries.values().all(|names| names.as_array().is_some_and(Vec::is_empty))
    }) {
        open.push(format!("the names that are ours, in {OWNED}"));
    }

    Ok(open)
}

fn is_dated(heading: &str) -> bool {
    let date = heading.strip_prefix(&format!("## {VERSION} - ")).unwrap_or_default();
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    date.split('-').map(str::len).eq([4, 2, 2]) && date.split('-').all(is_number)
}

fn read(file: &str) -> Result<Value, String> {
    serde_json::from_str(&project::read(file)?).map_err(|error| format!("{file}: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_of_others_is_refused() {
        let there = Ok("sendoff".to_owned());
        let absent = Err("npm error code E404".to_owned());
        let silent = Err("ETIMEDOUT".to_owned());
        assert!(judged("npm", "sendoff", false, &there, "E404").is_err());
        assert!(judged("npm", "sendoff", true, &there, "E404").is_ok());
        assert!(judged("npm", "sendoff", false, &absent, "E404").is_ok());
        assert!(judged("npm", "sendoff", false, &silent, "E404").is_err());
        assert!(judged("npm", "sendoff", true, &silent, "E404").is_ok());
    }

    #[test]
    fn a_lock_of_another_package_is_stale() {
        let package = json!({ "devDependencies": { "esbuild": "0.28.2" } });
        let lock = |version: &str| json!({ "packages": { "": { "devDependencies": { "esbuild": version } } } });
        assert!(is_fresh(&package, &lock("0.28.2")).is_ok());
        assert!(is_fresh(&package, &lock("0.28.1")).is_err());
        assert!(is_fresh(&json!({}), &lock("0.28.2")).is_err());
        assert!(is_fresh(&package, &json!({})).is_err());
    }

    #[test]
    fn every_lock_of_npm_is_fresh() {
        npm_locks().unwrap();
    }

    /// Cargo compares the whole lock, and needs every source for it. That is for a release; this is what an edit of the core breaks.
    #[test]
    fn every_lock_outside_of_the_workspace_names_what_the_core_needs() {
        let args = ["metadata", "--no-deps", "--format-version", "1", "--locked"];
        let metadata = process::answer(&mut process::quiet("cargo", &args), "").unwrap();
        let metadata: Value = serde_json::from_str(&metadata).unwrap();
        let packages = metadata["packages"].as_array().unwrap();

        for lock in listed("tests/*/Cargo.lock").unwrap().lines() {
            let text = project::read(lock).unwrap();
            for package in packages {
                let name = package["name"].as_str().unwrap();
                let Some(locked) = locked(&text, name) else { continue };
                let needed = package["dependencies"].as_array().unwrap().iter().filter(|needed| {
                    needed["kind"].is_null()
                        && needed["optional"] == false
                        && needed["name"] != "sendoff"
                });
                for needed in needed.map(|needed| needed["name"].as_str().unwrap()) {
                    let manifest = lock.replace(".lock", ".toml");
                    let command = format!("cargo update --workspace --manifest-path {manifest}");
                    assert!(
                        locked.contains(&needed),
                        "{lock} is stale: `{name}` needs {needed}; `{command}`"
                    );
                }
            }
        }
    }

    /// The names of what a package needs, of a lock file.
    fn locked<'a>(lock: &'a str, name: &str) -> Option<Vec<&'a str>> {
        let mut packages = lock.split("\n[[package]]\n");
        let entry = packages.find(|entry| entry.starts_with(&format!("name = \"{name}\"\n")))?;
        let needed =
            entry.lines().filter_map(|line| line.strip_prefix(" \"")?.split(['"', ' ']).next());
        Some(needed.collect())
    }

    #[test]
    fn a_version_has_a_date() {
        assert!(is_dated(&format!("## {VERSION} - 2026-11-23")));
        for heading in
            ["## Unreleased", "## 9.9.9 - 2026-11-23", &format!("## {VERSION} - 2026-11")]
        {
            assert!(!is_dated(heading), "{heading}");
        }
    }
}
