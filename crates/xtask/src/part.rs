//! The parts of `check` and `test`: what each is called, what it needs, and how much of a processor
//! it may take.

use crate::{Outcome, parts::PARTS};
use Tier::{All, Check, Landing, Lint, Test};

/// What must pass, and when. Each tier is a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tier {
    /// Before a commit: `cargo xtask check`.
    Check,
    /// Before a change lands: `cargo xtask test`.
    Test,
    /// Before a change lands, without running it: `cargo xtask lint`, which runs clippy and formatting of `check` too.
    Lint,
    /// In CI, which then packs: `cargo xtask test --landing`, which runs the parts of `test` and `lint` too.
    Landing,
    /// Every night and before a release: `cargo xtask test --all`, which runs the parts of `test` too.
    All,
}

/// What a part does with a processor, so that none waits and none has more to do than the others can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// Compiles in `target`, which cargo lets one command do at a time, and which uses all processors.
    Compiles,
    Works,
    /// Waits for a browser or a store most of the time.
    Waits,
}

/// A part of a tier.
pub(crate) struct Part {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) tier: Tier,
    /// The parts that must have succeeded before it.
    pub(crate) needs: &'static [&'static str],
    pub(crate) lane: Lane,
    pub(crate) run: fn() -> Outcome,
}

pub(crate) const fn part(
    name: &'static str,
    title: &'static str,
    tier: Tier,
    needs: &'static [&'static str],
    run: fn() -> Outcome,
) -> Part {
    Part { name, title, tier, needs, lane: Lane::Works, run }
}

pub(crate) const fn compiling(part: Part) -> Part {
    Part { lane: Lane::Compiles, ..part }
}

pub(crate) const fn waiting(part: Part) -> Part {
    Part { lane: Lane::Waits, ..part }
}

impl Part {
    /// The part of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PARTS.iter().find(|part| part.name == name)
    }

    /// The parts that `cargo xtask check`, `test` or `test --all` runs.
    pub(crate) fn of(tier: Tier) -> Vec<&'static Self> {
        let also = match tier {
            All => |part: &&Self| part.tier == Test,
            Landing => |part: &&Self| matches!(part.tier, Test | Lint) || part.is_in_lint(),
            Lint => |part: &&Self| part.is_in_lint(),
            Check | Test => |_: &&Self| false,
        };
        PARTS.iter().filter(|part| part.tier == tier || also(part)).collect()
    }

    /// Parts of `check` and `test` that `lint` runs too.
    fn is_in_lint(&self) -> bool {
        matches!(self.name, "clippy" | "formatting")
    }

    /// This part and all that it needs, what is needed first.
    pub(crate) fn with_needs(&'static self) -> Vec<&'static Self> {
        let needed =
            self.needs.iter().filter_map(|name| Self::named(name)).flat_map(Self::with_needs);
        needed.chain([self]).collect()
    }

    /// All names with their tiers, for a person who looks for one.
    pub(crate) fn list() -> String {
        let line = |part: &Self| {
            let tier = match part.tier {
                Check => "check",
                Test => "test",
                Lint => "lint",
                Landing => "--landing",
                All => "test --all",
            };
            format!("\n  {:<13} {tier:<11} {}", part.name, part.title)
        };
        PARTS.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_names_of_earlier_parts() {
        for (at, part) in PARTS.iter().enumerate() {
            for need in part.needs {
                assert!(
                    PARTS.iter().take(at).any(|earlier| earlier.name == *need),
                    "{}: {need}",
                    part.name
                );
            }
            assert_eq!(
                PARTS.iter().filter(|other| other.name == part.name).count(),
                1,
                "{}",
                part.name
            );
        }
    }
}
