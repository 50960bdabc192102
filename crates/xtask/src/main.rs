//! The project's commands. `cargo xtask` lists them.

mod apt;
mod bench;
mod build;
mod codegen;
mod demo;
mod docs;
mod edits;
mod fuzz;
mod host;
mod instructions;
mod lanes;
mod layers;
mod lint;
mod modules;
mod mutants;
mod page;
mod parts;
mod process;
mod project;
mod proofs;
mod reproducible;
mod runtimes;
mod rust;
mod setup;
mod size;
mod specification;
mod stamp;
mod suites;
mod supply;
mod test;
mod tested;
mod toolchain;
mod vectors;

use std::{env, process::ExitCode};

/// The result of a command, with a sentence for people if it fails.
type Outcome = Result<(), String>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  demo [--stay] [--all]      a client that signs what comes back pays a stranger; --stay: a page to try it in; --all: each step
  build                      the npm package, with WebAssembly and the addon: bindings/sendoff-js/dist
  pack                       the npm package as a tarball, and the crates: target/packages
  check                      before a commit, a minute: formatting, clippy, units, vectors, quick tests in Node
  test [--landing|--all]     before a change lands, some minutes: every behaviour; --landing: `lint` and `pack` too
  test PART... [-- ARG...]   only these parts, and what they need; a wrong name lists them
  lint                       formatting, lints, documentation and types
  vectors [DIR...]           suites of vectors, by --runtime core, wasm or native; of the project, or of DIR and SENDOFF_VECTORS
  codegen [--check|NAME...]  the committed files that are made from code; NAME: what is measured, a wrong one lists them
  fuzz [CHECK...] [SECONDS]  the laws on bytes that a fuzzer chooses; --keep: save what it reached
  bench                      times beside public packages, in Node, in Chromium and over HTTP
  size                       what a browser downloads, beside pages with public packages
  setup                      what the other commands need, which they install by themselves";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).take_while(|arg| arg != "--").collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["setup"] => setup::run(),
        ["build"] => build::run(),
        ["demo", rest @ ..] => demo::run(rest),
        ["check"] => test::tier(parts::Tier::Check),
        ["test", parts @ ..] => test::run(parts),
        ["lint"] => lint::run(),
        ["vectors", rest @ ..] => vectors::run(rest),
        ["fuzz", "--keep", checks @ ..] => fuzz::keep(checks),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["bench"] => bench::run(),
        ["size"] => size::run(),
        ["codegen", "--check"] => codegen::check(),
        ["codegen", names @ ..] => codegen::run(names),
        ["pack"] => build::pack(),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        [] => Err(USAGE.into()),
        other => Err(format!("expected a command, found `{}`\n\n{USAGE}", other.join(" "))),
    };

    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // The message is empty if the output already contains the reason.
            if !why.is_empty() {
                eprintln!("{why}");
            }
            ExitCode::FAILURE
        }
    }
}

/// What follows `--`: more for the part of a test that is named.
fn arguments() -> Vec<String> {
    env::args().skip_while(|arg| arg != "--").skip(1).collect()
}
