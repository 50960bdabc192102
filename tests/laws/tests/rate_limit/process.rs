//! One process that shares windows: which answers it takes, what it asks for, and what it keeps.

use std::time::Duration;

use proptest::prelude::*;
use sendoff::rate_limit::{Policy, SharedLimiter, Step, Verdict};

use laws::day_log::DAY_MS;
use laws::steps::{shared, time};

pub(super) const SCOPE: &str = "shop";

/// How long a process waits for an answer, in milliseconds.
const PATIENCE: i64 = 250;

/// A delay in microseconds.
pub(super) fn latency() -> impl Strategy<Value = i64> {
    prop_oneof![4 => 0..1_000_i64, 2 => 0..300_000_i64, 1 => 0..8_000_000_i64]
}

/// The delay to the store and back, and the change of the store's clock before the call is sent.
fn journeys() -> impl Strategy<Value = Vec<(i64, i64, i64)>> {
    let step = prop_oneof![12 => Just(0), 1 => 0..5_000_000_i64];
    prop::collection::vec((latency(), latency(), step), 1..40)
}

proptest! {
    /// With a clock that is only set forward, no abandoned call is counted. A call that arrives in time is not late, unless the
    /// clock was set or is unknown.
    #[test]
    fn abandoned_calls_are_not_counted(begins in -1_i64 << 45..1 << 45, fraction in 0..1_000_i64, journeys in journeys()) {
        let mut limiter = shared(Policy::PRODUCTION, None);
        // The true time, and the lead of the store's clock, both in microseconds.
        let (mut now, mut store) = (0_i64, begins * 1_000 + 777);
        // The longest delay of an answer with the current setting of the clock.
        let mut known: Option<i64> = None;
        for (there, back, step) in journeys {
            let tick = |at: i64| u64::try_from((at + fraction).div_euclid(1_000)).unwrap();
            (store, known) = (store + step, known.filter(|_| step == 0));
            let sent = tick(now);
            let deadline = limiter.store_time(sent + PATIENCE.unsigned_abs());
            let (arrives, comes) = (now + there, now + there + back);
            let at = time((store + arrives).div_euclid(1_000));
            let is_counted = at < deadline;
            let is_given_up = arrives >= now + PATIENCE * 1_000;
            prop_assert!(!(is_counted && is_given_up), "counted at {at}, and abandoned by {deadline}");
            if let Some(round_trip) = known && there + round_trip + 4_000 < PATIENCE * 1_000 {
                prop_assert!(is_counted, "late at {at} by {deadline}");
            }
            limiter.on_late_reply(SCOPE, at, sent, tick(comes));
            known = Some(known.map_or(there + back, |known| known.min(there + back)));
            now = comes;
        }
    }
}

/// The script's answer at a time to the first call of a day.
const fn first(at: i64, granted: i64) -> [i64; 5] {
    [0, granted, at, at, granted]
}

const DAY: u64 = DAY_MS.unsigned_abs();

fn said(step: Step) -> String {
    match step {
        Step::Ask(request) => format!("asks {}", request.arguments()[0]),
        Step::Known(None) => "known".into(),
        Step::Known(Some(Verdict::Admitted { remaining, .. })) => {
            format!("admitted, {remaining} left")
        }
        Step::Known(Some(Verdict::Refused { retry_after, .. })) => {
            format!("refused for {retry_after} s")
        }
    }
}

/// A process with windows of a minute.
struct Process(SharedLimiter);

impl Process {
    fn new(limit: u32, batch: Option<u32>) -> Self {
        Self(shared(Policy::new(limit, Duration::from_secs(60)).unwrap(), batch))
    }

    /// Calls at these ticks have these answers.
    fn says(&mut self, calls: &[(u64, &str)]) {
        for (tick, expected) in calls {
            assert_eq!(said(self.0.admit(SCOPE, *tick).unwrap()), *expected, "at {tick}");
        }
    }

    /// The store's answer, the ticks of its request and of the answer.
    fn hears(&mut self, numbers: [i64; 5], sent: u64, tick: u64) {
        self.0.on_reply(SCOPE, &numbers, sent, tick).unwrap();
    }
}

#[test]
fn one_batch_is_on_its_way_at_a_time() {
    let mut process = Process::new(10, Some(4));
    process.says(&[(0, "asks lease"), (5, "asks admit")]);
    assert_eq!(said(process.0.admit("another", 5).unwrap()), "asks lease");
    process.hears(first(0, 4), 0, 9);
    process.says(&[(9, "admitted, 8 left"), (9, "admitted, 7 left"), (9, "admitted, 6 left")]);
    // The answer to the next batch is lost. The answer after it shows that the store works.
    process.says(&[(10, "asks lease"), (20, "asks admit")]);
    process.hears([2, 1, 20, 0, 9], 20, 21);
    process.says(&[(30, "asks lease")]);
}

/// An answer shows that the store works, unless its call was sent before the batch.
#[test]
fn a_late_answer_ends_a_batch_that_was_sent_by_then() {
    for (sent, next) in [(4, "asks admit"), (5, "asks lease"), (6, "asks lease")] {
        let mut process = Process::new(10, Some(4));
        process.says(&[(5, "asks lease")]);
        process.0.on_late_reply(SCOPE, time(20), sent, 20);
        process.says(&[(20, next)]);
    }
}

