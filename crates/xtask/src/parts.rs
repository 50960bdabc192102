//! The parts of `check`, `test` and `lint`: what each is called, when it must pass, and what it needs.

use crate::{
    Outcome, build, codegen, docs, fuzz, host::Host, instructions, lint, mutants, page, proofs,
    reproducible, runtimes, rust, setup, suites, supply, vectors,
};
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

/// A part of a tier.
pub(crate) struct Part {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) tier: Tier,
    pub(crate) lane: Lane,
    /// The names of the parts that must have succeeded before it.
    needs: &'static str,
    pub(crate) run: fn() -> Outcome,
}

type Text = &'static str;

const fn compiles(name: Text, title: Text, tier: Tier, needs: Text, run: fn() -> Outcome) -> Part {
    Part { name, title, tier, lane: Lane::Compiles, needs, run }
}

const fn works(name: Text, title: Text, tier: Tier, needs: Text, run: fn() -> Outcome) -> Part {
    Part { name, title, tier, lane: Lane::Works, needs, run }
}

const fn waits(name: Text, title: Text, tier: Tier, needs: Text, run: fn() -> Outcome) -> Part {
    Part { name, title, tier, lane: Lane::Waits, needs, run }
}

/// All parts. Of the parts that could run, the first in this list runs first, and one that compiles before all others.
pub(crate) const PARTS: &[Part] = &[
    // What others need comes first.
    works("setup", "what the tests need is installed", Test, "", setup::tests),
    compiles("program", "the programs that other parts start", Test, "", rust::programs),
    compiles("compile", "Rust's tests are compiled", Test, "program", rust::compile),
    works("build", "the package is built", Test, "setup", build::run),
    // What does not wait for Rust's tests.
    works("backend", "a backend in Node, with limits on Redis", Test, "build", suites::backend),
    works("package", "the package in Node", Test, "build", suites::package),
    waits("submissions", "submissions in three stores", Test, "build", suites::submissions),
    works("clear-signing", "display models of ERC-7730", Test, "build", suites::clear_signing),
    works("sdks", "the live service's own SDKs", All, "build", suites::sdks),
    works("story", "the demonstration, and its figures in the README", All, "build", suites::story),
    works("documents", "tools of others on the OpenAPI documents", All, "build", suites::documents),
    works("vitest", "a client against lies in Vitest", Test, "build", suites::vitest),
    works("programs", "the programs of READMEs and guides", Test, "build", docs::programs),
    waits("form", "a form with React and viem in Chromium", Test, "build", suites::form),
    works("vectors", "vectors in core, wasm and native", Test, "build program", vectors::all),
    works("chromium", "vectors in Chromium", Test, "build program", suites::chromium),
    works("same-bytes", "wasm and native, to the byte", Test, "build", suites::same_bytes),
    works("imports", "the wasm imports nothing", Test, "build", suites::imports),
    works("panics", "no place in our code can panic in the wasm", Test, "build", suites::panics),
    waits("aliases", "other spellings of requests", Test, "build compile", suites::aliases),
    // What takes longest comes first, so that the short parts fill the end.
    works("rust", "Rust: units, laws, schemas, vectors", Test, "compile", rust::others),
    works("gateway", "the gateway, with real stores", Test, "setup compile", rust::gateway),
    waits("playground", "the playground in Chromium, on one screen", Test, "build program", || {
        Host::tested()?.walk("one")
    }),
    waits("dashboard", "the dashboard in Chromium, on four screens", All, "build program", || {
        Host::tested_with_dashboard()?.walk("dashboard")
    }),
    compiles("page", "typed values in a page in Rust", All, "build", page::run),
    compiles("pages", "a page with Leptos, and weights", All, "build page", page::optimised),
    works("entries", "types of every entry of the packed package", All, "build", suites::entries),
    works("expo", "an application with Expo: types and bundles", All, "build", suites::expo),
    works("examples", "Rust: the examples in the documentation", Test, "compile", rust::examples),
    works("supply", "dependencies and promises", Test, "compile", supply::check),
    compiles("bare-metal", "the core without an operating system", Test, "setup", || {
        suites::bare_metal("")
    }),
    // What a commit needs.
    compiles("clippy", "clippy", Check, "", lint::clippy),
    works("formatting", "formatting", Check, "", lint::formatting),
    works("units", "units, and the vectors in the core", Check, "", rust::units),
    works("quick", "the npm package's code, and its quick tests", Check, "", suites::quick),
    // What is checked without running it.
    compiles("fresh", "the generated files are fresh", Lint, "", codegen::fresh),
    compiles("clippy-core", "clippy of the bare core", Lint, "", lint::clippy_without_schemas),
    compiles("clippy-web", "clippy for browsers", Lint, "setup", lint::clippy_for_browsers),
    compiles("bare-metal-2", "the same with all of its features", Lint, "setup", || {
        suites::bare_metal("alloy,signature")
    }),
    compiles("documentation", "documentation", Lint, "", lint::documentation),
    compiles("api", "the public API equals api.txt", Lint, "", || codegen::api("--check")),
    works("rust-version", "no dependency needs a newer Rust", Lint, "", lint::rust_version),
    works("openapi", "the OpenAPI document, by Redocly", Lint, "", lint::openapi),
    works("types", "types beside viem and ox", Lint, "build", lint::types),
    works("typescript", "TypeScript", Lint, "build", lint::typescript),
    compiles("pack", "the packages", Landing, "package programs", build::pack),
    // What looks for the unknown, or compiles for minutes what few changes concern.
    compiles("workspace", "clippy of the whole workspace", All, "", lint::workspace),
    compiles("misspelt", "faults the compiler must find", All, "", suites::misspelt),
    compiles("oldest-rust", "with the Rust of `rust-version`", All, "", lint::oldest_rust),
    works("edge", "attacks on the gateway behind nginx", All, "setup compile", proofs::edge),
    works("soak", "faults at random; -- SECONDS SEED", All, "setup compile", proofs::soak),
    works("failover", "stores that lose a master", All, "build compile", proofs::failover),
    works("fuzz", "a minute of fuzzing, from the saved corpus", All, "build", fuzz::minute),
    waits("screens", "the playground on three more screens", All, "playground", || {
        Host::tested()?.walk("others")
    }),
    works("mutants", "of a file; or -- core|gateway|package FILE...", All, "", mutants::run),
    works("chain", "transfers on a chain, from request to receipt", All, "build", suites::chain),
    works("pocket", "100,000 requests, replayed", All, "build compile", suites::pocket),
    works("package-2", "it with all cases", All, "package", suites::package_with_all_cases),
    works("laws", "the laws with all of their cases, or -- CASES", All, "compile", suites::laws),
    works("bypass", "all ways around verification, or -- CASES", All, "compile", suites::bypass),
    works("applications", "10,000 applications", All, "compile", suites::applications),
    works("runtimes", "the package in runtimes that take seconds", All, "build", runtimes::quick),
    works("engines", "every vector in QuickJS and Hermes", All, "build", runtimes::engines),
    works("aliases-2", "the same over HTTP/2", All, "aliases", suites::all_aliases),
    compiles("reproducible", "built again in another folder", All, "build", reproducible::check),
    works("instructions", "instructions within budgets", All, "setup", instructions::check),
    // What takes too long for every night, or is looked at by a person.
    works("docs", "the site: programs, links, and pages in Chromium", Named, "build", docs::run),
    works("windows", "rate windows in Redis", Named, "setup", proofs::windows),
    works("timing", "times of wrong keys", Named, "", proofs::timing),
    works("miri", "the core's unit tests in Miri", Named, "", proofs::miri),
    works("coverage", "the lines of the core that tests reach", Named, "", proofs::coverage),
];

