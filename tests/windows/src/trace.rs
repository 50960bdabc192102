//! One trace through the core and the store, with the clock of the caller or of the store. Every answer, every stored value and every
//! expiry must be equal: it is set when a caller's windows start again, and no other request changes it.

use std::{collections::BTreeMap, time::Duration};

use redis::{Connection, Pipeline, RedisResult};
use sendoff::rate_limit::redis::{Ask, Key, RedisAnswer, RedisRequest, SCRIPT, SCRIPT_SHA1};
use sendoff::rate_limit::{Cost, Midnight, Policy, Time, Window};

use crate::dice::Dice;
use crate::reference::{run_by, stored};

const DAY_MS: i64 = 86_400_000;
const MAX_MS: i64 = Time::MAX.as_ms();
const MAX_COUNT: i64 = (1 << 21) - 1;

/// The number of steps of a caller.
const STEPS: u64 = 400;

/// The coverage of a trace: the number of requests of each kind, and of late ones, in each phase, and of granted and refused
/// calls and requests before their deadline.
#[derive(Debug, Default)]
pub struct Met {
    pub steps: u64,
    phases: BTreeMap<&'static str, [u64; 5]>,
    granted: u64,
    refused: u64,
    in_time: u64,
}

impl Met {
    /// Returns `true` if every kind of request and a late request occurred in every phase.
    #[must_use]
    pub fn everything(&self) -> bool {
        let counts = self.phases.values().flatten();
        let mut counts = counts.chain([&self.granted, &self.refused, &self.in_time]);
        self.phases.len() == 5 && counts.all(|count| *count > 0)
    }
}

/// Loads the script, which the store then knows by its SHA-1.
fn load(connection: &mut Connection) {
    let loaded: RedisResult<String> =
        redis::cmd("SCRIPT").arg("LOAD").arg(SCRIPT).query(connection);
    assert_eq!(loaded.as_deref(), Ok(SCRIPT_SHA1));
}

/// Runs at least this number of steps, one caller after the other, and fails at the first difference.
pub fn follow(connection: &mut Connection, dice: &mut Dice, steps: u64) -> Met {
    load(connection);
    let mut met = Met::default();
    let mut caller = 0;
    while met.steps < steps {
        follow_caller(connection, dice, &format!("caller {caller}"), &mut met);
        caller += 1;
        if caller % 250 == 0 {
            redis::cmd("FLUSHALL").exec(connection).expect("the store is emptied");
        }
    }
    met
}

fn follow_caller(connection: &mut Connection, dice: &mut Dice, scope: &str, met: &mut Met) {
    let mut policy = any_policy(dice);
    let mut now = beginning(dice);
    let is_by_store = dice.one_in(4);
    let (mut state, mut expiry) = (None, -2);
    for _ in 0..STEPS {
        if dice.one_in(40) {
            policy = changed(&policy, dice);
        }
        let key = Key::new(&policy, "proof", scope, b"secret").expect("a key");
        let change = match dice.below(160) {
            0 => {
                (state, expiry) = (None, -2);
                Some("DEL")
            }
            1 => {
                // A state from a larger limit, or from a clock that was far off.
                let start = if dice.one_in(2) { now } else { dice.within(-MAX_MS, MAX_MS) };
                let count = dice.within(0, MAX_COUNT) as u32;
                state = Some(Window::new(time(start), count).expect("a window"));
                expiry = -1;
                Some("SET")
            }
            2..=5 if state.is_some() => {
                expiry = -1;
                Some("PERSIST")
            }
            _ => None,
        };
        if let Some(command) = change {
            let value = stored(state).filter(|_| command == "SET");
            let change = redis::cmd(command).arg(key.as_str()).arg(value).exec(connection);
            change.expect("the key is changed");
        }

        now = moved(dice, now, &policy, state);
        let ask = any_ask(dice, &policy, state);
        let deadline = any_deadline(dice, now);
        let clock = (!is_by_store).then(|| time(now));
        let mut request = RedisRequest::new(&policy, &key, ask, clock);
        if let Some(deadline) = deadline {
            request = request.with_deadline(deadline);
        }
        let (earliest, found, value, expires, latest) = asked(connection, &request);
        if is_by_store {
            now = found[2];
        }

        let (numbers, verdict, after) = run_by(deadline, &policy, state, ask, time(now));
        let step = || format!("{ask:?} at {now} by {deadline:?} of {state:?} under {policy:?}");
        assert_eq!(found, numbers, "the answer to {}", step());
        assert_eq!(value, stored(after), "the stored value after {}", step());
        let read = RedisAnswer::read(&policy, &found);
        let read = read.unwrap_or_else(|error| panic!("{error}, of the answer to {}", step()));
        assert_eq!(read.verdict, verdict, "the verdict on {}", step());
        if matches!(found[0], 0 | 4) && after != state {
            let lives = promised(&policy, now);
            let bounds = earliest + lives..=latest + lives;
            assert!(bounds.contains(&expires), "{expires} is not in {bounds:?}: {}", step());
            expiry = expires;
        }
        assert_eq!(expires, expiry, "the expiry after {}", step());

        let late = deadline.is_some_and(|deadline| time(now) >= deadline);
        met.steps += 1;
        let row = match ask {
            _ if late => "late",
            Ask::Admit(_) => "admit",
            Ask::Lease(_) => "lease",
            Ask::Peek(_) => "peek",
            Ask::Touch => "touch",
        };
        met.phases.entry(row).or_default()[numbers[0] as usize] += 1;
        met.in_time += u64::from(!late && deadline.is_some());
        met.granted += u64::from(!late && numbers[1] > 0);
        met.refused += u64::from(!late && numbers[1] < 0);
        state = after;
    }
}

