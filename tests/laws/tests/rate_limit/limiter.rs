//! Many callers. That the limiter answers like the functions for each scope is a law of a fuzzer's bytes (`laws::fuzzed`).

use proptest::prelude::*;
use sendoff::rate_limit::{Cost, Phase, Policy, RateLimiter};

use laws::day_log::DAY_MS;
use laws::steps::{hold_ms, shared, time};

fn scopes(limiter: &RateLimiter) -> Vec<&str> {
    limiter.snapshot().into_iter().map(|(scope, _)| scope).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

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
fn neither_a_scope_nor_a_secret_is_printed() {
    let policy = Policy::PRODUCTION;
    let mut limiter = RateLimiter::new(policy);
    assert!(limiter.is_empty());
    limiter.touch("shop", time(0));
    assert!(!limiter.is_empty());
    assert_eq!(format!("{limiter:?}"), format!("RateLimiter {{ policy: {policy:?}, len: 1, .. }}"));

    let mut shared = shared(policy, Some(4));
    shared.admit("shop", 0).unwrap();
    let shown = format!("policy: {policy:?}, environment: \"laws\", lease: Some(Cost(4)), .. }}");
    assert_eq!(format!("{shared:?}"), format!("SharedLimiter {{ {shown}"));
}
