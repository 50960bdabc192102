//! `demo`: a client that signs what comes back, and what happens to the money. With `--all` one request is answered by the core, the
//! wasm, the native addon and a gateway over HTTP too.

use crate::{Outcome, build, process::sh, project, setup};

pub(crate) fn run(args: &[&str]) -> Outcome {
    if let Some(other) = args.iter().find(|arg| !["--all", "--stay"].contains(arg)) {
        return Err(format!("expected --all or --stay, found `{other}`"));
    }
    build::run()?;
    sh("node tests/story/run.mjs")?;
    if args.is_empty() {
        println!("\n`cargo xtask demo --all` shows an estimate in every runtime and over HTTP");
        return Ok(());
    }

    println!();
    if !project::at("target/debug/sendoff-gateway").exists() {
        eprintln!("demo: compiling the gateway, two to three minutes the first time");
    }
    sh("cargo build --quiet --bin sendoff --bin sendoff-gateway")?;
    setup::needed("demo-page")?;
    sh(&format!("node crates/xtask/src/demo.mjs {}", args.join(" ")))
}
