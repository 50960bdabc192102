//! The parts of `check`, `test` and `lint`: what each is called, when it must pass, what it needs, and how it runs.

use crate::{
    Outcome, build, codegen, fuzz, instructions, mutants, process, rust, setup, supply, vectors,
};
use Run::{Npm, Own, Sh};
use Tier::{All, Check, Landing, Lint, Named, Test};

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
    /// By its name only.
    Named,
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

/// How a part runs.
enum Run {
    /// Programs, as [`process::sh`] has them.
    Sh(Text),
    /// A script of a folder with a `package.json`, whose packages are installed.
    Npm(Text, Text),
    /// A function, of what is more than starting programs.
    Own(fn() -> Outcome),
}

/// A part of a tier.
pub(crate) struct Part {
    /// Its name on the command line.
    pub(crate) name: Text,
    pub(crate) title: Text,
    pub(crate) tier: Tier,
    pub(crate) lane: Lane,
    /// The names of the parts that must have succeeded before it, and of what [`setup::needed`] installs.
    needs: Text,
    run: Run,
}

type Text = &'static str;

const fn compiles(name: Text, title: Text, tier: Tier, needs: Text, run: Run) -> Part {
    Part { name, title, tier, lane: Lane::Compiles, needs, run }
}

const fn works(name: Text, title: Text, tier: Tier, needs: Text, run: Run) -> Part {
    Part { name, title, tier, lane: Lane::Works, needs, run }
}

const fn waits(name: Text, title: Text, tier: Tier, needs: Text, run: Run) -> Part {
    Part { name, title, tier, lane: Lane::Waits, needs, run }
}

