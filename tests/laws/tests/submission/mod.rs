//! Laws of submissions, as two models: of every interleaving of clients that follow the verdicts ([`model`]), and of one program
//! that follows the core's next action ([`driver`]), which also ends.

mod search;
mod model;
mod driver;

use std::collections::HashMap;

use driver::{Doing, Program};
use model::{Fault, Interleavings, START, Setting};
use search::{Found, search};

fn hash(operation: usize) -> String {
    format!("0x{:064x}", operation + 1)
}

fn job_id(job: usize) -> String {
    format!("{job:08}-0000-4000-0000-000000000000")
}

/// The ends that the checks use: enforced ones, none for the replacement, and none at all.
const SETTINGS: [Setting; 3] = [
    Setting { ends: [Some(1), Some(2), Some(3), Some(3)], is_enforced: true, fault: None },
    Setting { ends: [Some(1), None, Some(2), Some(3)], is_enforced: true, fault: None },
    Setting { ends: [None; 4], is_enforced: false, fault: None },
];

fn interleaved(setting: Setting, depth: usize) -> Found<Interleavings> {
    let found = search(Interleavings::new(setting), START, usize::MAX, depth);
    let Found { worlds, transitions, depth, broken, .. } = &found;
    let worlds = worlds.len();
    println!(
        "{setting:?}: {worlds} worlds, {transitions} transitions to depth {depth}: {broken:?}"
    );
    found
}

/// All worlds within ten events, or all worlds.
#[test]
fn an_intent_is_executed_once_and_no_verdict_denies_it() {
    for setting in SETTINGS {
        let found = interleaved(setting, laws::extent(10, usize::MAX));
        assert_eq!(found.broken, None);

        // A model without new jobs, or with nothing else, would check nothing.
        let mut verdicts = HashMap::<_, usize>::new();
        for state in found.worlds.iter().filter_map(|world| found.model.state(world)) {
            *verdicts.entry(state.phase.verdict().as_str()).or_default() += 1;
        }
        println!("{verdicts:?}");
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
        assert!(interleaved(setting, usize::MAX).broken.is_some(), "{setting:?}: nothing found");
    }
}

/// With and without a node, and with an operation that ends.
const PROGRAMS: [Program; 4] = [
    Program { has_node: true, ends: false, fault: None },
    Program { has_node: true, ends: true, fault: None },
    Program { has_node: false, ends: false, fault: None },
    Program { has_node: false, ends: true, fault: None },
];

fn driven(program: Program, most: usize) -> Found<Program> {
    let found = search(program, driver::World::start(), most, usize::MAX);
    println!("{program:?}: {} worlds: {:?}", found.worlds.len(), found.broken);
    found
}

#[test]
fn a_program_that_follows_the_next_action_ends() {
    for program in PROGRAMS {
        let found = driven(program, laws::extent(4_000, 100_000));
        assert_eq!(found.broken, None);
        let ended = found.worlds.iter().filter(|world| matches!(world.doing, Doing::Ended(_)));
        assert!(ended.count() > 100);
    }
}

#[test]
fn the_check_finds_faults_of_a_program() {
    for fault in driver::Fault::ALL {
        let faulty = PROGRAMS.map(|program| Program { fault: Some(fault), ..program });
        let found = faulty.map(|program| driven(program, 4_000).broken.is_some());
        assert!(found.contains(&true), "{fault:?}");
    }
}
