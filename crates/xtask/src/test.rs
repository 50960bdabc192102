//! `check` and `test`: the parts of a tier, or the named parts.

use crate::{
    Outcome, budgets, lanes,
    part::{Part, Tier},
    steps::Steps,
};

/// Runs the parts that must pass before a commit.
pub(crate) fn check() -> Outcome {
    tier(Tier::Check)
}

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
    finished(lanes::run(Part::of(tier))?)
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
        for part in part.with_needs() {
            if parts.iter().all(|known| known.name != part.name) {
                parts.push(part);
            }
        }
    }

    let mut steps = Steps::new();
    for part in parts {
        if steps.have_succeeded() || part.needs.is_empty() || names.contains(&part.name) {
            steps.take(part.name, part.title, part.run);
        }
    }

    finished(steps)
}

/// Prints the list, and which parts took more than their budget. That is no failure: the machine may be another one.
fn finished(steps: Steps) -> Outcome {
    let over = budgets::exceeded(steps.taken())?;
    let outcome = steps.close();
    over.iter().for_each(|line| println!("{line}"));
    outcome
}
