//! One process that shares windows: which answers it takes, what it asks for, and what it keeps.

use std::{num::NonZeroU64, time::Duration};

use proptest::prelude::*;
use sendoff::rate_limit::{Policy, SharedLimiter, Step, Verdict};

use laws::day_log::DAY_MS;
use laws::steps::{beginnings, cost, time};

const SCOPE: &str = "shop";

/// How long a process waits for an answer, in milliseconds.
const PATIENCE: u64 = 250;

/// The delay to the store and back in microseconds, and the change of the store's clock before the call is sent.
fn journeys() -> impl Strategy<Value = Vec<(i64, i64, i64)>> {
    let latency = || prop_oneof![4 => 0..1_000_i64, 2 => 0..300_000_i64, 1 => 0..8_000_000_i64];
    let step = prop_oneof![12 => Just(0), 1 => 0..5_000_000_i64];
    prop::collection::vec((latency(), latency(), step), 1..40)
}

proptest! {
    /// With a clock that is only set forward, no abandoned call is counted. A call that arrives in time is not late, unless the
    /// clock was set or is unknown.
    #[test]
    fn abandoned_calls_are_not_counted(begins in beginnings(), fraction in 0..1_000_i64, journeys in journeys()) {
        let policy = Policy::PRODUCTION;
        let mut limiter = SharedLimiter::new(policy, "laws", b"secret").unwrap();
        // The true time, and the lead of the store's clock, both in microseconds.
        let (mut now, mut store) = (0_i64, begins * 1_000 + 777);
        // The longest delay of an answer with the current setting of the clock.
        let mut known: Option<i64> = None;
        for (there, back, step) in journeys {
            let tick = |at: i64| u64::try_from((at + fraction).div_euclid(1_000)).unwrap();
            (store, known) = (store + step, known.filter(|_| step == 0));
            let sent = tick(now);
            let deadline = limiter.store_time(sent + PATIENCE);
            let (arrives, comes) = (now + there, now + there + back);
            let at = time((store + arrives).div_euclid(1_000));
            let is_counted = at < deadline;
            let is_given_up = arrives >= now + i64::try_from(PATIENCE).unwrap() * 1_000;
            prop_assert!(!(is_counted && is_given_up), "counted at {at}, and abandoned by {deadline}");
            if let Some(round_trip) = known && there + round_trip + 4_000 < i64::try_from(PATIENCE).unwrap() * 1_000 {
                prop_assert!(is_counted, "late at {at} by {deadline}");
            }
            limiter.on_late_reply(SCOPE, at, sent, tick(comes));
            known = Some(known.map_or(there + back, |known| known.min(there + back)));
            now = comes;
        }
    }
}

/// The script's answer at a time to the first call of a day.
fn first(at: i64, granted: i64) -> [i64; 5] {
    [0, granted, at, at, granted]
}

fn asked(step: Step) -> String {
    let Step::Ask(request) = step else { panic!("{step:?} is known") };
    request.arguments()[0].clone()
}

#[test]
fn one_batch_is_on_its_way_at_a_time() {
    let policy = Policy::new(10, Duration::from_secs(60)).unwrap();
    let mut limiter = SharedLimiter::new(policy, "laws", b"").unwrap().with_lease(cost(&policy, 4));
    assert_eq!(asked(limiter.admit(SCOPE, 0).unwrap()), "lease");
    assert_eq!(asked(limiter.admit(SCOPE, 5).unwrap()), "admit");
    assert_eq!(asked(limiter.admit("another", 5).unwrap()), "lease");
    limiter.on_reply(SCOPE, &first(0, 4), 0, 9).unwrap();
    for _ in 0..3 {
        assert!(matches!(
            limiter.admit(SCOPE, 9).unwrap(),
            Step::Known(Some(Verdict::Admitted { .. }))
        ));
    }
    assert_eq!(asked(limiter.admit(SCOPE, 10).unwrap()), "lease");
    // Its answer is lost. The next answer shows that the store works.
    assert_eq!(asked(limiter.admit(SCOPE, 20).unwrap()), "admit");
    limiter.on_reply(SCOPE, &[2, 1, 20, 0, 9], 20, 21).unwrap();
    assert_eq!(asked(limiter.admit(SCOPE, 30).unwrap()), "lease");
}

