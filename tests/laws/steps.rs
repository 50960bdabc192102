//! Sequences of requests, close to times at which something changes.

use std::time::Duration;

use proptest::prelude::*;
use sendoff::rate_limit::{Admission, Cost, Midnight, Policy, Time, Verdict, Window, admit, touch};

use crate::day_log::{DAY_MS, midnight_after};

pub const MAX_MS: i64 = 8_640_000_000_000_000;

/// A move of the clock between two requests.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    By(i64),
    ByWindows(i64, i64),
    ToMidnight(i64),
    BackByHold(i64),
}

impl Move {
    #[must_use]
    pub fn after(self, now: i64, policy: &Policy) -> i64 {
        match self {
            Self::By(ms) => now + ms,
            Self::ByWindows(windows, ms) => now + windows * window_ms(policy) + ms,
            Self::ToMidnight(ms) => now.max(midnight_after(now, policy) + ms),
            // A longer step would leave the range of times.
            Self::BackByHold(ms) => now - hold_ms(policy).min(3 * DAY_MS) - ms,
        }
    }
}

pub fn window_ms(policy: &Policy) -> i64 {
    policy.window().as_millis().try_into().unwrap()
}

pub fn hold_ms(policy: &Policy) -> i64 {
    policy.hold().as_millis().try_into().unwrap()
}

pub fn forward() -> impl Strategy<Value = Move> {
    prop_oneof![
        4 => prop_oneof![Just(0), Just(1), Just(999), Just(1_000), 0..100_000_i64].prop_map(Move::By),
        3 => (1..3_i64, -1..=1_i64).prop_map(|(windows, ms)| Move::ByWindows(windows, ms)),
        1 => (-2..=1_i64).prop_map(Move::ToMidnight),
        1 => (0..3 * DAY_MS).prop_map(Move::By),
    ]
}

pub fn any_way() -> impl Strategy<Value = Move> {
    prop_oneof![
        5 => forward(),
        1 => (-1_000..0_i64).prop_map(Move::By),
        1 => (-1..=1_i64).prop_map(Move::BackByHold),
        1 => (-3 * DAY_MS..0).prop_map(Move::By),
    ]
}

pub fn policies() -> impl Strategy<Value = Policy> {
    let limit = prop_oneof![6 => 1..=5_u32, 1 => Just(1_500), 1 => Just((1 << 21) - 1)];
    let windows = [60_000, 300_000, 300_001, 3_600_000, 25_200_000, 86_399_999, 86_400_000];
    let window_ms =
        prop_oneof![4 => prop::sample::select(windows.to_vec()), 1 => 60_000..=86_400_000_u64];
    let offset = prop_oneof![2 => Just(0), 1 => Just(-720), 1 => Just(840), 1 => -720..=840_i16];
    let midnight = prop::sample::select(Midnight::ALL);
    let hold = prop_oneof![
        4 => Just(None),
        2 => prop::sample::select(vec![0, 1, 500, 600_000, 90_000_000, MAX_MS.unsigned_abs()]).prop_map(Some),
    ];
    (limit, window_ms, offset, midnight, hold).prop_map(
        |(limit, window_ms, offset, midnight, hold)| {
            let policy = Policy::new(limit, Duration::from_millis(window_ms))
                .unwrap()
                .with_midnight(midnight);
            let policy = policy.with_day_offset_minutes(offset).unwrap();
            hold.map_or(policy, |hold| policy.with_hold(Duration::from_millis(hold)).unwrap())
        },
    )
}

/// The time of the first request: now, before the epoch, far ahead, or anywhere.
pub fn beginnings() -> impl Strategy<Value = i64> {
    prop_oneof![
        Just(0),
        Just(1_750_000_000_000),
        Just(-62_135_596_800_000),
        -MAX_MS / 2..MAX_MS / 2
    ]
}

/// One request of a trace: its time and its cost; `None` if it does not count.
pub type Step = (i64, u32);

/// Requests of one caller.
pub fn traces(moves: impl Strategy<Value = Move>) -> impl Strategy<Value = (Policy, Vec<Step>)> {
    let steps = prop::collection::vec(
        (moves, prop_oneof![4 => Just(1), 1 => Just(0), 2 => 0..8_u32]),
        1..60,
    );
    (policies(), beginnings(), steps).prop_map(|(policy, mut now, steps)| {
        let step = |(by, cost): (Move, u32)| {
            now = by.after(now, &policy);
            (now, cost.min(policy.limit()))
        };
        let steps = steps.into_iter().map(step).collect();
        (policy, steps)
    })
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
