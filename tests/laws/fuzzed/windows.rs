//! Sequences of requests: the core's windows beside the day log, and the keyed limiter beside the
//! functions.

use std::{collections::BTreeMap, time::Duration};

use arbitrary::{Arbitrary, Result, Unstructured};
use sendoff::rate_limit::{Cost, Midnight, Policy, RateLimiter, Window, peek, plan};

use crate::day_log::request;
use crate::steps::{MAX_MS, Move, cost, hold_ms, take, time};

/// The bytes are a policy and steps.
pub(super) fn check(bytes: &[u8]) {
    let _ = run(&mut Unstructured::new(bytes));
}

pub(super) fn policy(u: &mut Unstructured<'_>) -> Result<Policy> {
    let limit = *u.choose(&[1, 2, 3, 5, 1_500, (1 << 21) - 1])?;
    let window_ms: u32 = match u.int_in_range(0..=5)? {
        0 => 60_000,
        1 => 300_000,
        2 => 86_399_999,
        3 => 86_400_000,
        4 => 25_200_000,
        _ => u.int_in_range(60_000..=86_400_000)?,
    };
    let offset = *u.choose(&[0, -720, 840, 330, -1])?;
    let policy = Policy::new(limit, Duration::from_millis(window_ms.into()))
        .unwrap()
        .with_midnight(*u.choose(Midnight::ALL)?);
    let policy = policy.with_day_offset_minutes(offset).unwrap();
    let hold = *u.choose(&[
        None,
        Some(0),
        Some(1),
        Some(600_000),
        Some(90_000_000),
        Some(MAX_MS.unsigned_abs()),
    ])?;
    Ok(hold.map_or(policy, |hold| policy.with_hold(Duration::from_millis(hold)).unwrap()))
}

fn step(u: &mut Unstructured<'_>) -> Result<Move> {
    let near = |u: &mut Unstructured<'_>| u.int_in_range(-2..=2_i64);
    Ok(match u.int_in_range(0..=7)? {
        0..=2 => Move::By(i64::from(u16::arbitrary(u)?)),
        3 => Move::By(u.int_in_range(-259_200_000..=259_200_000)?),
        4 | 5 => Move::ByWindows(u.int_in_range(0..=3)?, near(u)?),
        6 => Move::ToMidnight(near(u)?),
        _ => Move::BackByHold(near(u)?),
    })
}

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let policy = policy(u)?;
    let mut now =
        *u.choose(&[0, 1_750_000_000_000, -62_135_596_800_000, MAX_MS / 2, -MAX_MS / 2])?;
    let (mut log, mut state) = (None, None);
    let (mut limiter, mut windows) = (RateLimiter::new(policy), BTreeMap::<&str, Window>::new());
    let mut latest = i64::MIN;
    for _ in 0..64 {
        if u.is_empty() {
            break;
        }
        now = step(u)?.after(now, &policy);
        let price = u.int_in_range(0..=7_u32)?.min(policy.limit());

        // One caller, whatever the clock does.
        let expected = request(&mut log, &policy, now, price);
        let (window, verdict) = take(&policy, state, (now, price));
        if let Some(verdict) = verdict {
            assert_eq!(verdict, expected);
            assert_eq!(verdict, peek(&policy, state, time(now), cost(&policy, price)));
        }
        let (_, start, taken) = log.as_ref().unwrap().summary(&policy);
        assert_eq!((window.start().as_ms(), window.count()), (start, taken));
        state = Some(window);

        // Several callers, on a clock that is never set back by more than it is held.
        let held = now.max(latest.saturating_sub(hold_ms(&policy)));
        latest = latest.max(held);
        let scope = *u.choose(&["a", "b", ""])?;
        let (window, verdict) = take(&policy, windows.get(scope).copied(), (held, price));
        windows.insert(scope, window);
        match policy.cost(price) {
            Ok(price) => assert_eq!(Some(limiter.admit(scope, time(held), price)), verdict),
            Err(_) => assert_eq!(limiter.touch(scope, time(held)), window),
        }
        assert_eq!(
            limiter.peek(scope, time(held), Cost::ONE),
            peek(&policy, Some(window), time(held), Cost::ONE)
        );
    }
    planned(&policy, state, now, u.int_in_range(0..=40)?);
    Ok(())
}

/// A plan is admitted, and nothing earlier is.
pub fn planned(policy: &Policy, mut state: Option<Window>, mut clock: i64, calls: u64) {
    let Ok(schedule) = plan(policy, state, time(clock), calls) else { return };
    assert_eq!(schedule.iter().map(|entry| u64::from(entry.count)).sum::<u64>(), calls);
    for entry in schedule {
        let at = entry.at.as_ms();
        if at > clock {
            assert!(!peek(policy, state, time(clock), Cost::ONE).is_admitted());
            assert!(!peek(policy, state, time(at - 1), Cost::ONE).is_admitted());
        }
        let (window, verdict) = take(policy, state, (at, entry.count));
        assert!(verdict.unwrap().is_admitted());
        (state, clock) = (Some(window), at);
    }
}
