//! Laws of submissions, as a model: of every interleaving of clients that follow the verdicts, and of a program that follows the
//! core's next action from any of its worlds, with everybody honest from then on.

mod model;

use std::collections::{HashMap, HashSet};

use model::{Event, Fault, Interleavings, START, Setting, World};
use sendoff::submission::Submission;

/// The ends that the checks use: enforced ones, none for the replacement, and none at all.
const SETTINGS: [Setting; 3] = [
    Setting { ends: [Some(1), Some(2), Some(3), Some(3)], is_enforced: true, fault: None },
    Setting { ends: [Some(1), None, Some(2), Some(3)], is_enforced: true, fault: None },
    Setting { ends: [None; 4], is_enforced: false, fault: None },
];

/// Visits all worlds within a number of events, the nearest first. Returns them with their model, and a sequence of events that
/// breaks a law, with the law.
fn search(setting: Setting, depth: usize) -> (Vec<World>, Interleavings, Option<String>) {
    let mut model = Interleavings::new(setting);
    let mut worlds = vec![START];
    let mut before: Vec<Option<(usize, Event)>> = vec![None];
    let mut known = HashSet::from([START]);
    let (mut at, mut distance, mut end, mut transitions) = (0, 0, 1, 0);
    let mut broken = None;

    while at < worlds.len() && broken.is_none() {
        if at == end {
            (distance, end) = (distance + 1, worlds.len());
        }
        let world = worlds[at];
        broken = model.broken(world).map(|law| {
            let mut way: Vec<_> =
                std::iter::successors(before[at], |(earlier, _)| before[*earlier])
                    .map(|(_, event)| event)
                    .collect();
            way.reverse();
            format!("{way:?} => {law}")
        });
        let next = if distance < depth { model.next(world) } else { vec![] };
        transitions += next.len();
        for (after, event) in next {
            if known.insert(after) {
                worlds.push(after);
                before.push(Some((at, event)));
            }
        }
        at += 1;
    }
    println!("{setting:?}: {at} worlds, {transitions} transitions to depth {distance}: {broken:?}");
    (worlds, model, broken)
}

/// All worlds within ten events, or all worlds.
#[test]
fn an_intent_is_executed_once_and_no_verdict_denies_it() {
    for setting in SETTINGS {
        let (worlds, model, broken) = search(setting, laws::extent(10, usize::MAX));
        assert_eq!(broken, None);

        // A model without new jobs, or with nothing else, would check nothing.
        let mut verdicts = HashMap::<_, usize>::new();
        let verdict = |state: &Submission| state.phase.verdict().as_str();
        for verdict in worlds.iter().filter_map(|world| model.state(*world).map(verdict)) {
            *verdicts.entry(verdict).or_default() += 1;
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
    let faults = Fault::ALL.map(|fault| {
        // With an end, what is not sent again expires.
        let setting = SETTINGS[if fault == Fault::NoSecondSend { 2 } else { 0 }];
        Setting { fault: Some(fault), ..setting }
    });
    // An end that the chain does not enforce.
    let not_enforced = Setting { is_enforced: false, ..SETTINGS[0] };
    for setting in faults.into_iter().chain([not_enforced]) {
        let (.., broken) = search(setting, usize::MAX);
        assert!(broken.is_some(), "{setting:?}: nothing found");
    }
}
