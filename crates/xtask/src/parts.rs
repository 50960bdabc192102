//! All parts of `check` and `test`.

use crate::{
    aliases, build, codegen, docs, fuzz,
    host::Host,
    instructions, lint, mutants, page,
    part::{
        Part,
        Tier::{All, Check, Landing, Lint, Test},
        compiling, part, waiting,
    },
    prove, reproducible, runtimes, rust, setup, suites, vectors,
};

/// All parts. Of the parts that could run, the first in this list runs first, and one that compiles before all others.
pub(crate) const PARTS: &[Part] = &[
    // What others need comes first.
    part("setup", "what the tests need is installed", Test, &[], setup::tests),
    // The gateway of the playground, and what calls the core.
    compiling(part(
        "program",
        "the programs of other parts are compiled",
        Test,
        &[],
        rust::programs,
    )),
    compiling(part("compile", "Rust's tests are compiled", Test, &["program"], rust::compile)),
    part("build", "the package is built", Test, &["setup"], build::run),
    // What does not wait for Rust's tests.
    part(
        "backend",
        "a backend in Node: Express, Hono and Fastify, with limits on Redis",
        Test,
        &["build"],
        suites::backend,
    ),
    part("package", "the package in Node", Test, &["build"], suites::package),
    waiting(part(
        "submissions",
        "submissions in three stores",
        Test,
        &["build"],
        suites::submissions,
    )),
    part(
        "clear-signing",
        "display models, beside ERC-7730's reference library",
        Test,
        &["build"],
        suites::clear_signing,
    ),
    part("vitest", "a client against lies in Vitest", Test, &["build"], suites::vitest),
    part("programs", "the programs of the READMEs and guides", Test, &["build"], docs::programs),
    waiting(part("form", "a form with React and viem in Chromium", Test, &["build"], suites::form)),
    part(
        "vectors",
        "vectors through core, wasm and native",
        Test,
        &["build", "program"],
        vectors::all,
    ),
    part("chromium", "vectors in Chromium", Test, &["build", "program"], suites::chromium),
    part("same-bytes", "wasm and native answer with the same bytes", Test, &["build"], || {
        suites::node(&["tests/conformance/same-bytes.mjs"])
    }),
    part("imports", "the wasm imports nothing", Test, &["build"], || {
        suites::node(&["crates/xtask/src/imports.mjs"])
    }),
    part("panics", "no place in our code can panic in the wasm", Test, &["build"], || {
        suites::node(&["crates/xtask/src/panics.mjs"])
    }),
    compiling(part("fresh", "the generated files are fresh", Lint, &[], codegen::fresh)),
    waiting(part(
        "aliases",
        "other spellings of requests, through hosts of every kind",
        Test,
        &["build", "compile"],
        aliases::quick,
    )),
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
        &["build", "program"],
        || Host::tested()?.walk("one"),
    )),
    waiting(part(
        "dashboard",
        "the gateway's dashboard in Chromium, on four screens",
        All,
        &["build", "program"],
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
        suites::entries,
    ),
    part(
        "expo",
        "an application with Expo: its types, and Metro's bundles",
        All,
        &["build"],
        suites::expo,
    ),
    part("examples", "Rust: the examples in the documentation", Test, &["compile"], rust::examples),
    part(
        "supply",
        "a reason for each dependency, a test for each promise and each sentence of the specification",
        Test,
        &["compile"],
        suites::supply,
    ),
    compiling(part(
        "bare-metal",
        "the core builds for a processor without an operating system",
        Test,
        &["setup"],
        || suites::bare_metal(&[]),
    )),
    // What a commit needs.
    compiling(part("clippy", "clippy", Check, &[], lint::clippy)),
    part("formatting", "formatting", Check, &[], lint::formatting),
    part("units", "units, and the vectors in the core", Check, &[], rust::units),
    part("quick", "the npm package's code, and its quick tests", Check, &[], suites::quick),
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
        || suites::bare_metal(&["--features", "alloy,signature"]),
    )),
    compiling(part("documentation", "documentation", Lint, &[], lint::documentation)),
    compiling(part("api", "the public API equals api.txt", Lint, &[], || {
        codegen::api(&["--check"])
    })),
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
    compiling(part("pack", "the packages", Landing, &["package", "programs"], build::pack)),
    // What looks for the unknown, or compiles for minutes what few changes concern.
    compiling(part(
        "workspace",
        "clippy and documentation of the whole workspace",
        All,
        &[],
        lint::workspace,
    )),
    compiling(part(
        "misspelt",
        "faults that the compiler of the core finds, and names their file",
        All,
        &[],
        suites::misspelt,
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
    part("chain", "transfers on a chain, from request to receipt", All, &["build"], suites::chain),
    part(
        "pocket",
        "a hundred thousand requests to the pocket service, replayed",
        All,
        &["build", "compile"],
        suites::pocket,
    ),
    part(
        "package-2",
        "the package in Node, with all cases",
        All,
        &["package"],
        suites::package_with_all_cases,
    ),
    part(
        "laws",
        "the laws and the ways around verification, with all of their cases",
        All,
        &["compile"],
        suites::laws,
    ),
    part(
        "applications",
        "ten thousand applications in SQLite and in PostgreSQL",
        All,
        &["compile"],
        suites::applications,
    ),
    part("runtimes", "the package in runtimes that take seconds", All, &["build"], runtimes::quick),
    part(
        "engines",
        "every vector in QuickJS and Hermes, and a hash without WebAssembly",
        All,
        &["build"],
        runtimes::engines,
    ),
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
