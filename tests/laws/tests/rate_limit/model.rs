//! The small model of a rate window, all of it: a day of 7 units, windows of 3, limits up to 3,
//! every sequence of up to 7 requests.

use std::{collections::HashMap, time::Duration};

use sendoff::rate_limit::{Policy, Window};

use laws::day_log::{DAY_MS, DayLog};
use laws::fuzzed::follows;
use laws::steps::{UNIT_MS, small_policies, time};

const STEPS: usize = 7;
const UNITS: i64 = 7;

/// The result of a sequence: the time, the state, and the oracle's log. Sequences with the same result have the same future.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Situation {
    now: i64,
    state: Option<Window>,
    log: Option<(i64, i64, u32)>,
}

#[test]
fn every_sequence_of_the_small_model_follows_the_day_log() {
    let mut requests = 0;
    for policy in small_policies() {
        for hold in [0, 1, 3, 8] {
            // The spare millisecond of a day does not count as a step back.
            let hold = Duration::from_millis((hold * UNIT_MS + 3).unsigned_abs());
            requests += explore(&policy.with_hold(hold).unwrap());
        }
    }
    println!("{requests} requests");
}

/// Explores the model, and returns the number of requests.
fn explore(policy: &Policy) -> u64 {
    let unseen = |unit| (Situation { now: at(unit), state: None, log: None }, (unit, None));
    let mut reached: HashMap<Situation, (i64, Option<DayLog>)> = (0..UNITS).map(unseen).collect();
    let mut requests = 0;
    for step in 0..STEPS {
        let moves = if step == 0 { 0..=0 } else { -2 * UNITS..=2 * UNITS };
        let mut next = HashMap::new();
        for (Situation { state, .. }, (unit, log)) in &reached {
            for unit in moves.clone().map(|by| unit + by) {
                for cost in 0..=policy.limit() {
                    let mut log = log.clone();
                    let (state, _) = follows(policy, *state, &mut log, (at(unit), cost));
                    let log = log.unwrap();
                    requests += 1;
                    // A shift by whole days changes nothing (law 10), so every sequence continues
                    // on the first day.
                    let days = unit.div_euclid(UNITS);
                    let (unit, state, log) =
                        (unit - days * UNITS, shifted(state, -days), log.shifted(-days));
                    let summary = Some(log.summary(policy));
                    next.insert(
                        Situation { now: at(unit), state: Some(state), log: summary },
                        (unit, Some(log)),
                    );
                }
            }
        }
        reached = next;
    }
    requests
}

fn at(unit: i64) -> i64 {
    unit.div_euclid(UNITS) * DAY_MS + unit.rem_euclid(UNITS) * UNIT_MS
}

fn shifted(window: Window, days: i64) -> Window {
    Window::new(time(window.start().as_ms() + days * DAY_MS), window.count()).unwrap()
}
