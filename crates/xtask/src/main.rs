//! The project's commands. `cargo xtask` lists them.

mod aliases;
mod apt;
mod bench;
mod budgets;
mod build;
mod codegen;
mod core_tasks;
mod demo;
mod docs;
mod edits;
mod evidence;
mod fuzz;
mod hook;
mod host;
mod instructions;
mod lanes;
mod layers;
mod lint;
mod modules;
mod mutants;
mod page;
mod part;
mod parts;
mod process;
mod processor;
mod project;
mod promises;
mod prove;
mod reproducible;
mod runtimes;
mod rust;
mod setup;
mod size;
mod specification;
mod stamp;
mod steps;
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

  setup                                  install what the other commands need
  build                                  build the npm package, with wasm and native addon: bindings/sendoff-js/dist
  demo [REQUEST.json|-] [--facts F.json] [--stay]
                                         answer a request by core, wasm, native and a gateway over HTTP, and describe the
                                         operation; --stay: keep the gateway running, with the playground
  check                                  before a commit, a minute: formatting, clippy, units, vectors in the core, and the
                                         quick tests in Node
  hook                                   install `check` as git's pre-commit hook
  test [--landing|--all] [PART...]       before a change lands, some minutes: every behaviour of every part; --landing: `lint` and
                                         `pack` too, in the same lanes; --all: what looks for the unknown too; or only
                                         these parts; an unknown name lists them with their tiers
  lint                                   check formatting, lints, documentation and types
  vectors [--runtime core|wasm|native] [DIR...]
                                         run suites of vectors; without DIR the project's own and SENDOFF_VECTORS
  bench                                  three jobs beside viem + zod and ox + valibot, in Node and in Chromium; the
                                         estimate over HTTP beside a host in Node; limits on Redis; growth; the core by stages and
                                         beside alloy
  size                                   each wasm, and a page with one function of each entry, beside pages with public
                                         packages: raw, gzip, brotli
  codegen [--check]                      write the committed files that are made from code, in seconds; --check: are they fresh?
  codegen NAME...                        write what the built package makes or what is measured; a wrong name lists them
  pack                                   the npm package as a tarball, and the crates: target/packages
  docs                                   the documentation: its programs run, its links followed, its pages opened;
                                         target/docs/site
  laws [CASES]                           the laws with more cases each, 100000 by default
  bypass [CASES]                         known ways around verification, 1000000 cases of all classes by default; 1000 of each
                                         class are a part of test
  bypass --json COUNT                    this number of cases of each class as JSON, for other SDKs
  fuzz [CHECK...] [SECONDS]              the laws on bytes that a fuzzer chooses by coverage, 1200 s for each check; a
                                         wrong name lists them; a minute is a part of test --all
  fuzz --keep [CHECK...]                 what fuzzing reached, minimised, for tests/fuzz/corpus
  miri                                   the core's unit tests in Miri
  mutants core|gateway|package [FILE...] mutants of the core, of the gateway's deciding files or of the npm package's own sources,
                                         or of these files, and the tests that notice them
  coverage                               the lines of the core that units, laws and vectors reach, file by file
  prove-windows                          rate windows in Redis are those of the core: millions of steps, some minutes
  soak [SECONDS] [SEED]                  the gateway under faults at random, 1200 s and seed 1 by default; 60 s are a part of
                                         test --all
  timing                                 the time that the gateway takes to refuse a wrong key does not tell how wrong it is;
                                         a short form is a part of test";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["setup"] => setup::run(),
        ["build"] => build::run(),
        ["demo", rest @ ..] => demo::run(rest),
        ["check"] => test::check(),
        ["hook"] => hook::run(),
        ["test", parts @ ..] => test::run(parts),
        ["lint"] => lint::run(),
        ["vectors", rest @ ..] => vectors::run(rest),
        ["bench"] => bench::run(),
        ["size"] => size::run(),
        ["pack"] => build::pack(),
        ["docs"] => docs::run(),
        ["codegen", "--check"] => codegen::check(),
        ["codegen", names @ ..] => codegen::run(names),
        ["laws"] => fuzz::laws("100000"),
        ["laws", cases] => fuzz::laws(cases),
        ["bypass"] => fuzz::bypass("1000000"),
        ["bypass", "--json", count] => fuzz::bypass_cases(count),
        ["bypass", cases] => fuzz::bypass(cases),
        ["fuzz", "--keep", checks @ ..] => fuzz::keep(checks),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["miri"] => evidence::miri(),
        ["mutants", "core", files @ ..] => mutants::core(files),
        ["mutants", "gateway", files @ ..] => mutants::gateway(files),
        ["mutants", "package", files @ ..] => mutants::package(files),
        ["coverage"] => evidence::coverage(),
        ["prove-windows"] => prove::windows(),
        ["soak"] => prove::soak("1200", "1"),
        ["soak", seconds] => prove::soak(seconds, "1"),
        ["soak", seconds, seed] => prove::soak(seconds, seed),
        ["timing"] => prove::timing(),
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
