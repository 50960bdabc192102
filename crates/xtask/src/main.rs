//! The project's commands. `cargo xtask` lists them.

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

/// The result of a command, with a sentence for people if it fails.
type Outcome = Result<(), String>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  setup                                  install what the other commands need
  build                                  build the npm package, with wasm and native addon: bindings/sendoff-js/dist
  demo [REQUEST.json|-] [--facts F.json] [--stay]
                                         answer a request by core, wasm, native and a gateway over HTTP, and describe the
                                         operation; --stay: keep the gateway running, with the playground
  test [PART...]                         run every test, or only these parts; an unknown name lists the parts
  lint                                   check formatting, lints, documentation and types
  vectors [--runtime core|wasm|native] [DIR...]
                                         run suites of vectors; without DIR the project's own and SENDOFF_VECTORS
  bench                                  compare three jobs with viem + zod and ox + valibot, in Node and in Chromium; the
                                         estimate over HTTP with a host in Node; the core by stages and with alloy
  size                                   print the size of each wasm, and of a page for each entry: raw, gzip, brotli
  codegen [--check]                      write the files that are made from the core; --check: only compare them
  pack                                   pack the npm packages: target/packages
  docs                                   build the documentation and check programs, links and pages: target/docs/site
  release --dry-run                      build, test and pack the files of a release, and print their hashes
  fuzz [CASES]                           run the laws with more cases each, 100000 by default
  runtimes                               test the package in every supported runtime, and write the table in README.md, and
                                         test aliases of requests with Next; test includes the quick runtimes
  prove-windows                          compare rate windows in Redis with the core, in millions of steps, some minutes
  prove-gateway                          test the gateway with one fault at a time, and write the table in its README
  soak [SECONDS] [SEED]                  test the gateway with random faults, 1200 s and seed 1 by default; test includes 60 s";

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
            // The message is empty if the output already contains the reason.
            if !why.is_empty() {
                eprintln!("{why}");
            }
            ExitCode::FAILURE
        }
    }
}
