//! The project's commands. `cargo xtask` lists them.

mod build;
mod codegen;
mod demo;
mod edits;
mod fuzz;
mod instructions;
mod lanes;
mod layers;
mod mutants;
mod parts;
mod process;
mod project;
mod rust;
mod setup;
mod specification;
mod stamp;
mod supply;
mod tested;
mod toolchain;
mod vectors;

use std::{env, process::ExitCode};

use parts::{COMMANDS, Part, Tier};

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
        ["check"] => lanes::tier(Tier::Check),
        ["test", parts @ ..] => lanes::run(parts),
        // The types are read from the built package, as a user's compiler reads them.
        ["lint"] => build::run().and_then(|()| lanes::tier(Tier::Lint)),
        ["vectors", rest @ ..] => vectors::run(rest),
        ["fuzz", "--keep", checks @ ..] => fuzz::keep(checks),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        [name @ ("bench" | "size")] => Part::run_one(COMMANDS, name),
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
