//! The callers of a limiter, beside a map of counters that has the same ones.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    reason = "a number of callers fits any integer"
)]

use std::collections::HashMap;
use std::time::Duration;

use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};

/// A limiter that has admitted each caller once and refuses none, and the map.
#[expect(missing_debug_implementations, reason = "a million callers are not printed")]
pub struct Callers {
    /// The scopes.
    pub keys: Vec<String>,
    /// What a limiter is compared with: a number for each scope.
    pub map: HashMap<String, u64>,
    /// The limiter.
    pub limiter: RateLimiter,
    /// The time of every call.
    pub now: Time,
}

impl Callers {
    /// So many callers.
    #[must_use]
    pub fn new(callers: usize) -> Self {
        let policy = Policy::new((1 << 21) - 1, Duration::from_secs(86_400)).unwrap();
        let now = Time::from_ms(1_750_000_000_000).unwrap();
        let keys: Vec<String> =
            (0..callers).map(|caller| format!("application-{caller:08}")).collect();
        let map = keys.iter().map(|key| (key.clone(), 0)).collect();
        let mut limiter = RateLimiter::new(policy);
        keys.iter().for_each(|key| assert!(limiter.admit(key, now, Cost::ONE).is_admitted()));
        Self { keys, map, limiter, now }
    }
}

/// The order in which callers come, from a generator of Knuth's, so that each run has the same.
pub fn order(callers: usize) -> impl Iterator<Item = usize> {
    let mut state = 1_u64;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % callers
    })
}
