//! Sequences of requests, close to times at which something changes. They are made of bytes, which proptest or a fuzzer chooses.

use std::time::Duration;

use arbitrary::{Arbitrary, Result, Unstructured};
use proptest::prelude::*;
use sendoff::rate_limit::{
    Admission, Cost, Midnight, Policy, SharedLimiter, Time, Verdict, Window, admit, touch,
};

use crate::day_log::{DAY_MS, midnight_after};

pub const MAX_MS: i64 = 8_640_000_000_000_000;

/// The most requests of a trace.
pub const MOST: usize = 64;

/// One request of a trace: its time and its cost, 0 if it does not count.
pub type Step = (i64, u32);

/// The bytes of a law's input.
pub fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..600)
}

pub fn policies() -> impl Strategy<Value = Policy> {
    bytes().prop_map(|bytes| policy(&mut Unstructured::new(&bytes)).unwrap())
}

/// Requests of one caller, on a clock that only goes forward, or on any.
pub fn traces(is_forward: bool) -> impl Strategy<Value = (Policy, Vec<Step>)> {
    bytes().prop_map(move |bytes| trace(&mut Unstructured::new(&bytes), is_forward).unwrap())
}

fn trace(u: &mut Unstructured<'_>, is_forward: bool) -> Result<(Policy, Vec<Step>)> {
    let (policy, mut steps) = (policy(u)?, vec![]);
    let mut now = beginning(u)?;
    while steps.is_empty() || steps.len() < MOST && !u.is_empty() {
        let next = moved(u, now, &policy)?;
        now = if is_forward { next.max(now) } else { next };
        steps.push((now, price(u, &policy)?));
    }
    Ok((policy, steps))
}

pub fn policy(u: &mut Unstructured<'_>) -> Result<Policy> {
    let limit = *u.choose(&[1, 2, 3, 5, 1_500, (1 << 21) - 1])?;
    let windows = [60_000, 300_000, 86_399_999, 86_400_000, 25_200_000];
    let window_ms: u32 = match windows.get(u.int_in_range(0..=windows.len())?) {
        Some(window_ms) => *window_ms,
        None => u.int_in_range(60_000..=86_400_000)?,
    };
    let offset = *u.choose(&[0, -720, 840, 330, -1])?;
    let midnight = *u.choose(Midnight::ALL)?;
    let holds = [0, 1, 600_000, 90_000_000, MAX_MS.unsigned_abs()];
    let hold = u.int_in_range(0..=holds.len())?.checked_sub(1).map(|at| holds[at]);
    let policy = Policy::new(limit, Duration::from_millis(window_ms.into())).unwrap();
    let policy = policy.with_midnight(midnight).with_day_offset_minutes(offset).unwrap();
    Ok(hold.map_or(policy, |hold| policy.with_hold(Duration::from_millis(hold)).unwrap()))
}

/// The time before the first request: now, before the epoch, or far ahead.
pub fn beginning(u: &mut Unstructured<'_>) -> Result<i64> {
    u.choose(&[0, 1_750_000_000_000, -62_135_596_800_000, MAX_MS / 2, -MAX_MS / 2]).copied()
}

/// The time of the next request.
pub fn moved(u: &mut Unstructured<'_>, now: i64, policy: &Policy) -> Result<i64> {
    let near = |u: &mut Unstructured<'_>| u.int_in_range(-2..=2_i64);
    Ok(match u.int_in_range(0..=7)? {
        0..=2 => now + i64::from(u16::arbitrary(u)?),
        3 => now + u.int_in_range(-259_200_000..=259_200_000)?,
        4 | 5 => now + u.int_in_range(0..=3)? * window_ms(policy) + near(u)?,
        6 => now.max(midnight_after(now, policy) + near(u)?),
        // A longer step would leave the range of times.
        _ => now - hold_ms(policy).min(3 * DAY_MS) - near(u)?,
    })
}

pub fn price(u: &mut Unstructured<'_>, policy: &Policy) -> Result<u32> {
    Ok(u.int_in_range(0..=7_u32)?.min(policy.limit()))
}

/// A unit of small models: a day has seven, and a millisecond at its end, where no request comes in.
pub const UNIT_MS: i64 = DAY_MS / 7;

/// The policies of small models: limits up to 3, windows of 3 units, and both kinds of midnight.
pub fn small_policies() -> impl Iterator<Item = Policy> {
    let window = Duration::from_millis((3 * UNIT_MS).unsigned_abs());
    let policies = (1..=3).map(move |limit| Policy::new(limit, window).unwrap());
    policies.flat_map(|policy| Midnight::ALL.iter().map(move |it| policy.with_midnight(*it)))
}

/// A process of several that share windows, whose batches have this many calls.
pub fn shared(policy: Policy, batch: Option<u32>) -> SharedLimiter {
    let limiter = SharedLimiter::new(policy, "laws", b"hidden").unwrap();
    match batch {
        Some(batch) => limiter.with_lease(cost(&policy, batch)),
        None => limiter,
    }
}

pub fn window_ms(policy: &Policy) -> i64 {
    policy.window().as_millis().try_into().unwrap()
}

pub fn hold_ms(policy: &Policy) -> i64 {
    policy.hold().as_millis().try_into().unwrap()
}

pub fn time(ms: i64) -> Time {
    Time::from_ms(ms).unwrap()
}

pub fn cost(policy: &Policy, cost: u32) -> Cost {
    policy.cost(cost).unwrap()
}

/// Takes a step, and returns the state after it and the verdict on a call that counts.
pub fn take(
    policy: &Policy,
    state: Option<Window>,
    (now, cost): Step,
) -> (Window, Option<Verdict>) {
    match policy.cost(cost) {
        Ok(cost) => {
            let Admission { window, verdict } = admit(policy, state, time(now), cost);
            (window, Some(verdict))
        }
        Err(_) => (touch(policy, state, time(now)), None),
    }
}
