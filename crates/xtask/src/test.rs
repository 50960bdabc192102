//! `test`: every test of the project.

use crate::{
    Outcome, build, codegen, docs, host::Host, process, project, runtimes, setup, steps::Steps, toolchain, vectors,
};

pub(crate) fn run() -> Outcome {
    let mut steps = Steps::default();
    steps.take("setup", setup::run);
    if steps.all_well() {
        steps.take("the package is built", build::run);
    }
    if !steps.all_well() {
        return steps.close();
    }
    steps.take("the generated files are fresh", codegen::check);
    steps.take("the core builds for a processor without an operating system", || {
        process::run(&mut toolchain::cargo(toolchain::BARE_METAL, &["build", "-p", "sendoff"])?)
    });
    steps.take("the wasm imports nothing", || node(&["crates/xtask/src/imports.mjs"]));
    steps.take("vectors through core, wasm and native", || vectors::run(&[]));
    steps.take("Rust: units, documentation, laws", || {
        process::run(&mut process::loud("cargo", &["test", "--workspace", "--no-fail-fast"]))
    });
    steps.take("the package in Node", || {
        build::panics()?;
        process::run(process::loud("node", &["--test"]).current_dir(project::package()))
    });
    steps.take("a backend in Node: Express, Hono and Fastify, with limits on Redis", || {
        let place = "bindings/sendoff-js/examples/node-backend";
        setup::npm(place)?;
        process::run(process::loud("npm", &["test", "--silent"]).current_dir(project::at(place)))
    });
    steps.take("transfers on a chain, from request to receipt", || node(&["tests/chain/transfer.mjs"]));
    steps.take("the programs of the READMEs and guides", docs::programs);
    steps.take("wasm and native answer with the same bytes", || node(&["tests/conformance/same-bytes.mjs"]));
    steps.take("the package in runtimes that take seconds", runtimes::quick);
    steps.take("vectors in Chromium", || {
        let mut node = process::loud("node", &["tests/browser/run.mjs"]);
        process::run(node.args(conformance::places(project::root())).env_remove("SENDOFF_VECTORS"))
    });
    steps.take("a form with React and viem in Chromium", || {
        let place = "bindings/sendoff-js/examples/react-form";
        setup::npm(place)?;
        process::run(process::loud("npm", &["test", "--silent"]).current_dir(project::at(place)))
    });
    steps.take("the gateway's playground in Chromium", || Host::tested()?.walk());
    steps.close()
}

fn node(args: &[&str]) -> Outcome {
    process::run(&mut process::loud("node", args))
}
