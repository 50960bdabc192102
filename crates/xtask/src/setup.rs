//! `setup`: what the other commands need and this machine lacks.
//!
//! What is there already is only looked at, so every command that needs a part asks for it.

use std::{fs, path::Path};

use crate::{Outcome, apt, process, project, stamp::Stamp, toolchain};

/// Where Debian puts it, and where the test in a browser looks for it.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Everything, for every command.
pub(crate) fn run() -> Outcome {
    tools()?;
    redis()?;
    chain()?;
    browser()
}

/// What the package is built with.
pub(crate) fn tools() -> Outcome {
    node()?;
    toolchain::install()?;
    wasm_bindgen()?;
    npm("bindings/sendoff-js")
}

/// What only the test in a browser needs. Without it the rest works, so where it cannot be had the test says so.
pub(crate) fn browser() -> Outcome {
    if project::at("tests/browser/package-lock.json").exists() {
        npm("tests/browser")?;
    }
    if Path::new(CHROMIUM).exists() || !apt::is_possible() {
        return Ok(());
    }
    eprintln!("setup: installing Chromium from Debian for the test in a browser, about a minute");
    apt::install(&["chromium"])
}

/// What only the tests of shared rate windows need. Without it the rest works, so where it cannot be had they say so.
pub(crate) fn redis() -> Outcome {
    if process::agrees("redis-server", &["--version"]) || !apt::is_possible() {
        return Ok(());
    }
    eprintln!("setup: installing Redis from Debian for the tests of shared rate windows, seconds");
    apt::install(&["redis-server"])
}

/// What only the tests on a chain need: the published EntryPoints, a node, and the contracts of `tests/chain`, compiled.
pub(crate) fn chain() -> Outcome {
    npm_of_this_platform("tests/chain")?;
    let room = project::at("tests/chain");
    let compiled = project::at("target/chain/contracts.json");
    let inputs = ["compile.mjs", "contracts", "package-lock.json"].map(|input| room.join(input));
    let stamp = Stamp::new("chain-contracts", &inputs)?;
    if stamp.is_fresh() && compiled.exists() {
        return Ok(());
    }
    eprintln!("setup: compiling the contracts of tests/chain, seconds");
    let args = ["tests/chain/compile.mjs", &compiled.to_string_lossy()];
    stamp.renew(|| process::run(&mut process::quiet("node", &args)))
}

/// The `wasm-bindgen` that fits the library in the lock file: another version refuses the module.
pub(crate) fn wasm_bindgen() -> Outcome {
    let version = locked("wasm-bindgen")?;
    let program = project::at("target/tools/bin/wasm-bindgen");
    let installed = process::answer(&mut process::quiet(&program.to_string_lossy(), &["--version"]), "");
    if installed.is_ok_and(|text| text.split_whitespace().last() == Some(&version)) {
        return Ok(());
    }
    eprintln!("setup: compiling wasm-bindgen-cli {version}, about a minute");
    let target = project::at("target/tools");
    // Compiled for a start in seconds rather than for speed: it runs for one second a build. Its defaults are for running
    // tests over the network.
    let args = ["install", "wasm-bindgen-cli", "--version", &version, "--bin", "wasm-bindgen", "--debug"];
    let mut cargo = process::quiet("cargo", &args);
    cargo.args(["--no-default-features", "--force", "--root"]).arg(&target).env_remove("CARGO_TARGET_DIR");
    process::run(&mut cargo)
}

/// The packages of `folder`, exactly as locked.
pub(crate) fn npm(folder: &str) -> Outcome {
    npm_by(folder, &["ci"])
}

/// The packages of `folder`, in the versions that are locked. `npm ci` refuses a lock file without the packages for other
/// platforms, and not every registry has those.
pub(crate) fn npm_of_this_platform(folder: &str) -> Outcome {
    npm_by(folder, &["install", "--no-save"])
}

fn npm_by(folder: &str, command: &[&str]) -> Outcome {
    let place = project::at(folder);
    let stamp = Stamp::new(&format!("npm-{}", folder.replace('/', "-")), &[place.join("package-lock.json")])?;
    if stamp.is_fresh() && place.join("node_modules").exists() {
        return Ok(());
    }
    eprintln!("setup: npm {} in {folder}, seconds to a minute", command.join(" "));
    let mut npm = process::quiet("npm", command);
    npm.args(["--no-audit", "--no-fund"]).current_dir(&place);
    stamp.renew(|| process::run(&mut npm))
}

/// Node is not ours to install, but it must be one that the package runs on.
fn node() -> Outcome {
    let text = process::answer(&mut process::quiet("node", &["--version"]), "")?;
    let major: u32 = text.trim_start_matches('v').split('.').next().and_then(|n| n.parse().ok()).unwrap_or_default();
    if major >= 20 { Ok(()) } else { Err(format!("Node 20 or newer is needed, found {text}")) }
}

/// The version of a crate in Cargo.lock.
fn locked(name: &str) -> Result<String, String> {
    let lock = fs::read_to_string(project::at("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
    let mut lines = lock.lines().skip_while(|line| *line != format!("name = \"{name}\""));
    let version = lines.nth(1).and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    version.map(Into::into).ok_or_else(|| format!("expected {name} in Cargo.lock"))
}
