//! Many callers: the limiter answers like the functions, for each scope, as the law of a fuzzer's bytes says too.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sendoff::rate_limit::{Cost, Phase, Policy, RateLimiter, Verdict, Window};

use laws::day_log::{DAY_MS, midnight_after};
use laws::steps::{MOST, Step, hold_ms, take, time, traces};

const SCOPES: [&str; 4] = ["a", "b", "production:c", ""];

/// Requests of several callers.
fn crowds() -> impl Strategy<Value = (Policy, Vec<(&'static str, Step)>)> {
    let scopes = prop::collection::vec(prop::sample::select(SCOPES.to_vec()), MOST);
    (traces(false), scopes)
        .prop_map(|((policy, steps), scopes)| (policy, scopes.into_iter().zip(steps).collect()))
}

fn take_keyed(
    limiter: &mut RateLimiter,
    scope: &str,
    (now, cost): Step,
) -> (Window, Option<Verdict>) {
    let verdict =
        limiter.policy().cost(cost).ok().map(|cost| limiter.admit(scope, time(now), cost));
    if verdict.is_none() {
        limiter.touch(scope, time(now));
    }
    (states(limiter)[scope], verdict)
}

fn states(limiter: &RateLimiter) -> BTreeMap<String, Window> {
    limiter.snapshot().into_iter().map(|(scope, window)| (scope.to_owned(), window)).collect()
}

fn scopes(limiter: &RateLimiter) -> Vec<&str> {
    limiter.snapshot().into_iter().map(|(scope, _)| scope).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// 12, for any clock: the limiter answers like the functions for the stored state, a refusal changes nothing, and other
    /// callers are at most dropped after their day.
    #[test]
    fn other_callers_are_unchanged_or_dropped((policy, steps) in crowds()) {
        let mut limiter = RateLimiter::new(policy);
        for (scope, step @ (now, _)) in steps {
            let before = states(&limiter);
            let expected = take(&policy, before.get(scope).copied(), step);
            prop_assert_eq!(take_keyed(&mut limiter, scope, step), expected);
            let after = states(&limiter);
            if expected.1.is_some_and(|verdict| !verdict.is_admitted()) {
                prop_assert_eq!(&before, &after);
            }
            for (other, window) in before.iter().filter(|(other, _)| *other != scope) {
                let over = midnight_after(window.start().as_ms(), &policy) <= now - hold_ms(&policy);
                prop_assert!(after.get(other).map_or(over, |kept| kept == window));
            }
        }
    }

    /// 13: a restored limiter equals the saved one, and continues like it.
    #[test]
    fn a_snapshot_continues_like_the_original((policy, mut steps) in crowds(), at in 0..MOST) {
        let mut latest = i64::MIN;
        for (_, (now, _)) in &mut steps {
            *now = (*now).max(latest.saturating_sub(hold_ms(&policy)));
            latest = latest.max(*now);
        }
        let (saved, rest) = steps.split_at(at.min(steps.len()));
        let mut live = RateLimiter::new(policy);
        for (scope, step) in saved {
            take_keyed(&mut live, scope, *step);
        }
        let mut restored = RateLimiter::restore(policy, live.snapshot());
        prop_assert_eq!(restored.snapshot(), live.snapshot());
        for (scope, step) in rest {
            prop_assert_eq!(take_keyed(&mut restored, scope, *step), take_keyed(&mut live, scope, *step));
        }
    }

    /// Scopes are any text of any length. The layout of records changes around 64 KiB.
    #[test]
    fn every_scope_has_its_own_window(
        texts in prop::collection::btree_set(".{0,40}", 0..20),
        lengths in prop::collection::btree_set(prop_oneof![65_500..65_560_usize, 60_000..140_000_usize], 0..6),
    ) {
        let long = lengths.into_iter().map(|length| "é".repeat(length / 2) + &"x".repeat(length % 2));
        let mut all: Vec<_> = texts.into_iter().chain(long).collect();
        let mut limiter = RateLimiter::new(Policy::PRODUCTION);
        for round in 1..=3 {
            for scope in &all {
                prop_assert!(limiter.admit(scope, time(0), Cost::ONE).is_admitted());
            }
            prop_assert!(limiter.snapshot().iter().all(|(_, window)| window.count() == round));
        }
        all.sort_unstable();
        prop_assert_eq!(scopes(&limiter), all);
    }
}

#[test]
fn callers_of_past_days_are_dropped() {
    let policy = Policy::PRODUCTION;
    let mut limiter = RateLimiter::new(policy);
    for caller in 0..1_000 {
        limiter.touch(&format!("{caller}"), time(caller));
    }
    let turn = DAY_MS + hold_ms(&policy);
    // Yesterday's callers are kept as long as the clock may step back to yesterday.
    limiter.touch("1", time(turn - 1));
    assert_eq!(limiter.len(), 1_000);
    assert_eq!(limiter.peek("0", time(turn), Cost::ONE).phase(), Phase::Anchored);
    assert_eq!(limiter.len(), 1_000);
    limiter.touch("new", time(turn));
    assert_eq!(scopes(&limiter), ["1", "new"]);
}

#[test]
fn a_clock_that_ran_ahead_does_not_keep_callers_forever() {
    let mut limiter = RateLimiter::new(Policy::PRODUCTION);
    for (scope, day) in [("ahead", 9_000), ("first", 0), ("second", 2)] {
        limiter.touch(scope, time(day * DAY_MS + DAY_MS / 2));
    }
    assert_eq!(scopes(&limiter), ["ahead", "second"]);
}

#[test]
fn a_scope_is_not_printed() {
    let mut limiter = RateLimiter::new(Policy::PRODUCTION);
    assert!(limiter.is_empty());
    limiter.touch("secret", time(0));
    assert!(!limiter.is_empty());
    let shown = format!("RateLimiter {{ policy: {:?}, len: 1, .. }}", Policy::PRODUCTION);
    assert_eq!(format!("{limiter:?}"), shown);
}