impl Part {
    /// The part of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PARTS.iter().find(|part| part.name == name)
    }

    /// The parts that `cargo xtask check`, `test`, `lint` or `test --all` runs.
    pub(crate) fn of(tier: Tier) -> Vec<&'static Self> {
        let also = |part: &Self| match tier {
            All => part.tier == Test,
            Landing => matches!(part.tier, Test | Lint) || part.is_in_lint(),
            Lint => part.is_in_lint(),
            Check | Test | Named => false,
        };
        PARTS.iter().filter(|part| part.tier == tier || also(part)).collect()
    }

    /// Parts of `check` that `lint` runs too.
    fn is_in_lint(&self) -> bool {
        matches!(self.name, "clippy" | "formatting")
    }

    pub(crate) fn needs(&self) -> impl Iterator<Item = &'static str> {
        self.needs.split_whitespace()
    }

    /// This part and all that it needs, what is needed first.
    pub(crate) fn with_needs(&'static self) -> Vec<&'static Self> {
        self.needs().filter_map(Self::named).flat_map(Self::with_needs).chain([self]).collect()
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
    fn needs_are_names_of_earlier_parts() {
        for (at, part) in PARTS.iter().enumerate() {
            let earlier = |name: &str| PARTS.iter().take(at).any(|earlier| earlier.name == name);
            assert!(part.needs().all(earlier) && !earlier(part.name), "{}", part.name);
        }
    }
}