/// An answer shows that the store works, unless its call was sent before the batch.
#[test]
fn a_late_answer_ends_a_batch_that_was_sent_by_then() {
    for (sent, next) in [(4, "admit"), (5, "lease"), (6, "lease")] {
        let policy = Policy::new(10, Duration::from_secs(60)).unwrap();
        let mut limiter =
            SharedLimiter::new(policy, "laws", b"").unwrap().with_lease(cost(&policy, 4));
        assert_eq!(asked(limiter.admit(SCOPE, 5).unwrap()), "lease");
        limiter.on_late_reply(SCOPE, time(20), sent, 20);
        assert_eq!(asked(limiter.admit(SCOPE, 20).unwrap()), next, "sent at {sent}");
    }
}

/// A day that has begun is known until the tick at which the store may be at the next midnight.
#[test]
fn a_request_that_does_not_count_is_asked_once_a_day() {
    let mut limiter = SharedLimiter::new(Policy::PRODUCTION, "laws", b"").unwrap();
    let day = DAY_MS.unsigned_abs();
    assert_eq!(asked(limiter.touch(SCOPE, 0).unwrap()), "touch");
    limiter.on_reply(SCOPE, &first(0, 0), 0, 5).unwrap();
    assert!(matches!(limiter.touch(SCOPE, day - 2).unwrap(), Step::Known(None)));
    assert_eq!(asked(limiter.touch(SCOPE, day - 1).unwrap()), "touch");
    assert_eq!(asked(limiter.touch("another", 5).unwrap()), "touch");
}

/// The store's clock may be a millisecond behind what its answer shows.
#[test]
fn a_refused_caller_does_not_come_back_too_early() {
    let policy = Policy::new(1, Duration::from_secs(60)).unwrap();
    let mut limiter = SharedLimiter::new(policy, "laws", b"").unwrap();
    limiter.on_reply(SCOPE, &[2, -1, 50, 0, 1], 0, 10).unwrap();
    // The window has ended at 59,961 for sure.
    for (tick, seconds) in [(10, 60), (58_960, 2), (58_961, 1)] {
        let verdict = limiter.admit(SCOPE, tick).unwrap();
        let Step::Known(Some(Verdict::Refused { retry_after, .. })) = verdict else {
            panic!("{verdict:?}")
        };
        assert_eq!(retry_after.get(), seconds, "at {tick}");
    }
}

#[test]
fn answers_of_one_window_add_up() {
    let policy = Policy::new(10, Duration::from_secs(60)).unwrap();
    let mut limiter = SharedLimiter::new(policy, "laws", b"").unwrap().with_lease(cost(&policy, 4));
    // The answer for the last two calls of the window arrives before that of the earlier batch.
    limiter.on_reply(SCOPE, &[2, 2, 50, 0, 10], 40, 60).unwrap();
    limiter.on_reply(SCOPE, &[2, 4, 45, 0, 8], 35, 70).unwrap();
    for left in (0..4).rev() {
        let Step::Known(Some(Verdict::Admitted { remaining, .. })) =
            limiter.admit(SCOPE, 80).unwrap()
        else {
            panic!()
        };
        assert_eq!(remaining, left);
    }
    assert!(matches!(
        limiter.admit(SCOPE, 80).unwrap(),
        Step::Known(Some(Verdict::Refused { .. }))
    ));
}

#[test]
fn answers_overtake_each_other() {
    let policy = Policy::new(1, Duration::from_secs(60)).unwrap();
    let mut limiter = SharedLimiter::new(policy, "laws", b"").unwrap();
    // The second window is full. A late answer about the first window has no effect.
    limiter.on_reply(SCOPE, &[1, 1, 60_000, 60_000, 1], 60_000, 60_010).unwrap();
    limiter.on_reply(SCOPE, &[2, -1, 59_999, 0, 1], 59_999, 60_020).unwrap();
    assert!(matches!(
        limiter.admit(SCOPE, 119_998).unwrap(),
        Step::Known(Some(Verdict::Refused { retry_after: NonZeroU64::MIN, .. }))
    ));
    // The store's clock was set back by a day. The answer to the later request counts.
    limiter.on_reply(SCOPE, &[2, -1, 60_030 - DAY_MS, 60_000 - DAY_MS, 1], 60_030, 60_040).unwrap();
    assert!(matches!(limiter.admit(SCOPE, 119_998).unwrap(), Step::Known(_)));
    limiter
        .on_reply(SCOPE, &[2, 1, 60_050 - 2 * DAY_MS, 60_050 - 2 * DAY_MS, 1], 60_050, 60_060)
        .unwrap();
    assert!(matches!(limiter.admit(SCOPE, 120_048).unwrap(), Step::Known(_)));
    assert_eq!(asked(limiter.admit(SCOPE, 120_049).unwrap()), "admit");
}

