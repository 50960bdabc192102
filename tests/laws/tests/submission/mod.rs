//! Law of submissions: no sequence of events that follows the verdicts executes an intent twice,
//! and no verdict says that an operation was not executed which was.
//!
//! A model check: every interleaving of two clients, a service, a bundler and a chain, with the
//! core's own function for each step. A world is what all of them hold at one moment; its
//! successors are all that can happen next.
//!
//! - The clients share one state for one intent, and write it by compare-and-swap. That makes reading it, taking a step and
//!   writing it one event. What a client has in memory between events (an operation to send, a question that it asked) is
//!   lost if it crashes, which it does at every moment.
//! - The service keeps every operation that it was sent, and answers anything.
//! - The bundler executes any kept operation at any time, again after a reorganisation, and reports any receipts.
//! - The chain adds blocks, takes back those that are not finalized, and finalizes them.
//!
//! A second model is of one program that follows the core's next action ([`driver`]): it also ends.

mod world;
mod steps;
mod core;
mod check;
mod successors;
mod driver;

use std::time::Instant;

use check::{Check, Found};
use world::{Fault, Setting};

/// How far a check goes: all worlds within ten events, or all worlds.
fn depth() -> usize {
    laws::extent(10, usize::MAX)
}

/// The ends that the checks use: enforced ones, none for the replacement, and none at all.
const SETTINGS: [Setting; 3] = [
    Setting { ends: [Some(1), Some(2), Some(3), Some(3)], is_enforced: true, fault: None },
    Setting { ends: [Some(1), None, Some(2), Some(3)], is_enforced: true, fault: None },
    Setting { ends: [None; 4], is_enforced: false, fault: None },
];

#[test]
fn an_intent_is_executed_once_and_no_verdict_denies_it() {
    for setting in SETTINGS {
        let start = Instant::now();
        let found = Check::new(setting).run(depth());
        let seconds = start.elapsed().as_secs_f32();
        let Found { worlds, transitions, depth, verdicts, .. } = &found;
        println!(
            "{setting:?}: {worlds} worlds, {transitions} transitions to depth {depth}, {seconds:.1} s; {verdicts:?}"
        );

        assert_eq!(found.broken, None);
        // A model without new jobs, or with nothing else, would check nothing.
        assert_eq!(verdicts.contains_key("newJob"), setting.is_enforced);
        for verdict in ["mayBeSent", "mustNotBeSent", "mayHaveHappened"] {
            assert!(verdicts[verdict] > 1_000, "{verdict}");
        }
    }
}

#[test]
fn the_check_finds_faults() {
    let faults = Fault::ALL.map(|fault| Setting { fault: Some(fault), ..SETTINGS[0] });
    // An end that the chain does not enforce.
    let not_enforced = Setting { is_enforced: false, ..SETTINGS[0] };

    for setting in faults.into_iter().chain([not_enforced]) {
        let found = Check::new(setting).run(usize::MAX);
        let Some(broken) = found.broken else {
            panic!("{setting:?}: nothing found in {} worlds", found.worlds)
        };
        println!(
            "{setting:?}: {} worlds, at depth {}:\n  {}",
            found.worlds,
            found.depth,
            broken.join("\n  ")
        );
    }
}

/// With and without a node, and with an operation that ends.
const PROGRAMS: [driver::Setting; 4] = [
    driver::Setting { has_node: true, ends: false, fault: None },
    driver::Setting { has_node: true, ends: true, fault: None },
    driver::Setting { has_node: false, ends: false, fault: None },
    driver::Setting { has_node: false, ends: true, fault: None },
];

#[test]
fn a_program_that_follows_the_next_action_ends() {
    for setting in PROGRAMS {
        let start = Instant::now();
        let found = driver::check(setting, laws::extent(4_000, 100_000));
        let seconds = start.elapsed().as_secs_f32();
        println!("{setting:?}: {} worlds, {} ended, {seconds:.1} s", found.worlds, found.ended);

        assert_eq!(found.broken, None);
        assert!(found.ended > 100, "{}", found.ended);
    }
}

#[test]
fn the_check_finds_faults_of_a_program() {
    for fault in driver::Fault::ALL {
        let faulty = PROGRAMS.map(|setting| driver::Setting { fault: Some(fault), ..setting });
        let found: Vec<_> = faulty
            .into_iter()
            .filter_map(|setting| {
                let found = driver::check(setting, 4_000);
                println!("{setting:?}: {} worlds: {:?}", found.worlds, found.broken);
                found.broken
            })
            .collect();
        assert!(!found.is_empty(), "{fault:?}");
    }
}
