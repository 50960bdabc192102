//! Slots for requests that run. Their number is limited in all, for an application, and for a user
//! of it, so that none of them can take the slots of others.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use axum::http::HeaderMap;
use sendoff::value::Address;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    config::{Bounds, Proxies},
    shares::{Share, Shares},
};

/// The slots of all environments together.
#[derive(Debug)]
pub(crate) struct Slots {
    most: usize,
    of_application: usize,
    of_user: usize,
    all: Arc<Semaphore>,
    shares: Arc<Shares<Holder>>,
}

/// Who holds slots: an environment, an application's name, and a user of it, or all of them.
type Holder = (String, String, Option<User>);

/// Who calls for an application.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum User {
    /// The user of a wallet.
    Known(Address),
    /// Somebody at an address who reads a page.
    Reader(IpAddr),
    /// Somebody at an address for whom another server is asked.
    Stranger(IpAddr),
}

/// The caller's side of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer {
    /// The other end of the connection.
    end: IpAddr,
    /// The address of the caller, whom trusted proxies name.
    address: IpAddr,
}

/// The slot of a request. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot {
    _in_all: OwnedSemaphorePermit,
    of_application: Option<Share<Holder>>,
    of_user: Option<Share<Holder>>,
}

/// The limit that leaves no slot for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    Total,
    Application,
    User,
}

impl Full {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Application => "application",
            Self::User => "user",
        }
    }
}

impl Peer {
    /// The caller at the end of a connection.
    pub(crate) fn new(end: IpAddr) -> Self {
        Self { end, address: subscriber(end) }
    }

    /// The caller of a request on its connection, whom trusted proxies name in these headers.
    pub(crate) fn behind(self, proxies: &Proxies, headers: &HeaderMap) -> Self {
        Self { address: subscriber(proxies.caller(self.end, headers)), ..self }
    }

    /// Its address; for IPv6, the first 64 bits.
    pub(crate) fn address(&self) -> IpAddr {
        self.address
    }
}

/// The addresses of one subscriber: an IPv4 address, or a /64 network of IPv6.
fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

impl Slots {
    pub(crate) fn new(bounds: &Bounds) -> Self {
        Self {
            most: bounds.requests,
            all: Arc::new(Semaphore::new(bounds.requests)),
            of_application: bounds.per_application(),
            of_user: bounds.per_user(),
            shares: Shares::new(),
        }
    }

    /// Takes a slot for a request of a caller that is not identified yet.
    ///
    /// # Errors
    ///
    /// If the limit of all is reached.
    pub(crate) fn take(&self) -> Result<Slot, Full> {
        let in_all = Arc::clone(&self.all).try_acquire_owned().map_err(|_| Full::Total)?;
        Ok(Slot { _in_all: in_all, of_application: None, of_user: None })
    }

    /// Counts a slot for an application, and for a user of it.
    ///
    /// # Errors
    ///
    /// The limit that is reached.
    pub(crate) fn share(
        &self,
        slot: &mut Slot,
        environment: &str,
        application: &str,
        user: Option<User>,
    ) -> Result<(), Full> {
        let holder = |user| (environment.to_owned(), application.to_owned(), user);
        // A share that it had before, as a stranger, is free from now on.
        (slot.of_user, slot.of_application) = (None, None);
        if user.is_some() {
            // Questions about made-up tokens have a smaller part.
            let is_stranger = matches!(user, Some(User::Stranger(_)));
            let most = if is_stranger { self.of_user.div_ceil(2) } else { self.of_user };
            slot.of_user = Some(self.shares.take(holder(user), most).ok_or(Full::User)?);
        }
        let share = self.shares.take(holder(None), self.of_application);
        slot.of_application = Some(share.ok_or(Full::Application)?);
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
            requests: 5,
            requests_per_application: Some(3),
            requests_per_user: Some(2),
            ..Bounds::default()
        };

        let slots = Slots::new(&bounds);
        let enter = |application: &str, last: u8| {
            let mut slot = slots.take()?;
            let user = User::Reader([192, 0, 2, last].into());
            slots.share(&mut slot, "sandbox", application, Some(user)).map(|()| slot)
        };
        let first = enter("shop", 1).unwrap();
        let _second = enter("shop", 1).unwrap();
        assert_eq!(enter("shop", 1).unwrap_err(), Full::User);

        let _third = enter("shop", 2).unwrap();
        assert_eq!(enter("shop", 2).unwrap_err(), Full::Application);
        // The same user of another application.
        let game = enter("game", 1).unwrap();
        let _fifth = enter("game", 2).unwrap();
        assert_eq!((enter("game", 3).unwrap_err(), slots.held()), (Full::Total, 5));

        drop((first, game));
        let mut again = enter("shop", 2).unwrap();
        // Who is identified gives the share of a stranger back.
        slots.share(&mut again, "sandbox", "game", None).unwrap();
        assert_eq!((slots.held(), slots.shares.keys()), (4, 5));
    }
}
