//! The oracle of the rate windows. It records what was admitted, and finds a window by walking from
//! the day's first request. It follows the specification, and does not use the core's arithmetic.

use sendoff::rate_limit::{Midnight, Phase, Policy, Verdict};

use crate::steps::{hold_ms, window_ms};

pub const DAY_MS: i64 = 86_400_000;

/// The requests of a caller that changed its state, since the first request of the day.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DayLog {
    first: i64,
    /// The time and the cost of each counted call.
    admitted: Vec<(i64, u32)>,
}

impl DayLog {
    fn starting(first: i64) -> Self {
        Self { first, admitted: Vec::new() }
    }

    /// A shorter log with the same future: only the start and the count of the last window matter.
    pub fn summary(&self, policy: &Policy) -> (i64, i64, u32) {
        let start = self.last_start(policy);
        (self.first, start, self.taken(start, policy))
    }

    /// The same log, days earlier or later.
    pub fn shifted(&self, days: i64) -> Self {
        let by = days * DAY_MS;
        let admitted = self.admitted.iter().map(|(at, cost)| (at + by, *cost)).collect();
        Self { first: self.first + by, admitted }
    }

    fn last_start(&self, policy: &Policy) -> i64 {
        self.start_at(self.admitted.last().map_or(self.first, |(at, _)| *at), policy)
    }

    fn start_at(&self, time: i64, policy: &Policy) -> i64 {
        let mut start = self.first;
        while start + window_ms(policy) <= time {
            start += window_ms(policy);
        }
        start
    }

    fn taken(&self, start: i64, policy: &Policy) -> u32 {
        let window = start..start + window_ms(policy);
        self.admitted.iter().filter(|(at, _)| window.contains(at)).map(|(_, cost)| cost).sum()
    }
}

/// Judges one request; a cost of zero means that it does not count. Returns the expected answer of the core.
pub fn request(log: &mut Option<DayLog>, policy: &Policy, now: i64, cost: u32) -> Verdict {
    let length = window_ms(policy);
    let (first, start, phase) = match log {
        None => (now, now, Phase::Anchored),
        Some(log) => {
            let start = log.last_start(policy);
            let carried =
                policy.midnight() == Midnight::Carry && (start..start + length).contains(&now);
            if now >= midnight_after(start, policy) && !carried {
                (now, now, Phase::Anchored)
            } else if now >= start {
                let current = log.start_at(now, policy);
                (log.first, current, if current == start { Phase::Same } else { Phase::Rolled })
            } else if start - now <= hold_ms(policy) {
                (log.first, start, Phase::Held)
            } else {
                (now, now, Phase::SteppedBack)
            }
        }
    };
    let begins_anew = matches!(phase, Phase::Anchored | Phase::SteppedBack);
    let taken = if begins_anew { 0 } else { log.as_ref().unwrap().taken(start, policy) };
    let end = match policy.midnight() {
        Midnight::Truncate => (start + length).min(midnight_after(start, policy)),
        Midnight::Carry => start + length,
    };
    let seconds = u64::try_from((end - now + 999) / 1000).unwrap();
    if taken + cost > policy.limit() {
        return Verdict::Refused { phase, retry_after: seconds.try_into().unwrap() };
    }
    if begins_anew {
        *log = Some(DayLog::starting(first));
    }
    if cost > 0 {
        log.as_mut().unwrap().admitted.push((now.max(start), cost));
    }
    Verdict::Admitted { phase, remaining: policy.limit() - taken - cost, reset_after: seconds }
}

/// The first midnight after a time.
pub fn midnight_after(time: i64, policy: &Policy) -> i64 {
    let since = (time + i64::from(policy.day_offset_minutes()) * 60_000).rem_euclid(DAY_MS);
    time - since + DAY_MS
}
