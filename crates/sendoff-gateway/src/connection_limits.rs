//! Limits of connections: in all, for one address, and for the admin address.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::sync::watch;

use crate::{
    config::Bounds,
    seats::{Seat, Seats},
    shares::{Share, Shares},
};

/// The limits of connections of one listener: in all, and for one address.
#[derive(Debug)]
pub(crate) struct ConnectionLimits {
    most: usize,
    by_address: Arc<Shares<IpAddr>>,
    held: watch::Sender<usize>,
    seats: Seats,
}

/// The permit of one connection. Dropping it frees the permit.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    limits: Arc<ConnectionLimits>,
    seat: Arc<Seat>,
    _of_address: Option<Share<IpAddr>>,
}

/// The limit that a connection would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    Total,
    Address,
}

impl Full {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Address => "address",
        }
    }
}

impl ConnectionLimits {
    pub(crate) fn new(most: usize, most_per_address: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            by_address: Shares::new(most_per_address),
            held: watch::Sender::new(0),
            seats: Seats::default(),
        })
    }

    /// Takes a permit for a connection from an address. IPv6 addresses with the same first 64 bits count as one address. A
    /// trusted proxy has connections for many callers, so it has no share. If no permit is free, a connection that only waits
    /// may have to leave ([`Seats::make_room`]); until it has, one permit more is held.
    ///
    /// # Errors
    ///
    /// The limit that is reached.
    pub(crate) fn take(
        self: &Arc<Self>,
        address: IpAddr,
        is_proxy: bool,
    ) -> Result<ConnectionPermit, Full> {
        let address = (!is_proxy).then(|| subscriber(address));
        let of_address = address
            .map(|address| self.by_address.take(address).ok_or(Full::Address))
            .transpose()?;
        let is_free = self.held.send_if_modified(|held| {
            let is_free = *held < self.most || self.seats.make_room(address);
            *held = held.saturating_add(is_free.into());
            is_free
        });
        if !is_free {
            return Err(Full::Total);
        }
        Ok(ConnectionPermit {
            limits: Arc::clone(self),
            seat: self.seats.enter(address),
            _of_address: of_address,
        })
    }

    /// The number of permits in use.
    pub(crate) fn held(&self) -> usize {
        *self.held.borrow()
    }

    /// Waits until all permits are free.
    pub(crate) async fn are_free(&self) {
        let mut held = self.held.subscribe();
        drop(held.wait_for(|held| *held == 0).await);
    }
}

impl ConnectionPermit {
    /// The connection with this permit.
    pub(crate) fn seat(&self) -> Arc<Seat> {
        Arc::clone(&self.seat)
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.limits.seats.leave(&self.seat);
        self.limits.held.send_modify(|held| *held = held.saturating_sub(1));
    }
}

/// The addresses of one subscriber: an IPv4 address, or a /64 network of IPv6.
pub(crate) fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

/// The maximum number of simultaneous connections to the admin address.
pub(crate) const ADMIN: usize = 16;

/// The maximum number of idle connections to one backend or bundler.
pub(crate) const IDLE_PER_HOST: usize = 32;

/// File descriptors for everything else: standard streams, listeners, the store, the runtime, DNS lookups, the admin address.
const RESERVED: usize = 64;

/// File descriptors for one connection and one request.
const LEAST: usize = 2;

