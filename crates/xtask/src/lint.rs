//! `lint`: static checks of the project.

use serde_json::Value;

use crate::{Outcome, build, codegen, process, project, setup, steps::Steps, toolchain};

pub(crate) fn run() -> Outcome {
    // The types are read from the built package, as a user's compiler reads them.
    build::run()?;
    let mut steps = Steps::default();
    steps.take("formatting", || cargo(&["fmt", "--all", "--check"]));
    steps.take("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
    steps.take("clippy without schemas", || {
        cargo(&["clippy", "-p", "sendoff", "--all-targets", "--", "-D", "warnings"])
    });
    steps.take("clippy for browsers", clippy_for_browsers);
    steps.take("no dependency needs a newer Rust than `rust-version`", rust_version);
    steps.take("the published crates build with the Rust of `rust-version`", oldest_rust);
    steps.take("documentation", || {
        let args = ["doc", "--workspace", "--no-deps"];
        process::run(process::loud("cargo", &args).env("RUSTDOCFLAGS", "-D warnings"))
    });
    steps.take("generated files are fresh", codegen::check);
    steps.take("the OpenAPI document, by Redocly's strictest rules", || {
        setup::npm("tests/schema")?;
        process::run(process::loud("npm", &["run", "--silent", "lint"]).current_dir(project::at("tests/schema")))
    });
    steps.take("types together with viem and ox, in TypeScript 5 and the newest", || {
        setup::npm("tests/types")?;
        process::run(process::loud("npm", &["test", "--silent"]).current_dir(project::at("tests/types")))
    });
    steps.take("TypeScript", || {
        let args = ["run", "--silent", "--if-present", "typecheck"];
        process::run(process::loud("npm", &args).current_dir(project::package()))
    });
    steps.close()
}

fn cargo(args: &[&str]) -> Outcome {
    process::run(&mut process::loud("cargo", args))
}

fn clippy_for_browsers() -> Outcome {
    if !toolchain::is_installed(toolchain::WASM) {
        println!("not done: Debian's Rust for browsers has no clippy; the crate was checked above for this machine");
        return Ok(());
    }
    cargo(&[
        "clippy",
        "-p",
        "sendoff-wasm",
        "-p",
        "sendoff-signature-wasm",
        "--target",
        toolchain::WASM,
        "--",
        "-D",
        "warnings",
    ])
}

/// Checks the `rust-version` of dependencies. For the project's own code, clippy does (`incompatible_msrv`).
fn rust_version() -> Outcome {
    let said = numbers(env!("CARGO_PKG_RUST_VERSION"));
    let args = ["metadata", "--format-version", "1", "--locked"];
    let metadata: Value = serde_json::from_str(&process::answer(&mut process::loud("cargo", &args), "")?)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let newer = metadata.get("packages").and_then(Value::as_array).into_iter().flatten().filter_map(|package| {
        let needed = package.get("rust_version")?.as_str()?;
        (numbers(needed) > said).then(|| format!("\n  {} {needed}", package.get("name").unwrap_or(&Value::Null)))
    });
    let newer: String = newer.collect();
    let expected = env!("CARGO_PKG_RUST_VERSION");
    if newer.is_empty() { Ok(()) } else { Err(format!("expected dependencies for Rust {expected}, found{newer}")) }
}

fn oldest_rust() -> Outcome {
    let version = env!("CARGO_PKG_RUST_VERSION");
    if !process::succeeds("rustup", &["run", version, "rustc", "--version"]) {
        eprintln!("lint: installing Rust {version} with rustup, about 100 MB");
        let args = ["toolchain", "install", version, "--profile", "minimal", "--no-self-update"];
        if let Err(why) = process::run(&mut process::quiet("rustup", &args)) {
            println!("not done: rustup cannot install Rust {version} ({why})");
            return Ok(());
        }
    }
    let check = |args: &[&str]| process::run(process::loud("rustup", &["run", version, "cargo", "check"]).args(args));
    check(&["-p", "sendoff", "--all-features"])?;
    check(&["-p", "sendoff-wasm", "-p", "sendoff-signature-wasm", "-p", "sendoff-node"])?;
    check(&["-p", "sendoff-cli", "-p", "sendoff-gateway"])
}

/// The three numbers of a version, which compare in this order. `1.89` is `1.89.0`.
fn numbers(version: &str) -> [u32; 3] {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or_default());
    [(); 3].map(|()| numbers.next().unwrap_or_default())
}
