//! `build`: the npm package in `bindings/sendoff-js/dist`, with the wasm and the native addon in it.

use std::{env, process::Command};

use crate::{Outcome, process, project, setup, stamp::Stamp, toolchain};

pub(crate) fn run() -> Outcome {
    setup::tools()?;
    process::run(&mut wasm()?)?;
    process::run(&mut process::quiet("cargo", &["build", "-p", "sendoff-node", "--profile", "native"]))?;
    package()
}

/// Compiles the modules. Where cargo keeps its sources on this machine is no part of it, so that it has the same bytes on
/// another.
pub(crate) fn wasm() -> Result<Command, String> {
    let mut cargo = toolchain::cargo(
        toolchain::WASM,
        &["build", "-p", "sendoff-wasm", "--lib", "--examples", "--profile", "wasm"],
    )?;
    let home = env::var("CARGO_HOME").or_else(|_| env::var("HOME").map(|home| format!("{home}/.cargo")));
    if let Ok(home) = home {
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", format!("--remap-path-prefix={home}=cargo"));
    }
    Ok(cargo)
}

/// The addon in which every function panics, for the test of what becomes of a panic.
pub(crate) fn panics() -> Outcome {
    let args = ["build", "-p", "sendoff-node", "--profile", "native", "--example", "panics", "--features", "panics"];
    process::run(&mut process::quiet("cargo", &args))
}

/// Puts the package together, unless nothing that goes into it changed.
fn package() -> Outcome {
    let addon = if cfg!(target_os = "macos") {
        "libsendoff_node.dylib"
    } else if cfg!(windows) {
        "sendoff_node.dll"
    } else {
        "libsendoff_node.so"
    };
    // Not all of its folder: tests and examples are no part of it.
    let sources = ["src", "build.mjs", "platform.mjs", "package.json", "package-lock.json", "tsconfig.json"];
    let mut inputs = sources.map(|source| project::package().join(source)).to_vec();
    inputs.extend(
        ["sendoff_wasm.wasm", "examples/sign.wasm"]
            .map(|module| project::at("target/wasm32-unknown-unknown/wasm").join(module)),
    );
    inputs.push(project::at("target/native").join(addon));
    let stamp = Stamp::new("package", &inputs)?;
    if stamp.is_fresh() && dist_is_whole() {
        return Ok(());
    }
    let mut build = process::quiet("node", &["build.mjs"]);
    build.current_dir(project::package());
    stamp.renew(|| process::run(&mut build))
}

/// Somebody may have emptied the folder since.
fn dist_is_whole() -> bool {
    ["index.mjs", "sendoff.wasm"].iter().all(|file| project::package().join("dist").join(file).exists())
}
