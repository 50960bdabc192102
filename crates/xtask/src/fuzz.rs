//! `fuzz`: the laws on bytes that a fuzzer chooses.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
};

use crate::{Outcome, modules, process, project, setup};

/// The checks of `laws::fuzzed`, and that of `tests/fuzz`.
const CHECKS: [&str; 14] = [
    "json",
    "values",
    "call_data",
    "contract_call",
    "functions",
    "targets",
    "replies",
    "bearer",
    "paymaster",
    "limiter",
    "redis",
    "outcomes",
    "service",
    "wasm",
];

/// What issues are found with: 20 minutes for each check.
const SECONDS: &str = "1200";

/// Runs these checks, or all, for a number of seconds each.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let (seconds, checks) = match arguments.split_last() {
        Some((last, checks)) if last.parse::<u32>().is_ok() => (*last, checks),
        _ => (SECONDS, arguments),
    };
    let fuzzer = Fuzzer::build()?;
    chosen(checks)?.into_iter().try_for_each(|check| fuzzer.fuzz(check, seconds))
}

/// A minute of all checks, from the saved corpus. Without a compiler of C++, which libFuzzer is written in, it is left to the
/// laws' own test of the corpus.
pub(crate) fn minute() -> Outcome {
    if !process::succeeds("c++", &["--version"]) {
        println!("  there is no compiler of C++ here: nothing is fuzzed");
        return Ok(());
    }
    run(&["5"])
}

/// Replaces the saved corpus by the inputs that fuzzing reached, minimised. They include those of all vectors.
pub(crate) fn keep(checks: &[&str]) -> Outcome {
    let fuzzer = Fuzzer::build()?;
    let seeds = project::at("target/fuzz/seeds");
    corpus(&["seeds"], &seeds)?;
    for check in chosen(checks)? {
        let least = emptied(&format!("target/fuzz/least/{check}"))?;
        let reached = fuzzer.unpack(check)?;
        let mut merge = fuzzer.of(check);
        merge.args(["-merge=1", "-max_len=2048"]).args([&least, &reached, &seeds]);
        Fuzzer::logged(check, &mut merge)?;
        corpus(&["keep", check], &least)?;
    }
    Ok(())
}

fn chosen<'a>(checks: &[&'a str]) -> Result<Vec<&'a str>, String> {
    if let Some(unknown) = checks.iter().find(|check| !CHECKS.contains(check)) {
        return Err(format!(
            "expected checks, found `{unknown}`; the checks are: {}",
            CHECKS.join(", ")
        ));
    }
    Ok(if checks.is_empty() { CHECKS.to_vec() } else { checks.to_vec() })
}

/// The program that fuzzes, and the module that one of its checks calls.
struct Fuzzer {
    program: PathBuf,
    module: PathBuf,
}

impl Fuzzer {
    /// Compiles both. The core has no unsafe code, so there is no sanitizer, which would need nightly Rust and halve the
    /// speed; what overflows panics.
    fn build() -> Result<Self, String> {
        modules::PAGES.compile(project::root(), &project::at("target"))?;
        let tool = setup::cargo_tool("cargo-fuzz", "0.13.2")?;
        eprintln!("fuzz: compiling with instrumentation, minutes the first time");
        let mut cargo = process::quiet(&tool.to_string_lossy(), &["fuzz", "build", "--fuzz-dir"]);
        cargo.args([".", "--sanitizer", "none", "--strip-dead-code"]);
        cargo.args(["--target-dir", "../../target/fuzz/build", "fuzz"]);
        process::run(cargo.current_dir(project::at("tests/fuzz")))?;
        let host = process::answer(&mut process::quiet("rustc", &["--print", "host-tuple"]), "")?;
        Ok(Self {
            program: project::at("target/fuzz/build").join(host).join("release/fuzz"),
            module: modules::PAGES.built(modules::EVERYTHING),
        })
    }

    /// The program with a check, which writes what breaks a law to a folder of its own.
    fn of(&self, check: &str) -> Command {
        let mut program = process::loud(&self.program.to_string_lossy(), &["-timeout=10"]);
        program.arg(format!("-artifact_prefix={}/", found().display()));
        program.env("SENDOFF_CHECK", check).env("SENDOFF_WASM", &self.module);
        program
    }

    /// The folder of what a check has reached on this machine, what is kept included.
    fn unpack(&self, check: &str) -> Result<PathBuf, String> {
        let reached = project::at("target/fuzz/corpus").join(check);
        corpus(&["unpack", check], &reached)?;
        Ok(reached)
    }

    fn fuzz(&self, check: &str, seconds: &str) -> Outcome {
        let reached = self.unpack(check)?;
        let mut program = self.of(check);
        program.arg(format!("-max_total_time={seconds}")).arg(reached);
        Self::logged(check, &mut program)
    }

    /// Runs it, says what it reached, or what it found.
    fn logged(check: &str, program: &mut Command) -> Outcome {
        let log = project::at("target/fuzz").join(check).with_extension("log");
        let cannot = |error: std::io::Error| format!("{}: {error}", log.display());

        fs::create_dir_all(found()).map_err(cannot)?;
        program.stdout(File::create(&log).map_err(cannot)?);
        program.stderr(File::options().append(true).open(&log).map_err(cannot)?);

        let outcome = process::run(program);
        let text = String::from_utf8_lossy(&fs::read(&log).map_err(cannot)?).into_owned();

        if let Some(line) = text.lines().rfind(|line| line.contains("cov: ")) {
            println!("  {check:<14}{}", line.trim_start_matches('#'));
        }

        outcome.map_err(|_| {
            let said = text
                .lines()
                .skip_while(|line| !line.contains("panicked at"))
                .take(6)
                .collect::<Vec<_>>();
            let artifact = text
                .lines()
                .find_map(|line| line.split_once("Test unit written to "))
                .map_or("", |(_, to)| to);
            format!("{check}: a law is broken by {artifact}\n{}", said.join("\n"))
        })
    }
}

fn found() -> PathBuf {
    project::at("target/fuzz/found")
}

/// Packs and unpacks inputs (`tests/laws/examples/corpus.rs`).
fn corpus(command: &[&str], folder: &Path) -> Outcome {
    let mut cargo = process::words("cargo run --quiet -p laws --example corpus --");
    process::run(cargo.args(command).arg(folder))
}

fn emptied(folder: &str) -> Result<PathBuf, String> {
    let folder = project::at(folder);
    let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(cannot)?;
    }
    fs::create_dir_all(&folder).map_err(cannot)?;
    Ok(folder)
}
