//! The instructions of each stage of the core, counted by valgrind, and the most that they may be.
//! A count does not depend on what else the machine does.
//!
//! The counts are those of x86-64 code for any such processor: rustc's default target, without the
//! features of this machine. The C library chooses its copying by the processor, and another
//! compiler makes other code, so on another compiler than that of the budgets more may be added.
//! `cargo xtask codegen instructions` writes the budgets anew.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Outcome,
    process::{said, sh, succeeds},
    project,
};

const BUDGETS: &str = "bench/instructions.json";

#[derive(Serialize, Deserialize)]
struct Budgets {
    /// The compiler that they were counted with.
    compiler: String,
    /// The percentages by which a count may grow, with this compiler and with another.
    margin: u64,
    margin_of_another_compiler: u64,
    stages: BTreeMap<String, u64>,
}

/// Counts, and fails where a stage takes more than its budget.
pub(crate) fn check() -> Outcome {
    if !cfg!(target_arch = "x86_64") || !succeeds("valgrind --version") {
        println!("nothing was counted: the budgets are for x86-64 with `valgrind`");
        return Ok(());
    }

    let (budgets, found, compiler) = (budgets()?, count()?, said("rustc --version")?);
    let is_same = compiler == budgets.compiler;
    let margin = if is_same { budgets.margin } else { budgets.margin_of_another_compiler };
    println!("at most {margin} % more than in {BUDGETS}; counted with {compiler}");
    if !found.keys().eq(budgets.stages.keys()) {
        return Err(format!(
            "{BUDGETS}: expected the stages {:?}; `cargo xtask codegen instructions` writes them",
            found.keys()
        ));
    }

    let mut over = Vec::new();
    for ((name, count), budget) in found.iter().zip(budgets.stages.values()) {
        let float = |count| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        let percent = (float(*count) / float(*budget) - 1.0) * 100.0;
        println!("  {name:<42} {count:>9} {percent:>+6.1} %");
        let most = budget.saturating_mul(margin.saturating_add(100)) / 100;
        if *count > most {
            over.push(format!(
                "{name}: expected at most {most} instructions, found {count} ({percent:+.1} %)"
            ));
        }
    }
    if over.is_empty() { Ok(()) } else { Err(over.join("\n")) }
}

/// Counts, and makes the counts the budgets.
pub(crate) fn write() -> Outcome {
    let budgets = Budgets { compiler: said("rustc --version")?, stages: count()?, ..budgets()? };
    let text = serde_json::to_string_pretty(&budgets).map_err(|error| error.to_string())?;
    project::write(&project::at(BUDGETS), &(text + "\n"))
}

fn budgets() -> Result<Budgets, String> {
    serde_json::from_str(&project::read(BUDGETS)?).map_err(|error| format!("{BUDGETS}: {error}"))
}

/// The instructions of one run of each stage.
fn count() -> Result<BTreeMap<String, u64>, String> {
    // What makes code for this machine alone would make other counts.
    sh("RUSTFLAGS= cargo build --release -p bench --bin count")?;
    let count = |(number, name): (usize, &str)| {
        let said = said(&format!(
            "valgrind --tool=callgrind --toggle-collect=count*::measured --log-fd=1 \
                --callgrind-out-file=/dev/null target/release/count {number}"
        ))?;
        let count =
            said.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
        match count {
            Some(count @ 1..) => Ok((name.to_owned(), count)),
            _ => Err(format!("expected a count of `{name}` by valgrind, found: {said}")),
        }
    };
    said("target/release/count")?.lines().enumerate().map(count).collect()
}
