//! `fuzz`: the laws on bytes that a fuzzer chooses.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{Outcome, build, process, project, setup};

/// The checks of `laws::fuzzed`, and that of `tests/fuzz`.
const CHECKS: &str = "json values call_data contract_call functions targets replies bearer \
    paymaster limiter redis outcomes service wasm";

/// What issues are found with: 20 minutes for each check.
const SECONDS: &str = "1200";

/// The fuzzer, the module that one of its checks calls, and where it writes what breaks a law.
const PROGRAM: &str = "target/fuzz/build/HOST/release/fuzz";
const MODULE: &str = "target/modules/pages/everything.wasm";
const FOUND: &str = "target/fuzz/found";

/// Runs these checks, or all, for a number of seconds each.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let (seconds, checks) = match arguments.split_last() {
        Some((last, checks)) if last.parse::<u32>().is_ok() => (*last, checks),
        _ => (SECONDS, arguments),
    };
    let mut checks = chosen(checks)?.into_iter();
    let fuzzer = compiled()?;
    let seconds = format!("-max_total_time={seconds}");
    checks.try_for_each(|check| fuzzed(&fuzzer, check, &seconds, &[&reached(check)?]))
}

/// A minute of all checks, from the saved corpus. Without a compiler of C++, which libFuzzer is written in, it is left to the
/// laws' own test of the corpus.
pub(crate) fn minute() -> Outcome {
    if !process::succeeds("c++ --version") {
        println!("  there is no compiler of C++ here: nothing is fuzzed");
        return Ok(());
    }
    run(&["5"])
}

/// Replaces the saved corpus by the inputs that fuzzing reached, minimised. They include those of all vectors.
pub(crate) fn keep(checks: &[&str]) -> Outcome {
    let fuzzer = compiled()?;
    let seeds = corpus("seeds", &project::at("target/fuzz/seeds"))?;
    for check in chosen(checks)? {
        let least = project::at("target/fuzz/least").join(check);
        if least.exists() {
            fs::remove_dir_all(&least).map_err(project::cannot(&least))?;
        }
        fs::create_dir_all(&least).map_err(project::cannot(&least))?;
        let folders = [&least, &reached(check)?, &seeds];
        fuzzed(&fuzzer, check, "-merge=1 -max_len=2048", &folders)?;
        corpus(&format!("keep {check}"), &least)?;
    }
    Ok(())
}

fn chosen<'a>(checks: &[&'a str]) -> Result<Vec<&'a str>, String> {
    let mut known = CHECKS.split_whitespace();
    if let Some(other) = checks.iter().find(|check| known.clone().all(|name| name != **check)) {
        return Err(format!("expected checks, found `{other}`; the checks are: {CHECKS}"));
    }
    Ok(if checks.is_empty() { known.by_ref().collect() } else { checks.to_vec() })
}

/// Compiles the fuzzer and its module. The core has no unsafe code, so there is no sanitizer, which would need nightly Rust and
/// halve the speed; what overflows panics.
fn compiled() -> Result<PathBuf, String> {
    build::modules(project::root(), &project::at("target"))?;
    setup::needed("cargo-fuzz@0.13.2")?;
    eprintln!("fuzz: compiling with instrumentation, minutes the first time");
    process::sh(
        "tests/fuzz/ cargo fuzz build --fuzz-dir . --sanitizer none --strip-dead-code \
            --target-dir ../../target/fuzz/build fuzz",
    )?;
    Ok(project::at(&PROGRAM.replace("HOST", &process::said("rustc --print host-tuple")?)))
}

/// The folder of what a check has reached on this machine, what is kept included.
fn reached(check: &str) -> Result<PathBuf, String> {
    corpus(&format!("unpack {check}"), &project::at("target/fuzz/corpus").join(check))
}

/// Packs and unpacks inputs (`tests/laws/examples/corpus.rs`).
fn corpus(way: &str, folder: &Path) -> Result<PathBuf, String> {
    let cargo = format!("cargo run --quiet -p laws --example corpus -- {way}");
    process::run(process::words(&cargo).arg(folder))?;
    Ok(folder.to_owned())
}

/// Runs the fuzzer with a check, these options and these folders. Says what it reached, or how a law is broken, and by which file.
fn fuzzed(fuzzer: &Path, check: &str, options: &str, folders: &[&PathBuf]) -> Outcome {
    let found = project::at(FOUND);
    fs::create_dir_all(&found).map_err(project::cannot(&found))?;

    let mut program = process::command(fuzzer);
    program.arg("-timeout=10").arg(format!("-artifact_prefix={}/", found.display()));
    program.args(options.split(' ')).args(folders);
    program.env("SENDOFF_CHECK", check).env("SENDOFF_WASM", project::at(MODULE));
    let output = program.output().map_err(|error| format!("{}: {error}", fuzzer.display()))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let why = text.find("panicked at").and_then(|start| text.get(start..));
        return Err(format!("{check}: a law is broken: {}", why.unwrap_or(&text)));
    }
    let last = text.lines().rfind(|line| line.contains("cov: ")).unwrap_or_default();
    println!("  {check:<14}{}", last.trim_start_matches('#'));
    Ok(())
}