/// The expiry of a key by the store's clock; `-1` if it never expires, `-2` if the key does not exist.
type Expiry = i64;

/// Returns the script's answer, the value and expiry of the key after it, and the store's clock before and after.
fn asked(
    connection: &mut Connection,
    request: &RedisRequest,
) -> (i64, Vec<i64>, Option<String>, Expiry, i64) {
    let key = request.key();
    let mut pipe = Pipeline::new();
    pipe.atomic().cmd("TIME").cmd("EVALSHA").arg(SCRIPT_SHA1).arg(1).arg(key);
    pipe.arg(request.arguments()).cmd("GET").arg(key).cmd("PEXPIRETIME").arg(key).cmd("TIME");
    let (before, numbers, value, expiry, after) = pipe.query(connection).expect("an answer");
    let ms = |(seconds, micros): (i64, i64)| seconds * 1_000 + micros / 1_000;
    (ms(before), numbers, value, expiry, ms(after))
}

/// The promised time until the expiry of a key whose windows start again: the rest of the day, or of its last window, plus ten
/// minutes, or plus the hold time if that is longer.
fn promised(policy: &Policy, now: i64) -> i64 {
    let carried =
        if policy.midnight() == Midnight::Carry { policy.window().as_millis() as i64 } else { 0 };
    midnight_after(policy, now) - now + carried + 600_000.max(policy.hold().as_millis() as i64)
}

pub(crate) fn time(ms: i64) -> Time {
    Time::from_ms(ms.clamp(-MAX_MS, MAX_MS)).expect("a time")
}

/// Usually `None`, or else a deadline close to the time.
fn any_deadline(dice: &mut Dice, now: i64) -> Option<Time> {
    let to = match dice.below(16) {
        0 => now + dice.of(&[-1, 0, 1]),
        1 => now + dice.within(-DAY_MS, DAY_MS),
        2 => dice.of(&[-MAX_MS, MAX_MS]),
        _ => return None,
    };
    Some(time(to))
}

fn any_limit(dice: &mut Dice) -> u32 {
    match dice.below(8) {
        0 => dice.of(&[1_500, (1 << 21) - 1, (1 << 21) - 2]),
        1 => dice.within(1, MAX_COUNT) as u32,
        _ => dice.within(1, 6) as u32,
    }
}

fn any_policy(dice: &mut Dice) -> Policy {
    let window_ms: u32 = match dice.below(3) {
        0 => dice.within(1_000, DAY_MS) as u32,
        _ => dice.of(&[1_000, 1_001, 60_000, 300_000, 300_001, 25_200_000, 86_399_999, 86_400_000]),
    };
    let offset = match dice.below(3) {
        0 => 0,
        1 => dice.of(&[-720, -719, 839, 840, 330]),
        _ => dice.within(-720, 840) as i16,
    };
    let midnight = dice.of(&[Midnight::Truncate, Midnight::Carry]);
    let policy = Policy::new(any_limit(dice), Duration::from_millis(window_ms.into()))
        .expect("a policy")
        .with_midnight(midnight);
    let policy = policy.with_day_offset_minutes(offset).expect("an offset");
    if dice.one_in(2) { policy } else { held(policy, dice) }
}

