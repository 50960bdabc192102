//! `size`: what a browser downloads.

use crate::{Outcome, build, process};

pub(crate) fn run() -> Outcome {
    build::run()?;
    process::run(&mut process::loud("node", &["bindings/sendoff-js/size.mjs"]))
}
