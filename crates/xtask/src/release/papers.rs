//! What goes with the files of a release: its changes, its components, and how it was made.

use std::fs;

use serde_json::{Value, json};

use super::{VERSION, files, folder};
use crate::{Outcome, process, project};

/// Copies the npm package and the SBOMs to the other files, and writes the changes and the provenance.
pub(super) fn write() -> Outcome {
    let packages = project::at("target/packages");
    for ending in [".tgz", ".cdx.json"] {
        for file in project::files_in(&packages, ending)? {
            let to = folder().join(file.file_name().unwrap_or_default());
            fs::copy(&file, &to).map_err(|error| format!("{}: {error}", to.display()))?;
        }
    }
    put("CHANGES.md", &changes(&project::read("CHANGELOG.md")?))?;
    put("provenance.json", &format!("{:#}\n", provenance()?))
}

fn put(name: &str, text: &str) -> Outcome {
    let file = folder().join(name);
    fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}", file.display());
    Ok(())
}

/// The first version of the changelog.
fn changes(changelog: &str) -> String {
    let versions = changelog.find("## ").and_then(|at| changelog.get(at..)).unwrap_or_default();
    let end = versions
        .get(2..)
        .and_then(|rest| rest.find("\n## "))
        .map_or(versions.len(), |at| at.saturating_add(3));
    versions.get(..end).unwrap_or_default().to_owned()
}

/// The statement of how the files were made, as in-toto and SLSA have it. The workflow signs one of its own with its identity.
fn provenance() -> Result<Value, String> {
    let answer =
        |program: &str, args: &[&str]| process::answer(&mut process::quiet(program, args), "");
    let digest = |files: &[std::path::PathBuf]| -> Result<Vec<Value>, String> {
        let text = process::answer(process::quiet("sha256sum", &["--"]).args(files), "")?;
        let entry = |line: &str| {
            let (sha256, file) = line.split_once("  ")?;
            let name = std::path::Path::new(file).file_name()?.to_string_lossy().into_owned();
            Some(json!({ "name": name, "digest": { "sha256": sha256 } }))
        };
        Ok(text.lines().filter_map(entry).collect())
    };

    let made: Vec<_> =
        files()?.into_iter().filter(|file| !file.ends_with("provenance.json")).collect();
    let locks = ["Cargo.lock", "bindings/sendoff-js/package-lock.json"].map(project::at);

    Ok(json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": digest(&made)?,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "cargo xtask release",
                "externalParameters": { "version": VERSION, "commit": answer("git", &["rev-parse", "HEAD"])? },
                "internalParameters": {
                    "rustc": answer("rustc", &["--version"])?,
                    "node": answer("node", &["--version"])?,
                },
                "resolvedDependencies": digest(&locks)?,
            },
            "runDetails": { "builder": { "id": "a machine of the project, without a signature" } },
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_those_of_the_first_version() {
        assert_eq!(changes("# Changelog\n\n## B\n\n- two\n\n## A\n\n- one\n"), "## B\n\n- two\n\n");
        assert_eq!(changes("# Changelog\n\n## A\n\n- one\n"), "## A\n\n- one\n");
    }
}
