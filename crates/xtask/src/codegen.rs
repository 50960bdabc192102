//! `codegen`: the one command that writes committed files. What is made from code takes seconds; what is made by the built
//! package, or measured, is written only if it is named.

use std::fs;

use crate::{
    Outcome, bench, build, docs, instructions,
    process::{self, sh},
    project, proofs, runtimes, size,
};

/// A name, what it writes, and how.
type Named = (&'static str, &'static str, fn() -> Outcome);

/// What is written by its name alone: from the built package, or by measuring on this machine.
const NAMED: [Named; 7] = [
    ("admin", "docs/schema/admin.json: the admin API, from the gateway's routes", admin),
    (
        "docs",
        "the pictures, and the tables of docs/reference/tables/texts.md, by the built package",
        documents,
    ),
    ("instructions", "bench/instructions.json: budgets, counted by valgrind", instructions::write),
    ("size", "docs/pictures/size.json: what a page downloads", size::write),
    (
        "bench",
        "docs/reference/tables/bench.md and its figures in docs/pictures, some ten minutes",
        bench::write,
    ),
    (
        "runtimes",
        "docs/reference/tables/platforms.md, in every runtime, many minutes",
        runtimes::run,
    ),
    ("faults", "docs/reference/tables/faults.md, one fault after the other", proofs::table),
];

/// Writes what is made from code, or what is named.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let parts = names.iter().map(|name| {
        NAMED.iter().find(|(known, ..)| known == name).ok_or_else(|| {
            let known = NAMED.map(|(name, what, _)| format!("\n  {name:<13} {what}")).concat();
            format!("expected nothing, --check or names, found `{name}`; the names are:{known}")
        })
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    if parts.is_empty() { from_code("") } else { parts.iter().try_for_each(|(.., write)| write()) }
}

/// Checks that what is made from code is fresh. The tests check the rest.
pub(crate) fn check() -> Outcome {
    from_code("--check")
}

/// The public API comes first: the reference reads its names.
fn from_code(argument: &str) -> Outcome {
    api(argument)?;
    sh(&format!("cargo run --quiet --bin codegen -- {argument}"))
}

/// crates/sendoff/api.txt.
pub(crate) fn api(argument: &str) -> Outcome {
    sh(&format!("cargo run --quiet -p api -- {argument}"))
}

/// The same check as that of [`check`], without the API: as a test, whose binary the other tests need too.
pub(crate) fn fresh() -> Outcome {
    sh("cargo test --quiet --test fresh")
}

/// The routes say all but the definitions of the core, which the rest of `codegen` adds.
fn admin() -> Outcome {
    sh("cargo build --quiet --bin sendoff-gateway")?;
    let document =
        process::answer(&mut process::words("target/debug/sendoff-gateway describe"), "")?;
    let file = "docs/schema/admin.json";
    fs::write(project::at(file), document + "\n").map_err(|error| format!("{file}: {error}"))?;
    from_code("")
}

fn documents() -> Outcome {
    build::run()?;
    docs::written()
}