/// Adapts the bounds to the file descriptors that this process may open. Each connection and each request needs one. Raises
/// the soft limit if that is enough. Otherwise lowers the bounds, so that descriptors remain for the admin address and the
/// store.
///
/// # Errors
///
/// A sentence if there are too few for one connection.
pub(crate) fn fit_descriptors(bounds: &mut Bounds, hosts: usize) -> Result<(), String> {
    let reserved = IDLE_PER_HOST.saturating_mul(hosts).saturating_add(RESERVED);
    let wanted = bounds.connections.saturating_add(bounds.requests).saturating_add(reserved);
    let Some(allowed) = raise(wanted) else { return Ok(()) };

    if allowed >= wanted {
        return Ok(());
    }

    let shared = allowed.saturating_sub(reserved);
    let both = bounds.connections.saturating_add(bounds.requests).max(1);

    if shared < LEAST {
        return Err(format!(
            "expected at least {} file descriptors, found {allowed}",
            reserved.saturating_add(LEAST)
        ));
    }

    // The part of a bound far below the other would be rounded down to 0.
    let part = |of: usize| of.saturating_mul(shared).checked_div(both).unwrap_or_default().max(1);
    let (connections, requests) = (part(bounds.connections), part(bounds.requests));
    let connections_per_address = part(bounds.connections_per_address);

    bounds.connections = connections;
    bounds.requests = requests;
    bounds.connections_per_address = connections_per_address;

    for share in [
        &mut bounds.requests_per_application,
        &mut bounds.requests_per_address,
        &mut bounds.requests_per_connection,
    ] {
        *share = part(*share);
    }

    tracing::warn!(
        allowed,
        wanted,
        connections,
        connections_per_address,
        requests,
        "too few file descriptors (ulimit -n): bounds are lowered"
    );
    Ok(())
}

/// Raises the soft limit of descriptors towards `wanted`, and returns what it is then; `None` if there is no limit.
fn raise(wanted: usize) -> Option<usize> {
    let limit = getrlimit(Resource::Nofile);
    let count = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
    let current = count(limit.current?);
    if current >= wanted {
        return Some(current);
    }
    let goal = limit.maximum.map_or(wanted, |maximum| wanted.min(count(maximum)));
    let raised = Rlimit { current: u64::try_from(goal).ok(), maximum: limit.maximum };
    Some(if setrlimit(Resource::Nofile, raised).is_ok() { goal } else { current })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_limited_for_an_address_and_in_all() {
        let limits = ConnectionLimits::new(3, 2);
        let take = |text: &str| limits.take(text.parse().unwrap(), false);
        // Connections with a request are not closed for others.
        let at = |text: &str| take(text).map(|permit| (permit.seat().activity.begin(), permit));
        let full = |text: &str| take(text).unwrap_err();

        let (one, _two) = (at("192.0.2.1").unwrap(), at("::ffff:192.0.2.1").unwrap());
        assert_eq!(full("192.0.2.1"), Full::Address);
        let three = at("2001:db8::1").unwrap();
        assert_eq!((full("192.0.2.2"), limits.held()), (Full::Total, 3));
        drop(one);
        let _four = at("2001:db8::ffff:1").unwrap();
        drop(three);
        assert_eq!(take("192.0.2.1").map(drop), Ok(()));
        assert_eq!(limits.held(), 2);
        let _five = at("2001:db8::2").unwrap();
        assert_eq!(full("2001:db8::3"), Full::Address);
        assert_eq!(full("2001:db8:0:1::3"), Full::Total);
    }

    #[tokio::test]
    async fn a_permit_that_only_waits_is_left_to_another_address() {
        let limits = ConnectionLimits::new(2, 2);
        let take = |last: u8| limits.take([192, 0, 2, last].into(), false);
        let (one, _two) = (take(1).unwrap(), take(1).unwrap());
        let _three = take(2).unwrap();
        one.seat().has_to_leave().await;
        drop(one);
        assert_eq!((take(3).unwrap_err(), limits.held()), (Full::Total, 2));
    }

    #[test]
    fn a_proxy_has_no_share() {
        let limits = ConnectionLimits::new(3, 1);
        let take = |is_proxy| limits.take([192, 0, 2, 1].into(), is_proxy);
        let (_one, _two, _three) = (take(true).unwrap(), take(true).unwrap(), take(false).unwrap());
        assert_eq!(
            (take(false).unwrap_err(), take(true).unwrap_err()),
            (Full::Address, Full::Total)
        );
    }

    #[test]
    fn a_freed_permit_is_one_permit() {
        let limits = ConnectionLimits::new(9, 2);
        let take = || limits.take([192, 0, 2, 1].into(), false);
        let (one, two) = (take().unwrap(), take().unwrap());
        drop(one);
        let three = take().unwrap();
        assert_eq!((take().unwrap_err(), limits.held()), (Full::Address, 2));
        drop((two, three));
        // An address without a connection takes no memory.
        assert_eq!((limits.held(), limits.by_address.keys()), (0, 0));
    }
}