fn held(policy: Policy, dice: &mut Dice) -> Policy {
    let hold = dice.of(&[
        0,
        1,
        999,
        60_000,
        600_001,
        90_000_000,
        MAX_MS.unsigned_abs() - 1,
        MAX_MS.unsigned_abs(),
    ]);
    policy.with_hold(Duration::from_millis(hold)).expect("a hold time")
}

/// A policy with another limit or hold time. Neither is part of the key.
fn changed(policy: &Policy, dice: &mut Dice) -> Policy {
    let limit = match dice.below(3) {
        0 => any_limit(dice),
        1 => policy.limit().saturating_sub(1).max(1),
        _ => (policy.limit() + 1).min(MAX_COUNT as u32),
    };
    let other =
        Policy::new(limit, policy.window()).expect("a policy").with_midnight(policy.midnight());
    let other = other.with_day_offset_minutes(policy.day_offset_minutes()).expect("an offset");
    if dice.one_in(3) {
        held(other, dice)
    } else {
        other.with_hold(policy.hold()).expect("a hold time")
    }
}

fn beginning(dice: &mut Dice) -> i64 {
    match dice.below(8) {
        0 => dice.of(&[0, -1, -MAX_MS, MAX_MS]),
        1 => -MAX_MS + dice.within(0, 3 * DAY_MS),
        2 => MAX_MS - dice.within(0, 3 * DAY_MS),
        3 => dice.within(-MAX_MS, MAX_MS),
        _ => 1_750_000_000_000 + dice.within(0, 365 * DAY_MS),
    }
}

/// The time of the next step, close to a time at which something changes.
fn moved(dice: &mut Dice, now: i64, policy: &Policy, state: Option<Window>) -> i64 {
    let window_ms = policy.window().as_millis() as i64;
    let hold_ms = policy.hold().as_millis() as i64;
    let start = state.map_or(now, |window| window.start().as_ms());
    let midnight = midnight_after(policy, now);
    let to = match dice.below(20) {
        0..=4 => now,
        5..=6 => now + dice.of(&[1, 999, 1_000, 1_001]),
        7..=9 => now + window_ms + dice.of(&[-1, 0, 1]),
        // The end of the stored window, or of a later one.
        10..=12 => start + window_ms * dice.of(&[1, 1, 2, 7]) + dice.of(&[-1_000, -1, 0, 1]),
        13..=14 => midnight + dice.of(&[-2, -1, 0, 1, 2]),
        15 => now + dice.within(0, 3 * DAY_MS),
        16 => now - dice.within(1, 1_000.max(window_ms)),
        17 => start - hold_ms + dice.of(&[0, 1, 2]),
        18 => start - hold_ms - dice.of(&[1, 2, DAY_MS]),
        _ if dice.one_in(6) => beginning(dice),
        _ => now - dice.within(0, 2 * DAY_MS),
    };
    if (-MAX_MS..=MAX_MS).contains(&to) { to } else { beginning(dice) }
}

fn any_ask(dice: &mut Dice, policy: &Policy, state: Option<Window>) -> Ask {
    let left = i64::from(policy.limit()) - state.map_or(0, |window| i64::from(window.count()));
    let cost = match dice.below(8) {
        0..=3 => 1,
        4 => left,
        5 => left + 1,
        // A cost from another policy may be above the limit of this one.
        6 => dice.within(1, MAX_COUNT),
        _ => dice.within(1, 8),
    };
    let most = Policy::new(MAX_COUNT as u32, policy.window()).expect("a policy");
    let cost: Cost = most.cost(cost.clamp(1, MAX_COUNT) as u32).expect("a cost");
    match dice.below(8) {
        0..=3 => Ask::Admit(cost),
        4..=5 => Ask::Lease(cost),
        6 => Ask::Peek(cost),
        _ => Ask::Touch,
    }
}

/// The first midnight after a time.
pub(crate) fn midnight_after(policy: &Policy, ms: i64) -> i64 {
    let offset = i64::from(policy.day_offset_minutes()) * 60_000;
    (ms + offset).div_euclid(DAY_MS) * DAY_MS + DAY_MS - offset
}