#[test]
fn an_answer_to_a_call_sent_later_counts_although_its_clock_is_set_back() {
    let policy = Policy::new(1, Duration::from_secs(60)).unwrap();
    // Calls sent before the known answer came may have overtaken each other.
    for (sent, is_known) in [(60_009, false), (60_010, true)] {
        let mut limiter = SharedLimiter::new(policy, "laws", b"").unwrap();
        limiter.on_reply(SCOPE, &[1, 1, 60_000, 60_000, 1], 60_000, 60_010).unwrap();
        limiter
            .on_reply(SCOPE, &[2, 1, 60_010 - DAY_MS, 60_010 - DAY_MS, 1], sent, 60_020)
            .unwrap();
        // The window of the first answer has ended, and that of the second has not.
        assert_eq!(
            matches!(limiter.admit(SCOPE, 120_003).unwrap(), Step::Known(_)),
            is_known,
            "sent at {sent}"
        );
    }
}

#[test]
fn callers_are_kept_until_their_day_has_ended() {
    const CALLERS: usize = 5_000;
    let day = DAY_MS.unsigned_abs();
    // All callers are known until the tick `day - 1`. Twice as many without an answer make the
    // limiter drop what has ended.
    for (tick, known) in [(day - 2, CALLERS), (day - 1, 0)] {
        let policy = Policy::PRODUCTION;
        let mut limiter =
            SharedLimiter::new(policy, "laws", b"").unwrap().with_lease(cost(&policy, 50));
        assert!(limiter.is_empty());
        for caller in 0..CALLERS {
            limiter.on_reply(&format!("{caller}"), &first(0, 1), 0, 0).unwrap();
        }
        assert_eq!((limiter.len(), limiter.is_empty()), (CALLERS, false));
        for caller in 0..2 * CALLERS {
            limiter.admit(&format!("lost {caller}"), tick).unwrap();
        }
        let is_known = |caller: &usize| {
            matches!(limiter.touch(&format!("{caller}"), 5), Ok(Step::Known(None)))
        };
        assert_eq!((0..CALLERS).filter(is_known).count(), known, "at {tick}");
    }
}

#[test]
fn callers_of_past_days_are_dropped() {
    const A_DAY: i64 = 5_000;
    let policy = Policy::PRODUCTION;
    for batch in [None, Some(50)] {
        let limiter = SharedLimiter::new(policy, "laws", b"").unwrap();
        let mut limiter = match batch {
            None => limiter,
            Some(batch) => limiter.with_lease(cost(&policy, batch)),
        };
        for caller in 0..4 * A_DAY {
            let at = caller * (DAY_MS / A_DAY);
            let (scope, tick) = (format!("{caller}"), at.try_into().unwrap());
            asked(limiter.admit(&scope, tick).unwrap());
            limiter.on_reply(&scope, &first(at, 1), tick, tick + 1).unwrap();
            assert!(limiter.len() <= 2 * A_DAY.unsigned_abs() as usize);
        }
        // No state is left if the store never answers.
        for caller in 0..100_000 {
            asked(
                limiter.admit(&format!("lost {caller}"), (4 * DAY_MS).try_into().unwrap()).unwrap(),
            );
        }
        assert!(limiter.len() <= 2 * A_DAY.unsigned_abs() as usize);
    }
}

#[test]
fn neither_a_scope_nor_the_secret_is_printed() {
    let policy = Policy::PRODUCTION;
    let mut limiter =
        SharedLimiter::new(policy, "laws", b"hidden").unwrap().with_lease(cost(&policy, 4));
    asked(limiter.admit(SCOPE, 0).unwrap());
    let shown = format!(
        r#"SharedLimiter {{ policy: {policy:?}, environment: "laws", lease: Some(Cost(4)), .. }}"#
    );
    assert_eq!(format!("{limiter:?}"), shown);
}

/// A tick is any number: a process may count from anywhere.
#[test]
fn a_tick_beyond_every_time_has_an_answer() {
    let mut limiter = SharedLimiter::new(Policy::PRODUCTION, "laws", b"").unwrap();
    for tick in [1 << 63, u64::MAX] {
        limiter.on_reply(SCOPE, &[2, -1, 50, 0, 1_500], 0, tick).unwrap();
        limiter.on_late_reply(SCOPE, time(50), 1, tick);
        assert!(matches!(limiter.admit(SCOPE, tick).unwrap(), Step::Ask(_)));
    }
}
