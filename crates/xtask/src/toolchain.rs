//! Rust toolchains for other targets than this machine.

use std::{path::Path, process::Command};

use crate::{Outcome, apt, process};

/// The target for browsers.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
/// A target without an operating system.
pub(crate) const BARE_METAL: &str = "thumbv7m-none-eabi";

/// Debian's Rust for browsers. It has no libraries for these targets, but cargo builds them from their source. `rust-lld`
/// is a link to `lld-22`, which is not among its dependencies.
const DEBIAN: [&str; 5] = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm", "lld-22"];
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/Cargo.toml";

/// `cargo` with these arguments, for `target`.
pub(crate) fn cargo(target: &str, args: &[&str]) -> Result<Command, String> {
    if is_installed(target) {
        let mut cargo = process::quiet("cargo", args);
        cargo.args(["--target", target]);
        return Ok(cargo);
    }
    if !debian_is_installed() {
        return Err(format!("the Rust target {target} is not installed: run `cargo xtask setup`"));
    }
    let libraries =
        if target == WASM { "-Zbuild-std=std,panic_abort" } else { "-Zbuild-std=core,alloc" };
    let mut cargo = process::quiet(DEBIAN_CARGO, args);
    cargo.args(["--target", target, libraries]);
    // A stable cargo builds the libraries only with RUSTC_BOOTSTRAP.
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
    Ok(cargo)
}

/// Installs what [`cargo`] needs for both targets.
pub(crate) fn install() -> Outcome {
    if (is_installed(WASM) && is_installed(BARE_METAL)) || debian_is_installed() {
        return Ok(());
    }
    eprintln!("setup: adding the Rust targets {WASM} and {BARE_METAL}, seconds");
    let added = process::run(&mut process::quiet("rustup", &["target", "add", WASM, BARE_METAL]));
    if added.is_ok() && is_installed(WASM) && is_installed(BARE_METAL) {
        return Ok(());
    }
    let sentence = format!(
        "the Rust targets {WASM} and {BARE_METAL} are needed, and rustup could not add them; with a network, run \
         `rustup target add {WASM} {BARE_METAL}`, or `apt-get install {}` as root on Debian",
        DEBIAN.join(" ")
    );
    if !apt::is_possible() {
        return Err(sentence);
    }
    eprintln!(
        "setup: rustup failed; installing Debian's Rust for browsers instead, about a minute"
    );
    apt::install(&DEBIAN).map_err(|why| format!("{sentence}\n{why}"))
}

pub(crate) fn is_installed(target: &str) -> bool {
    let asked = process::answer(
        &mut process::quiet("rustc", &["--print", "target-libdir", "--target", target]),
        "",
    );
    asked.is_ok_and(|libraries| Path::new(&libraries).exists())
}

fn debian_is_installed() -> bool {
    Path::new(DEBIAN_CARGO).exists() && Path::new(DEBIAN_SOURCE).exists()
}
