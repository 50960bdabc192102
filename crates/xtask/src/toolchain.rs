//! The Rust that builds for targets other than this machine.

use std::{path::Path, process::Command};

use crate::{Outcome, apt, process};

/// Browsers.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
/// A processor without an operating system: what builds for it needs nothing of one.
pub(crate) const BARE_METAL: &str = "thumbv7m-none-eabi";

/// Debian's own Rust for browsers. It has no libraries for these targets, but their source, from which cargo builds them.
/// `lld-22` is what its `rust-lld` points to without depending on it.
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
    let libraries = if target == WASM { "-Zbuild-std=std,panic_abort" } else { "-Zbuild-std=core,alloc" };
    let mut cargo = process::quiet(DEBIAN_CARGO, args);
    cargo.args(["--target", target, libraries]);
    // A stable cargo builds the libraries only for those who say that they know better.
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
    Ok(cargo)
}

/// Sees to it that [`cargo`] can build for both targets.
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
        "the Rust targets {WASM} and {BARE_METAL} are needed, and rustup could not add them; where there is a network, \
         `rustup target add {WASM} {BARE_METAL}` does, and root on Debian has `apt-get install {}`",
        DEBIAN.join(" ")
    );
    if !apt::is_possible() {
        return Err(sentence);
    }
    eprintln!("setup: rustup could not; installing Debian's Rust for browsers instead, about a minute");
    apt::install(&DEBIAN).map_err(|why| format!("{sentence}\n{why}"))
}

pub(crate) fn is_installed(target: &str) -> bool {
    let asked = process::answer(&mut process::quiet("rustc", &["--print", "target-libdir", "--target", target]), "");
    asked.is_ok_and(|libraries| Path::new(&libraries).exists())
}

fn debian_is_installed() -> bool {
    Path::new(DEBIAN_CARGO).exists() && Path::new(DEBIAN_SOURCE).exists()
}
