//! `check`, `test` and `lint`: the parts of a tier, or the named parts.

use std::time::Instant;

use crate::{
    Outcome, arguments,
    lanes::{self, Done},
    parts::{Part, Tier},
};

/// Runs all parts of `test`, those of `test --all`, or the parts with these names and what they need.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    match arguments {
        [] => tier(Tier::Test),
        ["--landing"] => tier(Tier::Landing),
        ["--all"] => tier(Tier::All),
        [lanes::ONE, name] => lanes::one(name),
        names => these(names),
    }
}

/// Runs the parts of a tier.
pub(crate) fn tier(tier: Tier) -> Outcome {
    let began = Instant::now();
    listed(&lanes::run(Part::of(tier))?, began)
}

/// Runs parts one after the other, with their output as it comes.
fn these(names: &[&str]) -> Outcome {
    let mut parts: Vec<&'static Part> = Vec::new();
    for name in names {
        let part = Part::named(name).ok_or_else(|| {
            format!(
                "expected the names of parts, found `{name}`; the parts and their tiers are:\n{}",
                Part::list()
            )
        })?;
        // With arguments a person knows what is built.
        let needed = if arguments().is_empty() { part.with_needs() } else { vec![part] };
        for part in needed {
            if parts.iter().all(|known| known.name != part.name) {
                parts.push(part);
            }
        }
    }

    let (began, mut all) = (Instant::now(), Vec::<Done>::new());
    for part in parts {
        let is_possible = all.iter().all(|done| done.outcome.is_ok());
        if is_possible || part.needs().next().is_none() || names.contains(&part.name) {
            println!("\n== {}", part.title);
            let start = Instant::now();
            let outcome = (part.run)().inspect_err(|why| println!("{why}"));
            all.push(Done { part, seconds: start.elapsed().as_secs_f64(), outcome });
        }
    }
    listed(&all, began)
}

/// Prints the list, and fails if a part failed.
fn listed(all: &[Done], began: Instant) -> Outcome {
    println!();
    for Done { part, seconds, outcome } in all {
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("  {word:<6} {seconds:>7.1} s  {}", part.title);
    }
    println!("         {:>7.1} s  total\n", began.elapsed().as_secs_f64());

    let failed: Vec<_> =
        all.iter().filter(|done| done.outcome.is_err()).map(|done| done.part.title).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
}
