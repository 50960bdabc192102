//! Slots for requests that run. Their number is limited in all, and for a connection, an
//! application, and an address that calls for it, so that neither of them can take the slots of
//! others.

use std::{net::IpAddr, sync::Arc};

use axum::http::HeaderMap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    config::{Bounds, Proxies},
    connection_limits::subscriber,
    shares::{Share, Shares},
};

/// The slots of all environments together.
#[derive(Debug)]
pub(crate) struct Slots {
    most: usize,
    all: Arc<Semaphore>,
    by_application: Arc<Shares<Application>>,
    by_address: Arc<Shares<(Application, IpAddr)>>,
}

/// An environment and an application's name.
type Application = (String, String);

/// The caller's side of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// The other end of the connection.
    end: IpAddr,
    /// The address that has a share of the slots; for IPv6, the first 64 bits.
    address: IpAddr,
    slots: Arc<Semaphore>,
}

/// The slot of a request. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot {
    _in_all: OwnedSemaphorePermit,
    _of_connection: OwnedSemaphorePermit,
    of_application: Option<Share<Application>>,
    of_address: Option<Share<(Application, IpAddr)>>,
}

/// The limit that leaves no slot for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    Total,
    Connection,
    Application,
    Address,
}

impl Full {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Connection => "connection",
            Self::Application => "application",
            Self::Address => "address",
        }
    }
}

impl Peer {
    /// The caller at the end of a connection, with the slots of the connection.
    pub(crate) fn new(end: IpAddr, slots: usize) -> Self {
        Self { end, address: subscriber(end), slots: Arc::new(Semaphore::new(slots)) }
    }

    /// The caller of a request on its connection, whom trusted proxies name in these headers.
    pub(crate) fn behind(&self, proxies: &Proxies, headers: &HeaderMap) -> Self {
        Self { address: subscriber(proxies.caller(self.end, headers)), ..self.clone() }
    }

    /// Its address; for IPv6, the first 64 bits.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }
}

impl Slots {
    pub(crate) fn new(bounds: &Bounds) -> Self {
        Self {
            most: bounds.requests,
            all: Arc::new(Semaphore::new(bounds.requests)),
            by_application: Shares::new(bounds.requests_per_application),
            by_address: Shares::new(bounds.requests_per_address),
        }
    }

    /// Takes a slot for a request of a caller that is not identified yet.
    ///
    /// # Errors
    ///
    /// The limit that is reached.
    pub(crate) fn take(&self, peer: &Peer) -> Result<Slot, Full> {
        let of_connection =
            Arc::clone(&peer.slots).try_acquire_owned().map_err(|_| Full::Connection)?;
        let in_all = Arc::clone(&self.all).try_acquire_owned().map_err(|_| Full::Total)?;
        Ok(Slot {
            _in_all: in_all,
            _of_connection: of_connection,
            of_application: None,
            of_address: None,
        })
    }

    /// Counts a slot for an application and for the address that calls for it.
    ///
    /// # Errors
    ///
    /// The limit that is reached.
    pub(crate) fn share(
        &self,
        slot: &mut Slot,
        environment: &str,
        application: &str,
        peer: &Peer,
    ) -> Result<(), Full> {
        let application = (environment.to_owned(), application.to_owned());
        slot.of_address =
            Some(self.by_address.take((application.clone(), peer.address)).ok_or(Full::Address)?);
        slot.of_application = Some(self.by_application.take(application).ok_or(Full::Application)?);
        Ok(())
    }

    /// The number of slots in use.
    pub(crate) fn held(&self) -> usize {
        self.most.saturating_sub(self.all.available_permits())
    }

    /// Waits until all slots are free.
    pub(crate) async fn are_free(&self) {
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        drop(self.all.acquire_many(all).await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_limited_in_all_and_by_share() {
        let bounds = Bounds {
            requests: 4,
            requests_per_application: 3,
            requests_per_address: 2,
            requests_per_connection: 2,
            ..Bounds::default()
        };

        let slots = Slots::new(&bounds);
        let peer = |last: u8| Peer::new([192, 0, 2, last].into(), bounds.requests_per_connection);
        let enter = |peer: &Peer, application: &str| {
            let mut slot = slots.take(peer)?;
            slots.share(&mut slot, "sandbox", application, peer).map(|()| slot)
        };
        let (one, other, third) = (peer(1), peer(2), peer(3));
        let first = enter(&one, "shop").unwrap();
        let _second = enter(&one, "shop").unwrap();

        assert_eq!(enter(&one, "shop").unwrap_err(), Full::Connection);
        // Another connection from the same address, for the same application and for another one.
        assert_eq!(enter(&peer(1), "shop").unwrap_err(), Full::Address);

        let game = enter(&peer(1), "game").unwrap();
        let _third = enter(&other, "shop").unwrap();

        assert_eq!((enter(&third, "game").unwrap_err(), slots.held()), (Full::Total, 4));
        drop(game);
        assert_eq!(enter(&third, "shop").unwrap_err(), Full::Application);
        drop(first);
        assert!(enter(&third, "shop").is_ok());

        assert_eq!((slots.held(), slots.by_application.keys(), slots.by_address.keys()), (2, 1, 2));
    }
}
