//! The parts of a store, and which of them do not answer.

use std::sync::atomic::{AtomicU64, Ordering};

use crc16::{State, XMODEM};

use crate::redis::Address;

/// The parts of a store that are left alone while they do not answer. A server is one part. A cluster's slots are in parts of
/// 64 neighbours, which nearly always have one master, so a lost master concerns the callers in its slots only.
#[derive(Debug)]
pub(crate) struct Parts {
    /// For each part, the tick of the next request to it; 0 while it answers.
    asked_again: Box<[AtomicU64]>,
}

/// How long a part is left alone. A request to it would only delay the caller.
const LEFT_ALONE_MS: u64 = 1_000;

/// How long a part of a cluster counts as lost after it was last asked: its caller may have gone.
const FORGOTTEN_MS: u64 = 60_000;

const SLOTS: usize = 16_384;
const SLOTS_OF_A_PART: usize = 64;

impl Parts {
    pub(crate) fn of(address: &Address) -> Self {
        let count = match address {
            Address::Server(_) | Address::Sentinels { .. } => 1,
            Address::Cluster(_) => SLOTS / SLOTS_OF_A_PART,
        };
        Self { asked_again: std::iter::repeat_with(AtomicU64::default).take(count).collect() }
    }

    /// `true` unless it is a cluster.
    pub(crate) fn is_one(&self) -> bool {
        self.asked_again.len() == 1
    }

    /// `true` if a key's part may be asked at a tick. While it is lost, one request a second asks it, so that the others do
    /// not wait.
    pub(crate) fn may_ask(&self, key: &str, tick: u64) -> bool {
        let Some(part) = self.part(key) else { return true };
        let again = part.load(Ordering::Relaxed);
        let next = tick.saturating_add(LEFT_ALONE_MS);
        again == 0
            || (tick >= again
                && part.compare_exchange(again, next, Ordering::Relaxed, Ordering::Relaxed).is_ok())
    }

    /// Notes that a key's part did not answer. Returns `true` if all parts had answered before.
    pub(crate) fn lost(&self, key: &str, tick: u64) -> bool {
        let were_up = self.are_up(tick);
        if let Some(part) = self.part(key) {
            part.store(tick.saturating_add(LEFT_ALONE_MS), Ordering::Relaxed);
        }
        were_up
    }

    /// Notes that a key's part answered. Returns `true` if it was the last one that had not.
    pub(crate) fn found(&self, key: &str, tick: u64) -> bool {
        let was_lost = self.part(key).is_some_and(|part| part.swap(0, Ordering::Relaxed) != 0);
        was_lost && self.are_up(tick)
    }

    /// `true` if every part answered when it was last asked.
    pub(crate) fn are_up(&self, tick: u64) -> bool {
        let is_cluster = self.asked_again.len() > 1;
        let is_up = |part: &AtomicU64| {
            let again = part.load(Ordering::Relaxed);
            again == 0 || (is_cluster && tick > again.saturating_add(FORGOTTEN_MS))
        };
        self.asked_again.iter().all(is_up)
    }

    fn part(&self, key: &str) -> Option<&AtomicU64> {
        self.asked_again.get(if self.asked_again.len() > 1 {
            slot(key) / SLOTS_OF_A_PART
        } else {
            0
        })
    }
}

/// The slot of a key: of its part in braces.
fn slot(key: &str) -> usize {
    let in_braces = key.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    let hashed = in_braces.map_or(key, |(inside, _)| inside);
    usize::from(State::<XMODEM>::calculate(hashed.as_bytes())) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_redis() {
        // As `CLUSTER KEYSLOT` answers.
        for (key, expected) in [("123456789", 12_739), ("foo", 12_182), ("a{foo}b", 12_182)] {
            assert_eq!(slot(key), expected, "{key}");
        }
    }

    #[test]
    fn a_lost_part_of_a_cluster_leaves_the_others_alone() {
        let cluster = Parts::of(&Address::read("redis+cluster://127.0.0.1").ok().unwrap());
        assert!(cluster.lost("{foo}", 10_000));
        assert!(!cluster.may_ask("{foo}", 10_999) && cluster.may_ask("{123456789}", 10_999));
        assert!(!cluster.lost("{123456789}", 10_999));
        // One request a second.
        assert!(cluster.may_ask("{foo}", 11_000) && !cluster.may_ask("{foo}", 11_000));
        assert!(!cluster.found("{foo}", 11_001) && !cluster.are_up(11_001));
        assert!(cluster.found("{123456789}", 12_000) && cluster.are_up(12_000));
        assert!(!cluster.found("{foo}", 12_001));
        // Nobody asks for it any more.
        assert!(cluster.lost("{foo}", 20_000) && !cluster.are_up(81_000) && cluster.are_up(81_001));
    }

    #[test]
    fn a_lost_server_is_lost_until_it_answers() {
        let server = Parts::of(&Address::read("redis://127.0.0.1").ok().unwrap());
        assert!(server.are_up(0) && server.lost("{foo}", 10_000) && !server.lost("{bar}", 10_001));
        assert!(!server.may_ask("{bar}", 10_500) && !server.are_up(1_000_000));
        assert!(server.found("{bar}", 1_000_001) && server.are_up(1_000_001));
    }
}
