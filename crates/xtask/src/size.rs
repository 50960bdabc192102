//! `size`: what a browser downloads, beside pages that do the same with public packages.

use crate::{Outcome, build, docs, process::sh, setup};

/// Measures and prints.
pub(crate) fn run() -> Outcome {
    measured("")
}

/// Measures, and writes the figures and their picture.
pub(crate) fn write() -> Outcome {
    measured("--write")?;
    docs::pictures()
}

fn measured(argument: &str) -> Outcome {
    build::run()?;
    setup::npm("bench")?;
    sh(&format!("node bindings/sendoff-js/size.mjs {argument}"))
}
