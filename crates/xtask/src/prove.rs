//! `prove-windows`, `codegen faults`, `soak`, `failover` and `timing`: what is proved in more time
//! than a test has.

use std::fs;

use crate::{Outcome, process, project, setup};

/// Compares rate windows in Redis with those of the core, in the long form.
pub(crate) fn windows() -> Outcome {
    setup::redis()?;
    eprintln!("prove-windows: compiling, seconds to a minute, and then about two minutes");
    process::run(&mut process::loud(
        "cargo",
        &["run", "--quiet", "--release", "-p", "rate-windows", "--", "long"],
    ))
}

const README: &str = "crates/sendoff-gateway/README.md";
const BEGIN: &str = "<!-- the table of `cargo xtask codegen faults` -->\n";
const END: &str = "<!-- its end -->";

/// Tests the gateway with one fault at a time, and writes the results into its README.
pub(crate) fn gateway() -> Outcome {
    setup::redis()?;
    eprintln!("faults: compiling, seconds to minutes, and then about two minutes");
    let file = project::at("target/faults.md");
    faults("table", &[("SENDOFF_FAULTS", &file.to_string_lossy())])?;
    let table =
        fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let readme = project::at(README);
    let text = fs::read_to_string(&readme).map_err(|error| format!("{README}: {error}"))?;
    let parts =
        text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) =
        parts.ok_or_else(|| format!("{README}: expected the place of the table, found none"))?;
    fs::write(readme, format!("{before}{BEGIN}{table}{END}{after}"))
        .map_err(|error| format!("{README}: {error}"))
}

/// Tests the gateway with mixed load and random faults from a seed.
pub(crate) fn soak(seconds: &str, seed: &str) -> Outcome {
    setup::redis()?;
    eprintln!("soak: compiling, seconds to minutes, and then {seconds} s");
    faults("soak", &[("SENDOFF_SOAK_SECONDS", seconds), ("SENDOFF_SOAK_SEED", seed)])
}

/// The gateway's tests under load that take too long for the others.
pub(crate) fn load() -> Outcome {
    setup::redis()?;
    let test = ["test", "--quiet", "-p", "sendoff-gateway", "--test", "http", "--", "--ignored"];
    process::run(&mut process::loud("cargo", &test))
}

/// The tests in which a cluster or sentinels lose a master under load, one after the other: the gateway's and the package's.
pub(crate) fn failover() -> Outcome {
    setup::redis()?;
    let test =
        ["test", "--quiet", "-p", "sendoff-gateway", "--test", "cluster", "failover::", "--"];
    let mut cargo = process::loud("cargo", &test);
    process::run(cargo.args(["--include-ignored", "--nocapture", "--test-threads=1"]))?;
    let place = "bindings/sendoff-js/examples/node-backend";
    setup::npm(place)?;
    process::run(
        process::loud("npm", &["run", "--silent", "failover"]).current_dir(project::at(place)),
    )
}

/// Times of the gateway's callers with right and wrong secrets, by a t-test.
pub(crate) fn timing() -> Outcome {
    let test = [
        "test",
        "--quiet",
        "--release",
        "-p",
        "sendoff-gateway",
        "--lib",
        "callers::timing",
        "--",
        "--nocapture",
    ];
    process::run(process::loud("cargo", &test).env("SENDOFF_TIMING", "200000"))
}

/// Runs a test of `crates/sendoff-gateway/tests/faults`.
fn faults(name: &str, variables: &[(&str, &str)]) -> Outcome {
    let name = format!("{name}::{name}");
    let test = ["test", "--quiet", "-p", "sendoff-gateway", "--test", "faults", "--"];
    let mut cargo = process::loud("cargo", &test);
    process::run(
        cargo
            .args([&name, "--exact", "--include-ignored", "--nocapture"])
            .envs(variables.iter().copied()),
    )
}