/// All parts. Of the parts that could run, the first in this list runs first, and one that compiles before all others.
#[rustfmt::skip]
pub(crate) const PARTS: &[Part] = &[
    // What others need comes first.
    works("setup", "what the tests need is installed", Test, "tools redis postgres browser", Sh("")),
    compiles("program", "the programs that other parts start", Test, "",
        Sh("cargo test --no-run --test conformance --test http")),
    compiles("compile", "Rust's tests are compiled", Test, "program", Own(rust::compile)),
    works("build", "the package is built", Test, "setup", Own(build::run)),

    // What does not wait for Rust's tests.
    works("backend", "a backend in Node, with limits on Redis", Test, "build",
        Npm("bindings/sendoff-js/examples/node-backend", "test")),
    works("package", "the package in Node", Test, "build addon-that-panics",
        Sh("bindings/sendoff-js/ SENDOFF_ALL= node --test --test-concurrency=2 test/*.test.mjs")),
    waits("submissions", "submissions in three stores", Test, "build",
        Npm("bindings/sendoff-js/examples/submissions", "test")),
    works("clear-signing", "display models of ERC-7730", Test, "build npm:tests/clear-signing",
        Sh("node tests/clear-signing/run.mjs")),
    works("sdks", "the live service's own SDKs", All, "build", Npm("tests/sdks", "test")),
    works("story", "the demonstration, and its figures in the README", All, "build",
        Sh("node tests/story/run.mjs")),
    works("documents", "tools of others on the OpenAPI documents", All, "build",
        Npm("tests/openapi", "test")),
    works("vitest", "a client against lies in Vitest", Test, "build", Npm("tests/vitest", "test")),
    works("programs", "the programs of READMEs and guides", Test, "build guides",
        Sh("docs/ npm run --silent test")),
    waits("form", "a form with React and viem in Chromium", Test, "build",
        Npm("bindings/sendoff-js/examples/react-form", "test")),
    works("vectors", "vectors in core, wasm and native", Test, "build program", Own(vectors::all)),
    works("chromium", "vectors in Chromium", Test, "build program", Own(vectors::chromium)),
    works("same-bytes", "wasm and native, to the byte", Test, "build",
        Sh("node tests/conformance/same-bytes.mjs")),
    works("panics", "the wasm imports nothing, and none of our code can panic", Test, "build",
        Sh("node crates/xtask/src/panics.mjs")),
    waits("aliases", "other spellings of requests", Test, "build compile npm:tests/aliases",
        Sh("tests/aliases/ HTTP=1 SENDOFF_ALL= node --test guards.mjs gateway.mjs")),

    // What takes longest comes first, so that the short parts fill the end.
    works("rust", "Rust: units, laws, schemas, vectors", Test, "compile", Own(rust::others)),
    works("gateway", "the gateway, with real stores", Test, "setup compile", Own(rust::gateway)),
    waits("playground", "the playground in Chromium, on one screen", Test,
        "build program demo-page", Sh("node apps/playground/browser/run.mjs one")),
    waits("dashboard", "the dashboard in Chromium, on four screens", All,
        "build program demo-page", Sh("node apps/playground/browser/run.mjs dashboard")),
    // Programs of parts, as [`sh`] has them.
    compiles("page", "typed values in a page in Rust", All, "build",
        Sh("cargo build -p page --lib --target wasm32-unknown-unknown \
                --config profile.dev.package.sendoff.opt-level=0 && \
            cargo run --quiet -p page --example glue -- \
                target/wasm32-unknown-unknown/debug/page.wasm target/page/glue && \
            node tests/page/run.mjs target/page/glue")),
    compiles("pages", "a page with Leptos, and weights", All, "build browser page",
        Sh("CARGO_TARGET_DIR=target/leptos cargo build --release --locked --quiet \
                --target wasm32-unknown-unknown --manifest-path tests/leptos/Cargo.toml && \
            cargo run --quiet -p page --example glue -- \
                target/leptos/wasm32-unknown-unknown/release/leptos-page.wasm target/leptos/glue && \
            node tests/leptos/run.mjs target/leptos/glue && \
            cargo rustc -p sendoff-web --profile wasm --locked --features sign-text --quiet \
                --target wasm32-unknown-unknown --crate-type cdylib && \
            cargo run --quiet -p page --example glue -- \
                target/wasm32-unknown-unknown/wasm/sendoff_web.wasm target/page/weighed/texts && \
            cargo rustc -p sendoff-web --profile wasm --locked --features sign --quiet \
                --target wasm32-unknown-unknown --crate-type cdylib && \
            cargo run --quiet -p page --example glue -- \
                target/wasm32-unknown-unknown/wasm/sendoff_web.wasm target/page/weighed/values && \
            node tests/page/weigh.mjs target/page/weighed/texts target/page/weighed/values")),
    works("entries", "types of every entry of the packed package", All, "build npm:tests/types",
        Sh("node tests/types/entries.mjs")),
    works("expo", "an application with Expo: types and bundles", All, "build",
        Npm("bindings/sendoff-js/examples/expo", "test")),
    // `--doc` would run those of the core twice.
    works("examples", "Rust: the examples in the documentation", Test, "compile",
        Sh("cargo test --doc --all-but=units")),
    works("supply", "dependencies and promises", Test, "compile", Own(supply::check)),
    compiles("bare-metal", "the core without an operating system", Test, "setup",
        Sh("cargo check -p sendoff --target thumbv7m-none-eabi")),

    // What a commit needs.
    // The default members: what the others need besides is checked by `test --all`. `units` has the code of the core again.
    compiles("clippy", "clippy", Check, "",
        Sh("cargo clippy --all-targets --test faults --all-but=units -- -D warnings")),
    works("formatting", "formatting", Check, "", Sh("cargo fmt --all --check")),
    // Without the examples of the README. `--lib` would compile those of the core optimised, though `units` has them.
    works("units", "units, and the vectors in the core", Check, "",
        Sh("cargo test --lib --test conformance --all-but=sendoff -- --skip readme")),
    works("quick", "the npm package's code, and its quick tests", Check, "sources",
        Sh("bindings/sendoff-js/ SENDOFF_ALL= node --test --test-concurrency=2 \
                test/argument.test.mjs test/entries.test.mjs \
                test/http.test.mjs test/http-replies.test.mjs test/messages.test.mjs \
                test/rate-limiter.test.mjs test/redis.test.mjs test/schema.test.mjs \
                test/sign.test.mjs test/text.test.mjs")),

    // What is checked without running it.
    compiles("fresh", "the generated files are fresh", Lint, "",
        Sh("cargo test --quiet --test fresh")),
    // The core with its default features, and the addon, which has them. Their tests have the others.
    compiles("clippy-core", "clippy of the bare core", Lint, "",
        Sh("cargo clippy -p sendoff -p sendoff-node --lib -- -D warnings")),
    compiles("clippy-web", "clippy for browsers", Lint, "setup",
        Sh("cargo clippy -p sendoff-wasm --target wasm32-unknown-unknown -- -D warnings")),
    compiles("bare-metal-2", "the same with all of its features", Lint, "setup",
        Sh("cargo check -p sendoff --target thumbv7m-none-eabi --features alloy,signature")),
    compiles("documentation", "documentation", Lint, "",
        Sh("RUSTDOCFLAGS=-Dwarnings cargo doc --no-deps")),
    compiles("api", "the public API equals api.txt", Lint, "", Own(|| codegen::api("--check"))),
    works("openapi", "the OpenAPI document, by Redocly", Lint, "", Npm("tests/schema", "lint")),
    works("types", "types beside viem and ox", Lint, "build", Npm("tests/types", "test")),
    works("typescript", "TypeScript", Lint, "build", Npm("bindings/sendoff-js", "typecheck")),
    compiles("pack", "the packages", Landing, "package programs", Own(build::pack)),

    // What looks for the unknown, or compiles for minutes what few changes concern.
    compiles("workspace", "clippy of the whole workspace", All, "",
        Sh("cargo clippy --workspace --all-targets --test faults -- -D warnings && \
            cargo clippy -p page -p sendoff-web --all-features --target wasm32-unknown-unknown \
                -- -D warnings && \
            RUSTDOCFLAGS=-Dwarnings cargo doc --no-deps --workspace")),
    compiles("misspelt", "faults the compiler must find", All, "",
        Sh("cargo test -p misspelt -- --ignored")),
    compiles("oldest-rust", "with the Rust of `rust-version`", All, "",
        Sh(concat!(
            "rustup toolchain install ", env!("CARGO_PKG_RUST_VERSION"),
            " --profile minimal --no-self-update && rustup run ", env!("CARGO_PKG_RUST_VERSION"),
            " cargo check --features sendoff/alloy,sendoff/schema,sendoff/signature -p sendoff \
                -p sendoff-wasm -p sendoff-node -p sendoff-cli -p sendoff-gateway"
        ))),
    works("edge", "attacks on the gateway behind nginx", All, "setup compile nginx",
        Sh("cargo test --quiet -p sendoff-gateway --test edge -- --nocapture")),
    works("soak", "faults at random; -- SECONDS SEED", All, "setup compile redis",
        Sh("SENDOFF_SOAK_SECONDS=$1:60 SENDOFF_SOAK_SEED=$2:1 cargo test --quiet -p sendoff-gateway \
                --test faults -- --exact --include-ignored --nocapture soak")),
    // One after the other: the gateway's and the package's.
    works("failover", "stores that lose a master", All,
        "build compile redis npm:bindings/sendoff-js/examples/node-backend",
        Sh("cargo test --quiet -p sendoff-gateway --test cluster failover:: -- --include-ignored \
                --nocapture --test-threads=1 && \
            bindings/sendoff-js/examples/node-backend/ npm run --silent failover")),
    works("fuzz", "a minute of fuzzing, from the saved corpus", All, "build", Own(fuzz::minute)),
    waits("screens", "the playground on three more screens", All, "playground",
        Sh("node apps/playground/browser/run.mjs others")),
    works("mutants", "of a file; or -- core|gateway|package FILE...", All, "", Own(mutants::run)),
    works("chain", "transfers on a chain, from request to receipt", All, "contracts",
        Sh("SENDOFF_ALL=1 cargo test -p chain")),
    // A hundred thousand requests. What the core answers, the module answers too.
    works("pocket", "100,000 requests, replayed", All, "build compile",
        Sh("SENDOFF_ALL=1 cargo test -p sendoff-sandbox --test service laws && \
            cargo run --quiet --release -p sendoff-sandbox --example replay -- 3500 target/pocket.jsonl && \
            node bindings/sendoff-js/replay.mjs target/pocket.jsonl")),
    works("package-2", "it with all cases", All, "package",
        Sh("bindings/sendoff-js/ SENDOFF_ALL=1 node --test --test-concurrency=2 \
                test/bad-input.test.mjs test/flow-worlds.test.mjs test/javascript.test.mjs")),
    works("laws", "the laws with all of their cases, or -- CASES", All, "compile redis",
        Sh("PROPTEST_CASES=$1: SENDOFF_MUTANTS=$1: SENDOFF_ALL=1 cargo test \
                --test laws --test service")),
    works("bypass", "all ways around verification, or -- CASES", All, "compile",
        Sh("SENDOFF_BYPASS=$1: SENDOFF_ALL=1 cargo test --test suite -- --nocapture")),
    works("applications", "10,000 applications", All, "compile",
        Sh("SENDOFF_ALL=1 cargo test --test http many_applications_and_users -- --nocapture")),
    works("runtimes", "the package in runtimes that take seconds", All, "build npm:tests/runtimes",
        Sh("SENDOFF_BACKEND= node tests/runtimes/run.mjs")),
    // Over HTTP/2, and the gateway before all hosts.
    works("aliases-2", "the same over HTTP/2", All, "aliases",
        Sh("tests/aliases/ HTTP=2 SENDOFF_ALL= node --test guards.mjs && \
            tests/aliases/ HTTP= SENDOFF_ALL=1 node --test gateway.mjs")),
    compiles("reproducible", "built again in another folder", All, "build", Own(build::again)),
    works("instructions", "instructions within budgets", All, "setup valgrind",
        Own(instructions::check)),

    // What takes too long for every night, or is looked at by a person.
    works("docs", "the site: programs, links, and pages in Chromium", Named,
        "build browser redis npm:apps/playground npm:docs",
        Sh("docs/ npm run --silent test && docs/ npm run --silent build && \
            docs/ npm run --silent links && docs/ npm run --silent browser")),
    // Times of the gateway's callers with right and wrong secrets, by a t-test.
    works("timing", "times of wrong keys", Named, "",
        Sh("SENDOFF_TIMING=200000 cargo test --quiet --release -p sendoff-gateway --lib \
                callers::tests::timing -- --nocapture")),
    // Undefined behaviour in the libraries that the core uses; the core itself has no unsafe code.
    works("miri", "the core's unit tests in Miri", Named, "",
        Sh("rustup toolchain install nightly --profile minimal --component miri,rust-src && \
            cargo +nightly miri test -p units --lib --target-dir target/miri")),
    works("coverage", "the lines of the core that tests reach", Named, "cargo-llvm-cov@0.9.1",
        Sh("rustup component add llvm-tools-preview && \
            SENDOFF_MUTANTS=1000 cargo llvm-cov --summary-only --show-missing-lines \
                --ignore-filename-regex tests/ -p sendoff -p units -p laws -p conformance")),
];

