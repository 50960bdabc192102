//! Sequences of requests: the core's windows beside the day log, and the keyed limiter beside the
//! functions.

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use sendoff::rate_limit::{Cost, Policy, RateLimiter, Window, peek, plan};

use crate::day_log::request;
use crate::steps::{MOST, beginning, cost, hold_ms, moved, policy, price, take, time};

/// The bytes are a policy and steps.
pub(super) fn check(bytes: &[u8]) {
    let _ = run(&mut Unstructured::new(bytes));
}

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let policy = policy(u)?;
    let mut now = beginning(u)?;
    let (mut log, mut state) = (None, None);
    let (mut limiter, mut windows) = (RateLimiter::new(policy), BTreeMap::<&str, Window>::new());
    let mut latest = i64::MIN;
    for _ in 0..MOST {
        if u.is_empty() {
            break;
        }
        now = moved(u, now, &policy)?;
        let price = price(u, &policy)?;

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
        for (scope, window) in &windows {
            let expected = peek(&policy, Some(*window), time(held), Cost::ONE);
            assert_eq!(limiter.peek(scope, time(held), Cost::ONE), expected);
        }
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
