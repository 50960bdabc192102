//! `prove-windows`: the proof that windows in Redis are those of the core, in its long form.

use crate::{Outcome, process, setup};

pub(crate) fn windows() -> Outcome {
    setup::redis()?;
    eprintln!("prove-windows: compiling, seconds to a minute, and then some two minutes");
    process::run(&mut process::loud("cargo", &["run", "--quiet", "--release", "-p", "rate-windows", "--", "long"]))
}
