//! Everything that would be a shell script: `cargo xtask` lists it.

mod account;
mod aliases;
mod apt;
mod bench;
mod build;
mod call_data;
mod codegen;
mod demo;
mod docs;
mod fuzz;
mod host;
mod lint;
mod page;
mod process;
mod project;
mod release;
mod prove;
mod runtimes;
mod setup;
mod size;
mod stamp;
mod steps;
mod test;
mod toolchain;
mod vectors;

use std::{env, process::ExitCode};

/// The result of a command: nothing, or a sentence for people.
type Outcome = Result<(), String>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  setup                                  what the other commands need and this machine lacks
  build                                  the npm package, wasm and native addon in it: bindings/sendoff-js/dist
  demo [REQUEST.json|-] [--facts F.json] [--stay]
                                         answer a request through core, wasm, native and a gateway over HTTP, and say
                                         what it does; --stay: go on serving, with a page to try it in
  test [PART...]                         every test, or only these parts; a wrong name lists the parts
  lint                                   formatting, lints, documentation, types
  vectors [--runtime core|wasm|native] [DIR...]
                                         run suites of vectors; without DIR the project's own and SENDOFF_VECTORS
  bench                                  three jobs beside viem + zod and ox + valibot, in Node and in Chromium; the
                                         estimate over HTTP beside a host in Node; the core by stages and beside alloy
  size                                   each wasm, and a page with one function of each entry: raw, gzip, brotli
  codegen [--check]                      the files that are made from the core; --check: are they fresh?
  pack                                   the npm packages as tarballs: target/packages
  docs                                   the documentation: its programs run, its links followed, its pages opened;
                                         target/docs/site
  release --dry-run                      what a release would publish: built, tested, packed, with hashes
  fuzz [CASES]                           the laws with more cases each, 100000 by default
  runtimes                               the package in every runtime that it is for, which writes the table in README.md;
                                         the quick ones are a part of test; and aliases of requests through Next
  prove-windows                          rate windows in Redis are those of the core: millions of steps, some minutes
  prove-gateway                          the gateway under one fault after the other, which writes the table in its README
  soak [SECONDS] [SEED]                  the gateway under faults at random, 1200 s and seed 1 by default; 60 s are a part of
                                         test";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["setup"] => setup::run(),
        ["build"] => build::run(),
        ["demo", rest @ ..] => demo::run(rest),
        ["test", parts @ ..] => test::run(parts),
        ["lint"] => lint::run(),
        ["vectors", rest @ ..] => vectors::run(rest),
        ["bench"] => bench::run(),
        ["size"] => size::run(),
        ["pack"] => build::pack(),
        ["docs"] => docs::run(),
        ["codegen"] => codegen::write(),
        ["codegen", "--check"] => codegen::check(),
        ["fuzz"] => fuzz::run("100000"),
        ["fuzz", cases] => fuzz::run(cases),
        ["runtimes"] => runtimes::run(),
        ["prove-windows"] => prove::windows(),
        ["prove-gateway"] => prove::gateway(),
        ["soak"] => prove::soak("1200", "1"),
        ["soak", seconds] => prove::soak(seconds, "1"),
        ["soak", seconds, seed] => prove::soak(seconds, seed),
        ["release", "--dry-run"] => release::run(),
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
            // Where the last line printed says it already, there is nothing to add.
            if !why.is_empty() {
                eprintln!("{why}");
            }
            ExitCode::FAILURE
        }
    }
}