/// Commands that measure, and print.
#[rustfmt::skip]
pub(crate) const COMMANDS: &[Part] = &[
    works("bench", "times beside public packages", Named,
        "build npm:bench npm:bindings/sendoff-js/examples/node-backend browser redis wrk nginx",
        Sh("cargo build --release -p bench --bins && node bench/run.mjs && \
            cargo build --release -p sendoff-gateway && node bench/hosts.mjs && \
            cargo bench -p bench")),
    works("size", "what a browser downloads", Named, "build npm:bench",
        Sh("node bindings/sendoff-js/size.mjs")),
];

/// What `cargo xtask codegen NAME` writes: from the built package, or by measuring on this machine.
#[rustfmt::skip]
pub(crate) const WRITTEN: &[Part] = &[
    works("admin", "docs/schema/admin.json: the admin API, from the gateway's routes", Named, "",
        Own(codegen::admin)),
    works("docs", "the pictures, and the tables of docs/reference/tables/texts.md", Named,
        "build guides",
        Sh("docs/ npm run --silent pictures && docs/ npm run --silent rows")),
    works("instructions", "bench/instructions.json: budgets, counted by valgrind", Named,
        "valgrind", Own(instructions::write)),
    works("size", "docs/pictures/size.json: what a page downloads", Named,
        "build npm:bench guides",
        Sh("node bindings/sendoff-js/size.mjs --write && docs/ npm run --silent pictures")),
    works("bench", "docs/reference/tables/bench.md and its figures, some ten minutes", Named,
        "build npm:bench browser redis guides",
        Sh("cargo build --release -p bench --bins && node bench/run.mjs --write && \
            docs/ npm run --silent pictures")),
    // 1.5 GB. Next is installed for the last of its programs, too.
    works("runtimes", "docs/reference/tables/platforms.md, in every runtime, many minutes", Named,
        "build browser firefox npm:tests/runtimes npm:tests/runtimes/large npm:tests/aliases",
        Sh("SENDOFF_BACKEND= node tests/runtimes/run.mjs --all && \
            cargo build --bin sendoff-gateway && \
            tests/aliases/ HTTP=1 SENDOFF_ALL= node --test next.mjs")),
];

