//! Pages in Rust: the core's types through wasm-bindgen and serde-wasm-bindgen (`tests/page`), one
//! with Leptos (`tests/leptos`), and what a page weighs.

use std::path::{Path, PathBuf};

use crate::{
    Outcome,
    process::{self, words},
    project, setup, toolchain,
};

/// The core's types, in Chromium.
pub(crate) fn run() -> Outcome {
    // It is called a few times, so compiling decides; and clippy shares what its macros need.
    let quick = "profile.dev.package.sendoff.opt-level=0";
    process::run(&mut toolchain::cargo(
        toolchain::WASM,
        &["build", "-p", "page", "--lib", "--config", quick],
    )?)?;
    let module = project::at("target").join(toolchain::WASM).join("debug/page.wasm");
    let glue = project::at("target/page/glue");
    glued(&module, &glue)?;
    process::run(words("node tests/page/run.mjs").arg(&glue))
}

/// A page with Leptos, in Chromium; and what pages weigh.
pub(crate) fn optimised() -> Outcome {
    setup::browser()?;
    leptos()?;
    let texts = weighable("texts", "sign-text")?;
    let values = weighable("values", "sign")?;
    process::run(words("node tests/page/weigh.mjs").args([texts, values]))
}

fn leptos() -> Outcome {
    let mut cargo =
        toolchain::cargo(toolchain::WASM, &["build", "--release", "--locked", "--quiet"])?;
    let target = project::at("target/leptos");
    cargo.arg("--manifest-path").arg(project::at("tests/leptos/Cargo.toml"));
    process::run(cargo.env("CARGO_TARGET_DIR", &target))?;

    let module = target.join(toolchain::WASM).join("release/leptos-page.wasm");
    let glue = target.join("glue");
    glued(&module, &glue)?;
    process::run(words("node tests/leptos/run.mjs").arg(&glue))
}

/// `sendoff-web` with one of its features, as the module of a page.
fn weighable(name: &str, feature: &str) -> Result<PathBuf, String> {
    let mut cargo = toolchain::cargo(
        toolchain::WASM,
        &["rustc", "-p", "sendoff-web", "--profile", "wasm", "--locked"],
    )?;
    process::run(cargo.args(["--features", feature, "--crate-type", "cdylib", "--quiet"]))?;

    let module = project::at("target").join(toolchain::WASM).join("wasm/sendoff_web.wasm");
    let glue = project::at("target/page/weighed").join(name);
    glued(&module, &glue)?;
    Ok(glue)
}

/// Writes what JavaScript loads: `page.js` and `page_bg.wasm`.
fn glued(module: &Path, folder: &Path) -> Outcome {
    let mut glue = words("cargo run --quiet -p page --example glue --");
    process::run(glue.args([module, folder]))
}