/// A day that has begun is known until the tick at which the store may be at the next midnight.
#[test]
fn a_request_that_does_not_count_is_asked_once_a_day() {
    let mut process = Process::new(1_500, None);
    let touch = |scope, tick| said(process.0.touch(scope, tick).unwrap());
    assert_eq!((touch(SCOPE, 0), touch("another", 5)), ("asks touch".into(), "asks touch".into()));
    process.hears(first(0, 0), 0, 5);
    let touch = |scope, tick| said(process.0.touch(scope, tick).unwrap());
    assert_eq!(
        (touch(SCOPE, DAY - 2), touch(SCOPE, DAY - 1)),
        ("known".into(), "asks touch".into())
    );
}

/// The store's clock may be a millisecond behind what its answer shows.
#[test]
fn a_refused_caller_does_not_come_back_too_early() {
    let mut process = Process::new(1, None);
    process.hears([2, -1, 50, 0, 1], 0, 10);
    process.says(&[(10, "refused for 60 s"), (58_960, "refused for 2 s")]);
    process.says(&[(58_961, "refused for 1 s")]);
}

#[test]
fn answers_of_one_window_add_up() {
    let mut process = Process::new(10, Some(4));
    // The answer for the last two calls of the window arrives before that of the earlier batch.
    process.hears([2, 2, 50, 0, 10], 40, 60);
    process.hears([2, 4, 45, 0, 8], 35, 70);
    for left in (0..4).rev() {
        process.says(&[(80, &format!("admitted, {left} left"))]);
    }
    process.says(&[(80, "refused for 60 s")]);
}

#[test]
fn answers_overtake_each_other() {
    let mut process = Process::new(1, None);
    // The second window is full. A late answer about the first window has no effect.
    process.hears([1, 1, 60_000, 60_000, 1], 60_000, 60_010);
    process.hears([2, -1, 59_999, 0, 1], 59_999, 60_020);
    process.says(&[(119_998, "refused for 1 s")]);
    // The store's clock was set back by a day. The answer to the later request counts.
    process.hears([2, -1, 60_030 - DAY_MS, 60_000 - DAY_MS, 1], 60_030, 60_040);
    process.says(&[(119_998, "refused for 1 s")]);
    process.hears([2, 1, 60_050 - 2 * DAY_MS, 60_050 - 2 * DAY_MS, 1], 60_050, 60_060);
    process.says(&[(120_048, "refused for 1 s"), (120_049, "asks admit")]);
}

/// Calls sent before the known answer came may have overtaken each other.
#[test]
fn an_answer_to_a_call_sent_later_counts_although_its_clock_is_set_back() {
    for (sent, expected) in [(60_009, "asks admit"), (60_010, "refused for 1 s")] {
        let mut process = Process::new(1, None);
        process.hears([1, 1, 60_000, 60_000, 1], 60_000, 60_010);
        process.hears([2, 1, 60_010 - DAY_MS, 60_010 - DAY_MS, 1], sent, 60_020);
        // The window of the first answer has ended, and that of the second has not.
        process.says(&[(120_003, expected)]);
    }
}

/// A tick is any number: a process may count from anywhere.
#[test]
fn a_tick_beyond_every_time_has_an_answer() {
    let mut process = Process::new(1_500, None);
    for tick in [1 << 63, u64::MAX] {
        process.hears([2, -1, 50, 0, 1_500], 0, tick);
        process.0.on_late_reply(SCOPE, time(50), 1, tick);
        process.says(&[(tick, "asks admit")]);
    }
}

#[test]
fn callers_are_kept_until_their_day_has_ended() {
    const CALLERS: usize = 5_000;
    // All callers are known until the tick `DAY - 1`. Twice as many without an answer make the
    // limiter drop what has ended.
    for (tick, known) in [(DAY - 2, CALLERS), (DAY - 1, 0)] {
        let mut limiter = shared(Policy::PRODUCTION, Some(50));
        assert!(limiter.is_empty());
        for caller in 0..CALLERS {
            limiter.on_reply(&format!("{caller}"), &first(0, 1), 0, 0).unwrap();
        }
        assert_eq!((limiter.len(), limiter.is_empty()), (CALLERS, false));
        for caller in 0..2 * CALLERS {
            limiter.admit(&format!("lost {caller}"), tick).unwrap();
        }
        let is_known = |caller| said(limiter.touch(&format!("{caller}"), 5).unwrap()) == "known";
        assert_eq!((0..CALLERS).filter(|caller| is_known(*caller)).count(), known, "at {tick}");
    }
}

#[test]
fn callers_of_past_days_are_dropped() {
    const A_DAY: i64 = 5_000;
    const MOST: usize = 10_000;
    for batch in [None, Some(50)] {
        let mut limiter = shared(Policy::PRODUCTION, batch);
        for caller in 0..4 * A_DAY {
            let at = caller * (DAY_MS / A_DAY);
            let (scope, tick) = (format!("{caller}"), at.unsigned_abs());
            assert!(said(limiter.admit(&scope, tick).unwrap()).starts_with("asks "));
            limiter.on_reply(&scope, &first(at, 1), tick, tick + 1).unwrap();
            assert!(limiter.len() <= MOST);
        }
        // No state is left if the store never answers.
        for caller in 0..100_000 {
            let step = limiter.admit(&format!("lost {caller}"), 4 * DAY).unwrap();
            assert!(said(step).starts_with("asks "));
        }
        assert!(limiter.len() <= MOST);
    }
}
