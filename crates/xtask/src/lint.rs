//! `lint`: static checks of the project.

use serde_json::Value;

use crate::{
    Outcome, build,
    parts::Tier,
    process::{self, quiet, run as finish, sh, words},
    rust, setup, test, toolchain,
};

/// Runs all checks. The types are read from the built package, as a user's compiler reads them.
pub(crate) fn run() -> Outcome {
    build::run()?;
    test::tier(Tier::Lint)
}

pub(crate) fn formatting() -> Outcome {
    sh("cargo fmt --all --check")
}

/// The default members: what the others need besides is checked by `test --all`.
pub(crate) fn clippy() -> Outcome {
    // `units` has the code of the core again.
    let mut clippy = words("cargo clippy --all-targets --test faults");
    finish(clippy.args(rust::all_but("units")?).args(["--", "-D", "warnings"]))
}

/// The whole workspace, with the tests on a chain, the benchmarks and what they need, and the page as browsers have it.
pub(crate) fn workspace() -> Outcome {
    sh("cargo clippy --workspace --all-targets --test faults -- -D warnings")?;
    clippy_for("-p page -p sendoff-web --all-features")?;
    document("--workspace")
}

/// The core with its default features, and the addon, which has them. Their tests have the others.
pub(crate) fn clippy_without_schemas() -> Outcome {
    sh("cargo clippy -p sendoff -p sendoff-node --lib -- -D warnings")
}

pub(crate) fn documentation() -> Outcome {
    document("")
}

fn document(packages: &str) -> Outcome {
    let mut doc = words(&format!("cargo doc --no-deps {packages}"));
    finish(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Checks the OpenAPI document by Redocly's strictest rules.
pub(crate) fn openapi() -> Outcome {
    setup::npm_run("tests/schema", "lint")
}

/// Checks the types together with viem and ox, in TypeScript 5 and the newest.
pub(crate) fn types() -> Outcome {
    setup::npm_run("tests/types", "test")
}

pub(crate) fn typescript() -> Outcome {
    setup::npm_run("bindings/sendoff-js", "typecheck")
}

pub(crate) fn clippy_for_browsers() -> Outcome {
    if !toolchain::is_installed(toolchain::WASM) {
        println!("not done: Debian's Rust for browsers has no clippy");
        return Ok(());
    }
    clippy_for("-p sendoff-wasm")
}

/// Packages as they are compiled for browsers. The page has the features of std, and the modules must not, so they are apart.
fn clippy_for(packages: &str) -> Outcome {
    sh(&format!("cargo clippy {packages} --target {} -- -D warnings", toolchain::WASM))
}

/// Checks the `rust-version` of dependencies. For the project's own code, clippy does (`incompatible_msrv`).
pub(crate) fn rust_version() -> Outcome {
    let expected = env!("CARGO_PKG_RUST_VERSION");
    let newer = rust::packages("")?.into_iter().filter_map(|package| {
        let needed = package.get("rust_version")?.as_str()?;
        let name = package.get("name").unwrap_or(&Value::Null);
        (numbers(needed) > numbers(expected)).then(|| format!("\n  {name} {needed}"))
    });
    let newer: String = newer.collect();
    if newer.is_empty() {
        return Ok(());
    }
    Err(format!("expected dependencies for Rust {expected}, found{newer}"))
}

/// Checks the core, what binds it and the programs with the Rust of `rust-version`.
pub(crate) fn oldest_rust() -> Outcome {
    let version = env!("CARGO_PKG_RUST_VERSION");
    if !process::succeeds("rustup", &["run", version, "rustc", "--version"]) {
        eprintln!("lint: installing Rust {version} with rustup, about 100 MB");
        let args = ["toolchain", "install", version, "--profile", "minimal", "--no-self-update"];
        if let Err(why) = finish(&mut quiet("rustup", &args)) {
            println!("not done: rustup cannot install Rust {version} ({why})");
            return Ok(());
        }
    }

    let mut check = words(&format!("rustup run {version} cargo check"));
    let packages = ["sendoff", "sendoff-wasm", "sendoff-node", "sendoff-cli", "sendoff-gateway"];
    check.args(packages.map(|name| format!("-p{name}")));
    finish(check.args(["--features", "sendoff/alloy,sendoff/schema,sendoff/signature"]))
}

/// The three numbers of a version, which compare in this order. `1.89` is `1.89.0`.
fn numbers(version: &str) -> [u32; 3] {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or_default());
    [(); 3].map(|()| numbers.next().unwrap_or_default())
}
