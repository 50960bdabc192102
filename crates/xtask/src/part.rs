//! The parts of `check` and `test`: what each is called, what it needs, and how much of a processor
//! it may take.

use std::fs;

use crate::{
    Outcome, addons, aliases, build, codegen, docs, fuzz, host::Host, instructions, lint, mutants,
    page, process, project, promises, prove, reproducible, runtimes, rust, setup, supply,
    toolchain, vectors,
};

/// What must pass, and when. Each tier is a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tier {
    /// Before a commit: `cargo xtask check`.
    Check,
    /// Before a change lands: `cargo xtask test`.
    Test,
    /// Before a change lands, without running it: `cargo xtask lint`, which runs clippy and formatting of `check` too.
    Lint,
    /// In CI, which then packs: `cargo xtask test --landing`, which runs the parts of `test` and `lint` too.
    Landing,
    /// Every night and before a release: `cargo xtask test --all`, which runs the parts of `test` too.
    All,
}

/// What a part does with a processor, so that none waits and none has more to do than the others can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// Compiles in `target`, which cargo lets one command do at a time, and which uses all processors.
    Compiles,
    Works,
    /// Waits for a browser or a store most of the time.
    Waits,
}

/// A part of a tier.
pub(crate) struct Part {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) tier: Tier,
    /// The parts that must have succeeded before it.
    pub(crate) needs: &'static [&'static str],
    pub(crate) lane: Lane,
    pub(crate) run: fn() -> Outcome,
}

use Tier::{All, Check, Landing, Lint, Test};

