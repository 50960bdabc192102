//! The crates of a release.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{VERSION, folder};
use crate::{Outcome, process, project, toolchain};

/// The names of the crates that are published, in the order in which they need each other.
pub(super) fn names() -> Result<Vec<String>, String> {
    let args = ["metadata", "--no-deps", "--format-version", "1", "--locked"];
    let metadata: Value =
        serde_json::from_str(&process::answer(&mut process::loud("cargo", &args), "")?)
            .map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata.get("packages").and_then(Value::as_array).into_iter().flatten();
    let mut names: Vec<String> = packages
        .filter(|package| package.get("publish").is_some_and(Value::is_null))
        .filter_map(|package| Some(package.get("name")?.as_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// The folder where packages are built, one for each commit. cargo takes a package of a name and a
/// version from the same folder for the same for ever: one of an earlier commit would be built.
pub(super) fn target() -> Result<PathBuf, String> {
    let commit = process::answer(&mut process::quiet("git", &["rev-parse", "HEAD"]), "")?;
    Ok(project::at("target/release-crates").join(commit))
}

/// Packs them all, and builds each from its package: what cargo would upload.
pub(super) fn packed() -> Outcome {
    let target = target()?;
    remove_others(&target)?;

    let mut cargo =
        process::quiet("cargo", &["publish", "--workspace", "--dry-run", "--locked", "--quiet"]);
    process::run(cargo.env("CARGO_TARGET_DIR", &target))?;
    // Some versions of cargo leave no packages behind after that.
    let mut cargo = process::quiet("cargo", &["package", "--no-verify", "--locked", "--quiet"]);
    cargo.args(names()?.iter().flat_map(|name| ["-p", name]));
    process::run(cargo.env("CARGO_TARGET_DIR", &target))?;

    let folder = folder();
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());

    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(cannot)?;
    }

    fs::create_dir_all(&folder).map_err(cannot)?;
    for name in names()? {
        let file = format!("{name}-{VERSION}.crate");
        let made = target.join("package").join(&file);
        fs::copy(&made, folder.join(&file))
            .map_err(|error| format!("{}: {error}", made.display()))?;
        println!("{file}");
    }

    Ok(())
}

/// Removes what was built for other commits.
fn remove_others(target: &Path) -> Outcome {
    let Ok(entries) = fs::read_dir(project::at("target/release-crates")) else { return Ok(()) };
    let folders = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    for other in folders.filter(|path| path != target) {
        fs::remove_dir_all(&other).map_err(|error| format!("{}: {error}", other.display()))?;
    }
    Ok(())
}

/// Builds the documentation with the settings of docs.rs, for the first of each crate's targets.
pub(super) fn documented() -> Outcome {
    for name in names()? {
        let mut cargo = if name == "sendoff-web" {
            toolchain::cargo(toolchain::WASM, &["doc"])?
        } else {
            process::quiet("cargo", &["doc"])
        };
        cargo.args(["-p", &name, "--no-deps", "--all-features", "--locked", "--quiet"]);
        // docs.rs sets `docsrs` with a nightly compiler.
        process::run(
            cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTDOCFLAGS", "--cfg docsrs -Dwarnings"),
        )?;
    }
    Ok(())
}
