//! `release --dry-run`: builds, tests and packs the files of a release, and prints their hashes. A person publishes these
//! files.

use std::{env, fs, path::PathBuf, process::id as process_id};

use crate::{Outcome, build, lint, process, project, refusals, sbom, setup, steps::Steps, supply, test};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The version of the tool that compares the public API of a crate with its last release.
const SEMVER_CHECKS: &str = "0.51.0";

pub(crate) fn run() -> Outcome {
    // Nothing is made of what cannot be released.
    refusals::check()?;

    let mut steps = Steps::new();
    steps.take("every test", || test::run(&["--all"]));
    steps.take("what can be said without running it", lint::run);
    steps.take("licences and sources of what is linked", supply::licences);
    steps.take("advisories about what is linked and installed", supply::advisories);
    steps.take("the public API against the last release", semver);
    steps.take("the crate, built from its package, and its examples", packaged);
    steps.take("the npm packages", build::pack);
    steps.take("SBOMs", sbom::run);
    let succeeded = steps.have_succeeded();
    steps.close()?;
    if succeeded { publishable() } else { Ok(()) }
}

/// Compares the public API with the last tag `v*`. Before the first release there is nothing to compare.
fn semver() -> Outcome {
    let tag = process::answer(&mut process::quiet("git", &["describe", "--tags", "--abbrev=0", "--match", "v*"]), "");
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

/// Packs the crate, and runs its examples in a folder that contains only the package.
fn packaged() -> Outcome {
    // Running them builds the crate too.
    process::run(&mut process::loud("cargo", &["package", "-p", "sendoff", "--quiet", "--no-verify"]))?;
    let folder = env::temp_dir().join(format!("sendoff-package-{}", process_id()));
    let outcome = fs::create_dir(&folder).map_err(|error| error.to_string()).and_then(|()| {
        let file = project::at(&format!("target/package/sendoff-{VERSION}.crate"));
        process::run(process::loud("tar", &["-xzf"]).arg(file).current_dir(&folder))?;
        ["estimate", "sign", "limits"].into_iter().try_for_each(|example| {
            let mut cargo = process::loud("cargo", &["run", "--quiet", "--locked", "--example", example]);
            let place = folder.join(format!("sendoff-{VERSION}"));
            process::run(cargo.current_dir(place).env("CARGO_TARGET_DIR", folder.join("target")))
        })
    });
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    outcome
}

/// Prints the files of the release, each with its length and its SHA-256.
fn publishable() -> Outcome {
    let folder = project::at("target/packages");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tgz"));
    files.sort();
    files.insert(0, project::at(&format!("target/package/sendoff-{VERSION}.crate")));
    files.push(project::package().join("dist/sendoff.wasm"));
    println!("would publish:\n");
    process::run(process::loud("node", &["crates/xtask/src/hashes.mjs"]).args(files))?;
    for line in refusals::open()? {
        println!("\nnot decided yet: {line}");
    }
    println!("\nnothing was published");
    Ok(())
}
