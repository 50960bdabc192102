//! The records of a caller, replayed in the core in the order of the store.

use std::collections::BTreeMap;

use sendoff::rate_limit::redis::Ask;
use sendoff::rate_limit::{Cost, Midnight, Policy, Window, admit};

use crate::reference::{run, stored};
use crate::trace::{midnight_after, time};

/// The result of one call of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// The script's answer, and the stored value directly after it.
    Answer { ask: Ask, numbers: [i64; 5], stored: Option<String> },
    /// The store did not know the script.
    Unknown,
    /// The key was deleted.
    Deleted,
}

/// The records of a caller.
#[derive(Debug, Default)]
pub struct Heard {
    /// Each with its position among all calls for the caller: the store counts them in the transaction that runs the script.
    pub records: Vec<(u64, Record)>,
    /// The calls whose connection was lost before the answer came.
    pub lost: u64,
}

/// The result of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The maximum number of calls in a window.
    pub limit: u32,
    /// Answers that equal those of the core.
    pub answers: u64,
    /// Calls that were counted.
    pub admitted: u64,
    /// Windows with a counted call.
    pub windows: u64,
    /// Windows with a refused call. Each counted exactly the limit.
    pub full: u64,
    /// The number of times that a caller's windows started again.
    pub anchored: u64,
    /// The number of times that the key was deleted.
    pub deleted: u64,
    /// The number of times that the store did not have the script.
    pub unknown: u64,
    /// The number of answers that were lost in a crash, and the number of those calls that the store had counted.
    pub unheard: (u64, u64),
}

/// A window and its counts.
#[derive(Default)]
struct Counted {
    heard: u32,
    stored: u32,
    refused: bool,
}

/// Replays the records, and fails at the first answer that differs from the core's.
#[must_use]
pub fn replay(policy: &Policy, Heard { mut records, lost }: Heard) -> Replay {
    let mut replay = Replay { limit: policy.limit(), unheard: (lost, 0), ..Replay::default() };
    records.sort_by_key(|(order, _)| *order);

    // The possible states of the store. There are several after calls whose answers were lost.
    let mut states = vec![None];
    let (mut last, mut at) = (0, None);
    let mut windows = BTreeMap::<(u64, i64), Counted>::new();
    for (index, (order, record)) in records.iter().enumerate() {
        assert!(*order > last, "two calls at position {order}");
        let missing = order - last - 1;
        last = *order;
        replay.unheard.1 += missing;
        assert!(replay.unheard.1 <= replay.unheard.0, "more calls were made than sent");
        // Calls whose answers were lost were made until the next answer, whatever stands between.
        let now = records[index..].iter().find_map(answered).or(at);
        for _ in 0..missing {
            states =
                perhaps(policy, &states, at.or(now).unwrap_or_default(), now.unwrap_or_default());
        }
        match record {
            Record::Answer { ask, numbers, stored: value } => {
                at = now;
                let before = states.clone();
                states.retain_mut(|state| {
                    let (found, _, after) = run(policy, *state, *ask, time(numbers[2]));
                    *state = after;
                    found == *numbers && stored(after) == *value
                });
                assert!(
                    !states.is_empty(),
                    "{record:?} is no answer to any of {before:?} under {policy:?}"
                );

                let [phase, granted, _, start, count] = *numbers;
                replay.answers += 1;
                replay.anchored +=
                    u64::from(matches!(phase, 0 | 4) && !matches!(ask, Ask::Peek(_)));
                if !matches!(ask, Ask::Peek(_)) {
                    let window = windows.entry((replay.deleted, start)).or_default();
                    window.heard += granted.max(0) as u32;
                    window.stored = window.stored.max(count as u32);
                    window.refused |=
                        granted < 0 && matches!(ask, Ask::Lease(_) | Ask::Admit(Cost::ONE));
                }
            }
            Record::Deleted => {
                replay.deleted += 1;
                states = vec![None];
            }
            Record::Unknown => replay.unknown += 1,
        }
    }

    let mut unheard = 0;
    for ((_, start), Counted { heard, stored, refused }) in windows {
        assert!(
            heard <= stored && stored <= policy.limit(),
            "{stored} in the window from {start}, {heard} heard"
        );
        assert!(
            !refused || stored == policy.limit(),
            "refused at {stored} in the window from {start}"
        );
        unheard += u64::from(stored - heard);
        replay.admitted += u64::from(heard);
        replay.windows += u64::from(stored > 0);
        replay.full += u64::from(refused);
    }
    assert!(unheard <= replay.unheard.1, "{unheard} calls were counted that nobody made");
    replay
}

/// The time of an answer.
fn answered((_, record): &(u64, Record)) -> Option<i64> {
    if let Record::Answer { numbers, .. } = record { Some(numbers[2]) } else { None }
}

/// The possible states after one more call of cost 1 between two times. It is unknown whether the store had the script.
fn perhaps(policy: &Policy, states: &[Option<Window>], from: i64, to: i64) -> Vec<Option<Window>> {
    let mut all = states.to_vec();
    for state in states {
        for at in ends(policy, *state, from, to) {
            let after = Some(admit(policy, *state, time(at), Cost::ONE).window);
            if !all.contains(&after) {
                all.push(after);
            }
        }
    }
    all
}

/// The times in a range at which a call may meet another window.
fn ends(policy: &Policy, state: Option<Window>, from: i64, to: i64) -> Vec<i64> {
    let Some(window) = state else { return (from..=to).collect() };
    let (start, length) = (window.start().as_ms(), policy.window().as_millis() as i64);
    let midnight = midnight_after(policy, start);
    let rolls = (1..).map(|count| start + count * length).take_while(|end| *end <= to);
    let mut ends: Vec<i64> = rolls.chain([from]).filter(|end| (from..=to).contains(end)).collect();
    // After midnight a window can start at each millisecond.
    let anew =
        if policy.midnight() == Midnight::Carry { midnight.max(start + length) } else { midnight };
    ends.extend(anew.max(from)..=to);
    ends
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The store was killed before it answered a call that began a window, and forgot the script.
    #[test]
    fn a_lost_call_may_have_begun_a_window_before_a_record_without_a_time() {
        let policy = Policy::new(2, Duration::from_secs(1)).expect("a policy");
        let ask = Ask::Admit(Cost::ONE);
        let (first, _, state) = run(&policy, None, ask, time(1_000_000));
        let (_, _, lost) = run(&policy, state, ask, time(1_001_500));
        let (last, _, after) = run(&policy, lost, ask, time(1_001_700));
        let records = vec![
            (1, Record::Answer { ask, numbers: first, stored: stored(state) }),
            (3, Record::Unknown),
            (4, Record::Answer { ask, numbers: last, stored: stored(after) }),
        ];
        let replay = replay(&policy, Heard { records, lost: 1 });
        assert_eq!((replay.answers, replay.unheard), (2, (1, 1)));
    }
}
