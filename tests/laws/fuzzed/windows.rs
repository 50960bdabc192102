//! Sequences of requests: the core's windows beside the day log, and the keyed limiter beside the
//! functions.

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use sendoff::rate_limit::{Cost, Policy, RateLimiter, Verdict, Window, peek, plan};

use crate::day_log::{DayLog, midnight_after, request};
use crate::steps::{MOST, Step, beginning, cost, hold_ms, moved, policy, price, take, time};

/// The bytes are a policy and steps.
pub(super) fn check(bytes: &[u8]) {
    let _ = run(&mut Unstructured::new(bytes));
}

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let policy = policy(u)?;
    let mut now = beginning(u)?;
    let (mut log, mut state) = (None, None);
    let mut limiter = RateLimiter::new(policy);
    for step in 0..MOST {
        if u.is_empty() {
            break;
        }
        now = moved(u, now, &policy)?;
        let price = price(u, &policy)?;

        // One caller, whatever the clock does.
        let (window, verdict) = follows(&policy, state, &mut log, (now, price));
        if let Some(verdict) = verdict {
            assert_eq!(verdict, peek(&policy, state, time(now), cost(&policy, price)));
        }
        state = Some(window);

        // Several callers. Others are unchanged, or dropped after their day.
        let scope = *u.choose(&["a", "b", ""])?;
        let before = states(&limiter);
        let (window, verdict) = take(&policy, before.get(scope).copied(), (now, price));
        match policy.cost(price) {
            Ok(price) => assert_eq!(Some(limiter.admit(scope, time(now), price)), verdict),
            Err(_) => assert_eq!(limiter.touch(scope, time(now)), window),
        }
        let after = states(&limiter);
        assert_eq!(after.get(scope), Some(&window));
        assert!(verdict.is_none_or(|verdict| verdict.is_admitted()) || before == after);
        for (other, window) in before.iter().filter(|(other, _)| *other != scope) {
            let over = midnight_after(window.start().as_ms(), &policy) <= now - hold_ms(&policy);
            assert!(after.get(other).map_or(over, |kept| kept == window));
        }
        for (scope, window) in &after {
            let expected = peek(&policy, Some(*window), time(now), Cost::ONE);
            assert_eq!(limiter.peek(scope, time(now), Cost::ONE), expected);
        }

        // A restored limiter equals the saved one, and goes on in its place.
        let restored = RateLimiter::restore(policy, limiter.snapshot());
        assert_eq!(restored.snapshot(), limiter.snapshot());
        if step % 8 == 7 {
            limiter = restored;
        }
    }
    planned(&policy, state, now, u.int_in_range(0..=40)?);
    Ok(())
}

/// Takes a step. The core answers and keeps what the day log says.
pub fn follows(
    policy: &Policy,
    state: Option<Window>,
    log: &mut Option<DayLog>,
    step @ (now, price): Step,
) -> (Window, Option<Verdict>) {
    let before = || format!("{policy:?}, {state:?}, {now}, {price}");
    let expected = request(log, policy, now, price);
    let (window, verdict) = take(policy, state, step);
    assert_eq!(verdict.unwrap_or(expected), expected, "{}", before());
    let (_, start, taken) = log.as_ref().unwrap().summary(policy);
    assert_eq!((window.start().as_ms(), window.count()), (start, taken), "{}", before());
    (window, verdict)
}

fn states(limiter: &RateLimiter) -> BTreeMap<String, Window> {
    limiter.snapshot().into_iter().map(|(scope, window)| (scope.to_owned(), window)).collect()
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
