//! Rust for other targets than this machine.

use std::{path::Path, process::Command};

use crate::{Outcome, process, setup};

/// The target for browsers.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";
/// A target without an operating system.
const BARE_METAL: &str = "thumbv7m-none-eabi";

/// Debian's Rust for browsers, where rustup cannot add targets. It has no libraries for these targets, but cargo builds them from
/// their source. `rust-lld` is a link to `lld-22`, which is not among its dependencies.
const DEBIAN: &str = "rustc-web cargo-web rust-web-src rust-web-llvm lld-22";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library/Cargo.toml";

/// A program; for a line of cargo's with a target that rustup does not have, Debian's cargo.
pub(crate) fn command(program: &str, line: &str) -> Command {
    let target = [WASM, BARE_METAL].into_iter().find(|target| line.contains(target));
    let Some(target) = target.filter(|target| program == "cargo" && !is_installed(target)) else {
        return process::command(program);
    };

    let mut cargo = process::command(DEBIAN_CARGO);
    // A stable cargo builds the libraries only with RUSTC_BOOTSTRAP.
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
    let libraries = if target == WASM { "std,panic_abort" } else { "core,alloc" };
    cargo.env("CARGO_UNSTABLE_BUILD_STD", libraries);
    cargo
}

/// Installs both targets.
pub(crate) fn install() -> Outcome {
    let is_whole = || is_installed(WASM) && is_installed(BARE_METAL);
    if is_whole() || (Path::new(DEBIAN_CARGO).exists() && Path::new(DEBIAN_SOURCE).exists()) {
        return Ok(());
    }
    eprintln!("setup: adding the Rust targets {WASM} and {BARE_METAL}, seconds");
    let added = process::sh(&format!("rustup target add {WASM} {BARE_METAL}"));
    if added.is_ok() && is_whole() {
        return Ok(());
    }
    eprintln!("setup: rustup failed; Debian's Rust for browsers instead, about a minute");
    setup::debian(DEBIAN).map_err(|why| {
        format!("the Rust targets {WASM} and {BARE_METAL} are needed, and rustup could not add them: {why}")
    })
}

pub(crate) fn is_installed(target: &str) -> bool {
    let libraries = process::said(&format!("rustc --print target-libdir --target {target}"));
    libraries.is_ok_and(|libraries| Path::new(&libraries).exists())
}
