//! `size`: what a browser downloads, beside pages that do the same with public packages; and what
//! is in a module, by crate and by function.

use crate::{Outcome, build, docs, modules, process, setup};

pub(crate) fn run() -> Outcome {
    measured(&[])?;

    // As cargo built them: wasm-opt drops the names.
    let mut inspect =
        process::loud("cargo", &["run", "--quiet", "-p", "inspect", "--", "functions"]);
    inspect.args(modules::PAGES.programs.iter().map(|program| modules::PAGES.built(program)));
    process::run(&mut inspect)
}

/// Measures, and writes the figures and their picture.
pub(crate) fn write() -> Outcome {
    measured(&["--write"])?;
    docs::pictures()
}

fn measured(args: &[&str]) -> Outcome {
    build::run()?;
    setup::npm("bench")?;
    process::run(process::loud("node", &["bindings/sendoff-js/size.mjs"]).args(args))
}