impl Part {
    /// The part of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PARTS.iter().find(|part| part.name == name)
    }

    /// The parts that `cargo xtask check`, `test`, `lint` or `test --all` runs.
    pub(crate) fn of(tier: Tier) -> Vec<&'static Self> {
        let is_in_lint = |part: &Self| matches!(part.name, "clippy" | "formatting");
        let also = |part: &Self| match tier {
            All => part.tier == Test,
            Landing => matches!(part.tier, Test | Lint) || is_in_lint(part),
            Lint => is_in_lint(part),
            Check | Test | Named => false,
        };
        PARTS.iter().filter(|part| part.tier == tier || also(part)).collect()
    }

    /// The names of the parts that it needs.
    pub(crate) fn needs(&self) -> impl Iterator<Item = &'static str> {
        self.needs.split_whitespace().filter(|need| Self::named(need).is_some())
    }

    /// This part and all that it needs, what is needed first.
    pub(crate) fn with_needs(&'static self) -> Vec<&'static Self> {
        self.needs().filter_map(Self::named).flat_map(Self::with_needs).chain([self]).collect()
    }

    /// Runs one of `parts` after all that it needs.
    pub(crate) fn run_one(parts: &'static [Self], name: &str) -> Outcome {
        let part = parts.iter().find(|part| part.name == name).ok_or_else(|| {
            let line = |part: &Self| format!("\n  {:<13} {}", part.name, part.title);
            let known: String = parts.iter().map(line).collect();
            format!("expected one of these names, found `{name}`:{known}")
        })?;
        part.with_needs().into_iter().try_for_each(Self::run)
    }

    /// Installs what it needs, and runs it.
    pub(crate) fn run(&self) -> Outcome {
        let installed = self.needs.split_whitespace().filter(|need| Self::named(need).is_none());
        installed.into_iter().try_for_each(setup::needed)?;
        match self.run {
            Sh(lines) => process::sh(lines),
            Npm(folder, script) => setup::npm_run(folder, script),
            Own(run) => run(),
        }
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
                Named => "by name",
            };
            format!("\n  {:<13} {tier:<11} {}", part.name, part.title)
        };
        PARTS.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_names_of_earlier_parts_or_installed() {
        for (at, part) in PARTS.iter().enumerate() {
            let earlier = |name: &str| PARTS.iter().take(at).any(|earlier| earlier.name == name);
            let is_known = |name: &str| earlier(name) || setup::is_known(name);
            assert!(part.needs.split_whitespace().all(is_known), "{}", part.name);
            assert!(!earlier(part.name), "{}", part.name);
        }
    }
}