/// All parts. Of the parts that could run, the first in this list runs first, and one that compiles before all others.
pub(crate) const PARTS: &[Part] = &[
    // What others need comes first.
    part("setup", "what the tests need is installed", Test, &[], setup::tests),
    compiling(part("compile", "Rust's tests are compiled", Test, &[], rust::compile)),
    part("build", "the package is built", Test, &["setup"], build::run),
    // What does not wait for Rust's tests.
    part(
        "backend",
        "a backend in Node: Express, Hono and Fastify, with limits on Redis",
        Test,
        &["build"],
        backend,
    ),
    part("package", "the package in Node", Test, &["build"], package),
    waiting(part("submissions", "submissions in three stores", Test, &["build"], submissions)),
    part(
        "clear-signing",
        "display models, beside ERC-7730's reference library",
        Test,
        &["build"],
        clear_signing,
    ),
    part("programs", "the programs of the READMEs and guides", Test, &["build"], docs::programs),
    waiting(part("form", "a form with React and viem in Chromium", Test, &["build"], form)),
    part(
        "vectors",
        "vectors through core, wasm and native",
        Test,
        &["build"],
        || vectors::run(&[]),
    ),
    part("chromium", "vectors in Chromium", Test, &["build"], chromium),
    part("same-bytes", "wasm and native answer with the same bytes", Test, &["build"], || {
        node(&["tests/conformance/same-bytes.mjs"])
    }),
    part("imports", "the wasm imports nothing", Test, &["build"], || {
        node(&["crates/xtask/src/imports.mjs"])
    }),
    part("panics", "no place in our code can panic in the wasm", Test, &["build"], || {
        node(&["crates/xtask/src/panics.mjs"])
    }),
    part("fresh", "the generated files are fresh", Test, &[], codegen::check),
    // What takes longest comes first, so that the short parts fill the end.
    part("rust", "Rust: units, laws, schemas, vectors", Test, &["compile"], rust::others),
    part(
        "gateway",
        "the gateway over HTTP, with real stores",
        Test,
        &["setup", "compile"],
        rust::gateway,
    ),
    waiting(part(
        "playground",
        "the gateway's playground in Chromium, on one screen",
        Test,
        &["build", "compile"],
        || Host::tested()?.walk("one"),
    )),
    waiting(part(
        "dashboard",
        "the gateway's dashboard in Chromium, on four screens",
        All,
        &["build", "compile"],
        || Host::tested_with_dashboard()?.walk("dashboard"),
    )),
    compiling(part(
        "page",
        "typed values through serde-wasm-bindgen in Chromium",
        All,
        &["build"],
        page::run,
    )),
    compiling(part(
        "pages",
        "a page with Leptos in Chromium, and what pages in Rust weigh",
        All,
        &["build", "page"],
        page::optimised,
    )),
    part(
        "entries",
        "the packed package: types of every entry, publint, attw",
        All,
        &["build"],
        entries,
    ),
    part("expo", "an application with Expo: its types, and Metro's bundles", All, &["build"], expo),
    part(
        "aliases",
        "other spellings of requests, through hosts of every kind",
        Test,
        &["build", "compile"],
        aliases::quick,
    ),
    part("examples", "Rust: the examples in the documentation", Test, &["compile"], rust::examples),
    part(
        "supply",
        "a reason for each dependency, a test for each promise and each sentence of the specification",
        Test,
        &["compile"],
        supply,
    ),
    compiling(part(
        "bare-metal",
        "the core builds for a processor without an operating system",
        Test,
        &["setup"],
        || bare_metal(&[]),
    )),
    // What a commit needs.
    compiling(part("clippy", "clippy", Check, &[], lint::clippy)),
    part("formatting", "formatting", Check, &[], lint::formatting),
    part("units", "units, and the vectors in the core", Check, &[], rust::units),
    part("quick", "the npm package's code, and its quick tests", Check, &[], quick),
    // What is checked without running it.
    compiling(part(
        "clippy-core",
        "clippy without schemas, and of the addon",
        Lint,
        &[],
        lint::clippy_without_schemas,
    )),
    compiling(part(
        "clippy-web",
        "clippy for browsers",
        Lint,
        &["setup"],
        lint::clippy_for_browsers,
    )),
    compiling(part(
        "bare-metal-2",
        "the core with its features builds for a processor without an operating system",
        Lint,
        &["setup"],
        || bare_metal(&["--features", "alloy,signature"]),
    )),
    compiling(part("documentation", "documentation", Lint, &[], lint::documentation)),
    compiling(part("api", "the public API equals api.txt", Lint, &[], lint::api)),
    part(
        "rust-version",
        "no dependency needs a newer Rust than `rust-version`",
        Lint,
        &[],
        lint::rust_version,
    ),
    part("openapi", "the OpenAPI document, by Redocly's strictest rules", Lint, &[], lint::openapi),
    part(
        "types",
        "types together with viem and ox, in TypeScript 5 and the newest",
        Lint,
        &["build"],
        lint::types,
    ),
    part("typescript", "TypeScript", Lint, &["build"], lint::typescript),
    compiling(part(
        "pack",
        "the packages, and SBOMs",
        Landing,
        &["package", "programs"],
        supply::packed,
    )),
    // What looks for the unknown, or compiles for minutes what few changes concern.
    compiling(part(
        "workspace",
        "clippy and documentation of the whole workspace",
        All,
        &[],
        lint::workspace,
    )),
    compiling(part(
        "oldest-rust",
        "it builds with the Rust of `rust-version`",
        All,
        &[],
        lint::oldest_rust,
    )),
    part("soak", "a minute of faults at random", All, &["setup", "compile"], || {
        prove::soak("60", "1")
    }),
    part(
        "load",
        "the gateway under load, while it reloads",
        All,
        &["setup", "compile"],
        prove::load,
    ),
    part(
        "failover",
        "stores of windows lose a master under load",
        All,
        &["build", "compile"],
        prove::failover,
    ),
    part("fuzz", "a minute of fuzzing, from the saved corpus", All, &["build"], fuzz::minute),
    waiting(part("screens", "the playground on three more screens", All, &["playground"], || {
        Host::tested()?.walk("others")
    })),
    part("mutants", "mutants of one file of the core", All, &[], mutants::short),
    part("chain", "transfers on a chain, from request to receipt", All, &["build"], chain),
    part(
        "pocket",
        "a hundred thousand requests to the pocket service, replayed",
        All,
        &["build", "compile"],
        pocket,
    ),
    part(
        "package-2",
        "the package in Node, with all cases",
        All,
        &["package"],
        package_with_all_cases,
    ),
    part(
        "laws",
        "the laws and the ways around verification, with all of their cases",
        All,
        &["compile"],
        laws,
    ),
    part(
        "applications",
        "ten thousand applications in SQLite and in PostgreSQL",
        All,
        &["compile"],
        applications,
    ),
    part("runtimes", "the package in runtimes that take seconds", All, &["build"], runtimes::quick),
    part(
        "engines",
        "every vector in QuickJS and Hermes, and a hash without WebAssembly",
        All,
        &["build"],
        runtimes::engines,
    ),
    compiling(part(
        "addons",
        "the addon for eight platforms, each run that can be run here",
        All,
        &["build"],
        addons::run,
    )),
    part(
        "aliases-2",
        "other spellings of requests over HTTP/2, and before all backends",
        All,
        &["aliases"],
        aliases::all,
    ),
    compiling(part(
        "reproducible",
        "the modules and the addon, built again in another folder",
        All,
        &["build"],
        reproducible::check,
    )),
    part(
        "instructions",
        "the core's instructions by stage, within their budgets",
        All,
        &["setup"],
        instructions::check,
    ),
];

