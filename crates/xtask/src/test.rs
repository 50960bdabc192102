//! `test`: runs every test of the project, or the named parts.

use crate::{
    Outcome, aliases, build, codegen, docs, fuzz, host::Host, instructions, page, process, project, promises, runtimes,
    setup, steps::Steps, supply, toolchain, vectors,
};

/// A part: its name on the command line, its title, and its function.
type Part = (&'static str, &'static str, fn() -> Outcome);

/// All parts, in the order in which they run.
const PARTS: [Part; 20] = [
    ("fresh", "the generated files are fresh", codegen::check),
    ("bare-metal", "the core builds for a processor without an operating system", bare_metal),
    ("imports", "the wasm imports nothing", || node(&["crates/xtask/src/imports.mjs"])),
    ("panics", "no place in our code can panic in the wasm", || node(&["crates/xtask/src/panics.mjs"])),
    ("vectors", "vectors through core, wasm and native", || vectors::run(&[])),
    ("rust", "Rust: units, documentation, laws", rust),
    ("instructions", "the core's instructions by stage, within their budgets", instructions::check),
    ("fuzz", "a minute of fuzzing, from what was kept", fuzz::minute),
    ("supply", "a reason for each dependency, a test for each promise and each sentence of the specification", supply),
    ("package", "the package in Node", package),
    (
        "backend",
        "a backend in Node: Express, Hono and Fastify, with limits on Redis; submissions in three stores",
        backend,
    ),
    ("aliases", "other spellings of requests, through axum, Express, Hono, Fastify and Koa", aliases::quick),
    ("chain", "transfers on a chain, from request to receipt", || node(&["tests/chain/transfer.mjs"])),
    ("programs", "the programs of the READMEs and guides", docs::programs),
    ("same-bytes", "wasm and native answer with the same bytes", || node(&["tests/conformance/same-bytes.mjs"])),
    ("runtimes", "the package in runtimes that take seconds", runtimes::quick),
    ("chromium", "vectors in Chromium", chromium),
    ("page", "typed values through serde-wasm-bindgen in Chromium", page::run),
    ("form", "a form with React and viem in Chromium", form),
    ("playground", "the gateway's playground in Chromium", || Host::tested()?.walk()),
];

/// Runs the parts with these names, or all parts if there are no names. Setup and the build of the package always run first.
/// Both take seconds if nothing changed.
pub(crate) fn run(names: &[&str]) -> Outcome {
    if let Some(unknown) = names.iter().find(|name| PARTS.iter().all(|(known, ..)| known != *name)) {
        let list: String = PARTS.iter().map(|(name, title, _)| format!("\n  {name:<12}{title}")).collect();
        return Err(format!("expected the names of parts, found `{unknown}`; the parts are:\n{list}"));
    }
    let mut steps = Steps::default();
    steps.take("setup", setup::run);
    if steps.have_succeeded() {
        steps.take("the package is built", build::run);
    }
    if steps.have_succeeded() {
        for (_, title, part) in PARTS.into_iter().filter(|(name, ..)| names.is_empty() || names.contains(name)) {
            steps.take(title, part);
        }
    }
    steps.close()
}

fn bare_metal() -> Outcome {
    let args = ["build", "-p", "sendoff", "--features", "alloy,signature"];
    process::run(&mut toolchain::cargo(toolchain::BARE_METAL, &args)?)
}

fn rust() -> Outcome {
    process::run(&mut process::loud("cargo", &["test", "--workspace", "--no-fail-fast"]))
}

fn supply() -> Outcome {
    supply::dependencies()?;
    promises::check()
}

fn package() -> Outcome {
    build::panics()?;
    process::run(process::loud("node", &["--test"]).current_dir(project::package()))
}

fn backend() -> Outcome {
    setup::postgres()?;
    ["bindings/sendoff-js/examples/node-backend", "bindings/sendoff-js/examples/submissions"].into_iter().try_for_each(
        |place| {
            setup::npm(place)?;
            process::run(process::loud("npm", &["test", "--silent"]).current_dir(project::at(place)))
        },
    )
}

fn chromium() -> Outcome {
    let mut node = process::loud("node", &["tests/browser/run.mjs"]);
    process::run(node.args(conformance::places(project::root())).env_remove("SENDOFF_VECTORS"))
}

fn form() -> Outcome {
    let place = "bindings/sendoff-js/examples/react-form";
    setup::npm(place)?;
    process::run(process::loud("npm", &["test", "--silent"]).current_dir(project::at(place)))
}

fn node(args: &[&str]) -> Outcome {
    process::run(&mut process::loud("node", args))
}
