//! `release --dry-run`: builds, tests and packs the files of a release, installs them in empty
//! folders, and prints their hashes. A person or `.github/workflows/release.yml` publishes these
//! files.

mod crates;
mod installed;
mod papers;
mod refusals;

use std::{fs, path::PathBuf};

use crate::{Outcome, build, lint, process, project, sbom, setup, steps::Steps, supply, test};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of the tool that compares the public API of a crate with its last release.
const SEMVER_CHECKS: &str = "0.51.0";

/// The folder of all files of a release.
pub(crate) fn folder() -> PathBuf {
    project::at("target/release-files")
}

/// `is_tested`: whether all tests run before.
pub(crate) fn run(is_tested: bool) -> Outcome {
    // Nothing is made of what cannot be released.
    refusals::check()?;

    let mut steps = Steps::new();
    if is_tested {
        steps.take("every test", || test::run(&["--all"]));
        steps.take("what can be said without running it", lint::run);
        steps.take("the public API against the last release", semver);
    }
    steps.take("licences and sources of what is linked", supply::licences);
    steps.take("advisories about what is linked and installed", supply::advisories);
    steps.take("the crates, built from their packages", crates::packed);
    steps.take("the crates' documentation, as docs.rs builds it", crates::documented);
    steps.take("the npm package, with the addon for this platform", build::pack);
    steps.take("SBOMs", sbom::run);
    steps.take("changes and provenance", papers::write);
    steps.take("all of it installed in empty folders", installed::check);
    let succeeded = steps.have_succeeded();
    steps.close()?;
    if succeeded { publishable(is_tested) } else { Ok(()) }
}

/// Compares the public API with the last tag `v*`. Before the first release there is nothing to compare.
fn semver() -> Outcome {
    let tag = process::answer(
        &mut process::quiet("git", &["describe", "--tags", "--abbrev=0", "--match", "v*"]),
        "",
    );
    let Ok(tag) = tag else {
        println!("there is no release yet: no tag `v*`");
        return Ok(());
    };
    let program = setup::cargo_tool("cargo-semver-checks", SEMVER_CHECKS)?;
    process::run(&mut process::loud(
        &program.to_string_lossy(),
        &["semver-checks", "-p", "sendoff", "--baseline-rev", &tag],
    ))
}

/// The files of the release, in order.
pub(crate) fn files() -> Result<Vec<PathBuf>, String> {
    let folder = folder();
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    Ok(files)
}

/// Prints the files of the release, each with its length and its SHA-256, and what a person has yet to decide.
fn publishable(is_tested: bool) -> Outcome {
    println!("would publish, from {}:\n", folder().display());
    process::run(process::loud("node", &["crates/xtask/src/hashes.mjs"]).args(files()?))?;
    for line in refusals::open()? {
        println!("\nnot decided yet: {line}");
    }
    println!("\nnothing was published{}", if is_tested { "" } else { ", and nothing was tested" });
    Ok(())
}
