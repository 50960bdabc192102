//! `vectors`: runs suites of vectors in the core, the wasm and the native addon.

use std::path::absolute;

use crate::{
    Outcome, build,
    process::{run as finish, said, sh, words},
};

const RUNTIMES: [&str; 3] = ["core", "wasm", "native"];

/// The program that runs them in the core. In the lanes of tests it is compiled already.
const PROGRAM: &str = "target/debug/run-vectors";

pub(crate) fn run(args: &[&str]) -> Outcome {
    let (mut runtimes, mut args) = (RUNTIMES.to_vec(), args.to_vec());
    if let Some(at) = args.iter().position(|arg| *arg == "--runtime") {
        let named = args.get(at.saturating_add(1)).copied().unwrap_or_default();
        runtimes.retain(|runtime| *runtime == named);
        if !runtimes.is_empty() {
            args.drain(at..=at.saturating_add(1));
        }
    }
    if let Some(option) = args.iter().find(|arg| arg.starts_with("--")) {
        return Err(format!(
            "expected --runtime core, wasm or native, and folders, found `{option}`"
        ));
    }
    // The runner in JavaScript has a working directory of its own.
    let places = args.iter().map(|place| {
        absolute(place)
            .map(|place| place.display().to_string())
            .map_err(|e| format!("{place}: {e}"))
    });
    let given: Vec<_> = places.collect::<Result<_, _>>()?;

    sh("cargo build --quiet --bin run-vectors")?;
    if runtimes != ["core"] {
        build::run()?;
    }
    through(&runtimes, &if given.is_empty() { places_of_all()? } else { given })
}

/// All suites in all runtimes, which are built.
pub(crate) fn all() -> Outcome {
    through(&RUNTIMES, &places_of_all()?)
}

/// All suites in Chromium.
pub(crate) fn chromium() -> Outcome {
    finish(words("SENDOFF_VECTORS= node tests/browser/run.mjs").args(places_of_all()?))
}

/// The places of all suites.
fn places_of_all() -> Result<Vec<String>, String> {
    Ok(said(&format!("{PROGRAM} --places"))?.lines().map(str::to_owned).collect())
}

/// Runs the suites of these places. Each runner prints what failed, and at last how many passed.
fn through(runtimes: &[&str], places: &[String]) -> Outcome {
    let one = |runtime: &&&str| {
        println!("\n{runtime}");
        let in_node = "SENDOFF_VECTORS= node bindings/sendoff-js/vectors.mjs";
        let mut runner = words(if **runtime == "core" { PROGRAM } else { in_node });
        finish(runner.args(places).env("SENDOFF_BACKEND", runtime)).is_err()
    };
    // The output has the reason, so the error has no message.
    if runtimes.iter().filter(one).count() == 0 { Ok(()) } else { Err(String::new()) }
}
