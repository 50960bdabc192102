//! `codegen`: the one command that writes committed files. What is made from code takes seconds; what is made by the built
//! package, or measured, is written only if it is named.

use crate::{
    Outcome,
    parts::{Part, WRITTEN},
    process::{said, sh},
    project,
};

/// Writes what is made from code, or what is named.
pub(crate) fn run(names: &[&str]) -> Outcome {
    match names {
        [] | ["--check"] => from_code(&names.concat()),
        names => names.iter().try_for_each(|name| Part::run_one(WRITTEN, name)),
    }
}

/// Writes what is made from code, or checks that it is fresh; the tests check the rest. The public API comes first: the reference
/// reads its names.
fn from_code(argument: &str) -> Outcome {
    api(argument)?;
    sh(&format!("cargo run --quiet --bin codegen -- {argument}"))
}

/// crates/sendoff/api.txt.
pub(crate) fn api(argument: &str) -> Outcome {
    sh(&format!("cargo run --quiet -p api -- {argument}"))
}

/// The routes say all but the definitions of the core, which the rest of `codegen` adds.
pub(crate) fn admin() -> Outcome {
    let document = said("cargo run --quiet --bin sendoff-gateway describe")?;
    project::write(&project::at("docs/schema/admin.json"), &(document + "\n"))?;
    from_code("")
}
