//! The page of `tests/page`: the core's types through wasm-bindgen and serde-wasm-bindgen, in Chromium.

use crate::{Outcome, process, project, toolchain};

pub(crate) fn run() -> Outcome {
    // It is called a few times, so compiling decides; and clippy shares what its macros need.
    let quick = "profile.dev.package.sendoff.opt-level=0";
    process::run(&mut toolchain::cargo(toolchain::WASM, &["build", "-p", "page", "--lib", "--config", quick])?)?;
    let module = project::at("target").join(toolchain::WASM).join("debug/page.wasm");
    let glue = project::at("target/page/glue");
    // It is compiled with the tests.
    let writer = project::at("target/debug/examples/glue");
    process::run(process::loud(&writer.to_string_lossy(), &[]).args([&module, &glue]))?;
    process::run(process::loud("node", &["tests/page/run.mjs"]).arg(&glue))
}
