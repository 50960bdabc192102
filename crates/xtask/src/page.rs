//! The page of `tests/page`: the core's types through wasm-bindgen and serde-wasm-bindgen, in Chromium.

use crate::{Outcome, process, project, toolchain};

pub(crate) fn run() -> Outcome {
    process::run(&mut toolchain::cargo(toolchain::WASM, &["build", "-p", "page", "--lib", "--profile", "wasm"])?)?;
    let module = project::at("target").join(toolchain::WASM).join("wasm/page.wasm");
    let glue = project::at("target/page/glue");
    // It is compiled with the tests.
    let writer = project::at("target/debug/examples/glue");
    process::run(process::loud(&writer.to_string_lossy(), &[]).args([&module, &glue]))?;
    process::run(process::loud("node", &["tests/page/run.mjs"]).arg(&glue))
}