const fn part(
    name: &'static str,
    title: &'static str,
    tier: Tier,
    needs: &'static [&'static str],
    run: fn() -> Outcome,
) -> Part {
    Part { name, title, tier, needs, lane: Lane::Works, run }
}

const fn compiling(part: Part) -> Part {
    Part { lane: Lane::Compiles, ..part }
}

const fn waiting(part: Part) -> Part {
    Part { lane: Lane::Waits, ..part }
}

impl Part {
    /// The part of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PARTS.iter().find(|part| part.name == name)
    }

    /// The parts that `cargo xtask check`, `test` or `test --all` runs.
    pub(crate) fn of(tier: Tier) -> Vec<&'static Self> {
        let also = match tier {
            All => |part: &&Self| part.tier == Test,
            Landing => |part: &&Self| matches!(part.tier, Test | Lint) || part.is_in_lint(),
            Lint => |part: &&Self| part.is_in_lint(),
            Check | Test => |_: &&Self| false,
        };
        PARTS.iter().filter(|part| part.tier == tier || also(part)).collect()
    }

    /// Parts of `check` and `test` that `lint` runs too.
    fn is_in_lint(&self) -> bool {
        matches!(self.name, "clippy" | "formatting" | "fresh")
    }

    /// This part and all that it needs, what is needed first.
    pub(crate) fn with_needs(&'static self) -> Vec<&'static Self> {
        let needed =
            self.needs.iter().filter_map(|name| Self::named(name)).flat_map(Self::with_needs);
        needed.chain([self]).collect()
    }

    /// All names with their tiers, for a person who looks for one.
    pub(crate) fn list() -> String {
        let line = |part: &Self| {
            let tier = match part.tier {
                Check => "check",
                Test => "test",
                Lint => "lint",
                Landing => "--landing",
                All => "test --all",
            };
            format!("\n  {:<13} {tier:<11} {}", part.name, part.title)
        };
        PARTS.iter().map(line).collect()
    }
}

/// Builds the package's code in TypeScript and runs its quick tests, on the modules of the last build.
fn quick() -> Outcome {
    build::sources()?;
    let files = QUICK.map(|file| format!("test/{file}.test.mjs"));
    let mut node = process::loud("node", &["--test", "--test-concurrency=2"]);
    process::run(node.args(files).current_dir(project::package()))
}

/// The files of the package's tests that take a second.
const QUICK: [&str; 15] = [
    "argument",
    "deployments",
    "error",
    "http",
    "http-replies",
    "messages",
    "rate-limiter",
    "redis",
    "runtime",
    "safe",
    "schema",
    "sign",
    "signature",
    "text",
    "types",
];

