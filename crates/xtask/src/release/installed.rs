//! The files of a release, installed where nothing else is.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::id as process_id,
};

use super::{VERSION, crates, folder};
use crate::{Outcome, process};

/// Installs them in an empty folder, and uses each.
pub(super) fn check() -> Outcome {
    let place = env::temp_dir().join(format!("sendoff-release-{}", process_id()));
    fs::create_dir(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    let outcome = package(&place).and_then(|()| program(&place));
    fs::remove_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    outcome
}

/// The npm package answers, with the addon; and its command runs.
fn package(place: &Path) -> Outcome {
    let tarball = folder().join(format!("sendoff-{VERSION}.tgz"));
    let at = place.join("npm");

    fs::create_dir(&at)
        .and_then(|()| fs::write(at.join("package.json"), "{ \"private\": true }\n"))
        .map_err(|error| error.to_string())?;
    process::run(
        process::quiet("npm", &["install", "--offline", "--silent"]).arg(tarball).current_dir(&at),
    )?;

    let program = "const { backend, readText } = require('sendoff'); console.log(backend(), readText('quantity', '0x10').decimal)";
    let mut node = process::quiet("node", &["-e", program]);
    let said = process::answer(node.current_dir(&at).env_remove("SENDOFF_BACKEND"), "")?;

    if said != "native 16" {
        return Err(format!("expected `native 16` of the installed package, found `{said}`"));
    }

    let version = process::answer(
        process::quiet("npx", &["--offline", "sendoff", "--help"]).current_dir(&at),
        "",
    )?;
    println!("npm: {said}; its command: {}", version.lines().next().unwrap_or_default());

    Ok(())
}

/// The examples of the crate run, and its command line is installed, from the packages alone.
fn program(place: &Path) -> Outcome {
    for name in crates::names()? {
        let file = folder().join(format!("{name}-{VERSION}.crate"));
        process::run(process::quiet("tar", &["-xzf"]).arg(file).current_dir(place))?;
    }

    let at = |name: &str| -> PathBuf { place.join(format!("{name}-{VERSION}")) };
    let target = crates::target()?;

    for example in ["estimate", "sign", "limits"] {
        let mut cargo = process::quiet("cargo", &["run", "--quiet", "--example", example]);
        process::run(cargo.current_dir(at("sendoff")).env("CARGO_TARGET_DIR", &target))?;
    }

    let patch = format!("patch.crates-io.sendoff.path=\"{}\"", at("sendoff").display());
    let mut cargo =
        process::quiet("cargo", &["install", "--quiet", "--debug", "--config", &patch, "--path"]);

    cargo.arg(at("sendoff-cli")).arg("--root").arg(place.join("installed"));
    process::run(cargo.current_dir(place).env("CARGO_TARGET_DIR", &target))?;

    let program = place.join("installed/bin/sendoff");
    let said = process::answer(&mut process::quiet(&program.to_string_lossy(), &["--help"]), "")?;

    println!(
        "crates: the examples ran; the command line: {}",
        said.lines().next().unwrap_or_default()
    );
    Ok(())
}
