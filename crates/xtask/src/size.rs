//! `size`: what a browser downloads.

use crate::{Outcome, build, process, setup};

pub(crate) fn run() -> Outcome {
    build::run()?;
    setup::npm("bench")?;
    process::run(&mut process::loud("node", &["bench/size.mjs"]))
}