fn bare_metal(features: &[&str]) -> Outcome {
    let mut cargo = toolchain::cargo(toolchain::BARE_METAL, &["check", "-p", "sendoff"])?;
    process::run(cargo.args(features))
}

fn supply() -> Outcome {
    supply::dependencies()?;
    promises::check()
}

fn package() -> Outcome {
    build::panics()?;
    let files = project::files_in(&project::package().join("test"), ".test.mjs")?;
    let mut node = process::loud("node", &["--test", "--test-concurrency=2"]);
    process::run(node.args(files).current_dir(project::package()))
}

fn package_with_all_cases() -> Outcome {
    let files =
        ["bad-input", "flow-worlds", "javascript"].map(|name| format!("test/{name}.test.mjs"));
    let mut node = process::loud("node", &["--test", "--test-concurrency=2"]);
    process::run(node.args(files).env("SENDOFF_ALL", "1").current_dir(project::package()))
}

fn backend() -> Outcome {
    example("node-backend")
}

fn submissions() -> Outcome {
    example("submissions")
}

/// The tests of an example of the package.
fn example(name: &str) -> Outcome {
    let place = format!("bindings/sendoff-js/examples/{name}");
    setup::npm(&place)?;
    process::run(process::loud("npm", &["test", "--silent"]).current_dir(project::at(&place)))
}

fn chain() -> Outcome {
    setup::chain()?;
    node(&["tests/chain/transfer.mjs"])?;
    process::run(process::loud("cargo", &["test", "-p", "chain"]).env("SENDOFF_ALL", "1"))
}

fn pocket() -> Outcome {
    let args = ["test", "-p", "sendoff-sandbox", "--test", "service", "laws"];
    process::run(process::loud("cargo", &args).env("SENDOFF_ALL", "1"))?;
    // What the core answers, the module answers too.
    let file = project::at("target/pocket.jsonl").display().to_string();
    let example = [
        "run",
        "--quiet",
        "--release",
        "-p",
        "sendoff-sandbox",
        "--example",
        "replay",
        "--",
        "3500",
        &file,
    ];
    process::run(&mut process::loud("cargo", &example))?;
    node(&["bindings/sendoff-js/replay.mjs", &file])?;
    fs::remove_file(&file).map_err(|error| format!("{file}: {error}"))
}

fn applications() -> Outcome {
    let args = ["test", "--test", "http", "many_applications_and_users", "--", "--nocapture"];
    process::run(process::loud("cargo", &args).env("SENDOFF_ALL", "1"))
}

/// What has more cases than `test` runs.
fn laws() -> Outcome {
    let names = ["submission", "service", "small", "account", "estimate", "suite", "generated"]
        .map(|name| ["--test", name]);
    process::run(
        process::loud("cargo", &["test"]).args(names.as_flattened()).env("SENDOFF_ALL", "1"),
    )
}

fn chromium() -> Outcome {
    let mut node = process::loud("node", &["tests/browser/run.mjs"]);
    process::run(node.args(conformance::places(project::root())).env_remove("SENDOFF_VECTORS"))
}

fn form() -> Outcome {
    example("react-form")
}

fn entries() -> Outcome {
    setup::npm("tests/types")?;
    node(&["tests/types/entries.mjs"])
}

fn expo() -> Outcome {
    example("expo")
}

fn clear_signing() -> Outcome {
    setup::npm("tests/clear-signing")?;
    node(&["tests/clear-signing/run.mjs"])
}

fn node(args: &[&str]) -> Outcome {
    process::run(&mut process::loud("node", args))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_names_of_earlier_parts() {
        for (at, part) in PARTS.iter().enumerate() {
            for need in part.needs {
                assert!(
                    PARTS.iter().take(at).any(|earlier| earlier.name == *need),
                    "{}: {need}",
                    part.name
                );
            }
            assert_eq!(
                PARTS.iter().filter(|other| other.name == part.name).count(),
                1,
                "{}",
                part.name
            );
        }
    }
}
