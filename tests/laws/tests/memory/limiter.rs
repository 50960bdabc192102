//! The memory of the keyed limiter: at most 24 bytes per caller in addition to the text of its
//! scope.

use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};

use super::counting::{HELD, TAKEN};

/// The bytes that this thread has allocated since `before`.
fn held_since(before: isize) -> usize {
    usize::try_from(HELD.get() - before).unwrap()
}

#[test]
fn a_caller_needs_at_most_24_bytes_in_addition_to_its_scope() {
    const CALLERS: usize = 500_000;
    for name in ["", "production:sk_live_0123456789abcdef:"] {
        let mut limiter = RateLimiter::new(Policy::PRODUCTION);
        let (mut texts, mut most) = (0, 0);
        let empty = HELD.get();
        for caller in 1..=CALLERS {
            let scope = format!("{name}{caller}");
            texts += scope.len();
            let before = HELD.get();
            assert!(limiter.admit(&scope, Time::EPOCH, Cost::ONE).is_admitted());
            // Memory that is reserved for further callers counts more for the first thousands. The
            // limit is for many callers.
            if caller > 20_000 && HELD.get() != before || caller == CALLERS {
                most = most.max((held_since(empty) - scope.capacity() - texts) * 100 / caller);
            }
        }
        println!("{most} bytes a hundred callers, beside {name:?} and a number each");
        assert!(most <= 2_400, "{most} bytes a hundred callers");

        // A new day frees all of it.
        let next_day = Time::from_ms(2 * 86_400_000).unwrap();
        assert!(limiter.admit("one", next_day, Cost::ONE).is_admitted());
        assert_eq!(limiter.len(), 1);
        assert!(held_since(empty) < 1_000);
    }
}

/// All callers are visited once a day at most. A visit copies those that are kept, so that it shows in what is allocated.
#[test]
fn a_day_has_one_visit_of_all_callers() {
    const CALLERS: usize = 5_000;
    const DAY_MS: i64 = 86_400_000;
    let midnight = 20_000 * DAY_MS;
    let hold = i64::try_from(Policy::PRODUCTION.hold().as_millis()).unwrap();
    let scopes: Vec<String> = (0..CALLERS).map(|caller| format!("production:{caller}")).collect();
    let mut limiter = RateLimiter::new(Policy::PRODUCTION);
    let mut taken = |at: i64, scopes: &[String]| {
        let before = TAKEN.get();
        for scope in scopes {
            assert!(limiter.admit(scope, Time::from_ms(at).unwrap(), Cost::ONE).is_admitted());
        }
        (TAKEN.get() - before, limiter.len())
    };
    // New callers cost the growth of what holds them, not a visit each.
    let (new, _) = taken(midnight + hold, &scopes);
    assert!(new < 50 * 40 * CALLERS, "{new} bytes for {CALLERS} callers");
    // Callers that are known cost nothing, nor does a clock that moves back and forth around
    // midnight.
    for at in [hold + 1, DAY_MS - 1, hold - 1, 0, -1, 1, 1 - DAY_MS / 2, 1] {
        let (known, len) = taken(midnight + at, &scopes);
        assert!(known < 2 * 40 * CALLERS && len == CALLERS, "{known} bytes at {at}, {len} callers");
    }
    // A call of a caller that is known begins the next day as well, and after the hold time the
    // others are dropped.
    assert_eq!(taken(midnight + DAY_MS + hold + 1, &scopes[..1]).1, 1);
}
