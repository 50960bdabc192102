//! The crates of a release.

use std::fs;

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

/// Packs them all, and builds each from its package: what cargo would upload.
pub(super) fn packed() -> Outcome {
    let mut cargo =
        process::quiet("cargo", &["publish", "--workspace", "--dry-run", "--locked", "--quiet"]);
    process::run(&mut cargo)?;
    // Some versions of cargo leave no packages behind after that.
    let mut cargo = process::quiet("cargo", &["package", "--no-verify", "--locked", "--quiet"]);
    process::run(cargo.args(names()?.iter().flat_map(|name| ["-p", name])))?;

    let folder = folder();
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());

    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(cannot)?;
    }

    fs::create_dir_all(&folder).map_err(cannot)?;
    for name in names()? {
        let file = format!("{name}-{VERSION}.crate");
        let made = project::at("target/package").join(&file);
        fs::copy(&made, folder.join(&file))
            .map_err(|error| format!("{}: {error}", made.display()))?;
        println!("{file}");
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
