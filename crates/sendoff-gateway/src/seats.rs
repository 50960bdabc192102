//! Which connection is closed for another one when their limit is reached.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::sync::Notify;

use crate::activity::Activity;

/// The connections that hold permits, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Seats {
    next: AtomicU64,
    taken: Mutex<BTreeMap<u64, Arc<Seat>>>,
}

/// A connection that holds a permit.
#[derive(Debug)]
pub(crate) struct Seat {
    number: u64,
    /// The subscriber that it counts for; `None` for a trusted proxy.
    address: Option<IpAddr>,
    pub(crate) activity: Activity,
    leave: Notify,
}

impl Seats {
    pub(crate) fn enter(&self, address: Option<IpAddr>) -> Arc<Seat> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let seat =
            Arc::new(Seat { number, address, activity: Activity::default(), leave: Notify::new() });
        self.taken().insert(number, Arc::clone(&seat));
        seat
    }

    pub(crate) fn leave(&self, seat: &Seat) {
        self.taken().remove(&seat.number);
    }

    /// Asks a connection to leave for another one from this address, and returns whether one does: of the connections that only
    /// wait, the oldest of the address that holds most, if it holds at least two more than the other.
    pub(crate) fn make_room(&self, address: Option<IpAddr>) -> bool {
        let mut taken = self.taken();
        let mut held = HashMap::<IpAddr, usize>::new();
        for address in taken.values().filter_map(|seat| seat.address) {
            let held = held.entry(address).or_default();
            *held = held.saturating_add(1);
        }
        let of = |address: Option<IpAddr>| {
            address.and_then(|address| held.get(&address)).copied().unwrap_or_default()
        };

        let waiting = taken.values().filter(|seat| seat.activity.only_waits());
        let chosen = waiting.max_by_key(|seat| (of(seat.address), Reverse(seat.number)));
        let leaves = chosen
            .filter(|seat| of(seat.address) >= of(address).saturating_add(2))
            .map(|seat| seat.number);
        let Some(seat) = leaves.and_then(|number| taken.remove(&number)) else { return false };
        seat.leave.notify_one();
        true
    }

    fn taken(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Seat>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    /// Waits until the connection has to leave.
    pub(crate) async fn has_to_leave(&self) {
        self.leave.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_that_waits_of_the_address_that_holds_most_leaves() {
        let seats = Seats::default();
        let (one, two): (IpAddr, IpAddr) = ([192, 0, 2, 1].into(), [192, 0, 2, 2].into());
        let (busy, old, _young) =
            (seats.enter(Some(one)), seats.enter(Some(one)), seats.enter(Some(one)));
        let _proxy = [(); 9].map(|()| seats.enter(None));
        let _running = busy.activity.begin();
        assert!(seats.make_room(Some(two)));
        assert!(!seats.taken().contains_key(&old.number));
        // Two of one address are as good as one of another.
        let _other = seats.enter(Some(two));
        assert!(!seats.make_room(Some(two)));
        assert!(seats.make_room(None));
        // The one that is left runs a request.
        assert!(!seats.make_room(None));
    }
}
