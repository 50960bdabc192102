//! Slots for requests that run. Their number is limited in all, for an application, and for a user
//! of it, so that none of them can take the slots of others.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex},
};

use sendoff::value::Address;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{config::Bounds, limits::store::lock};

/// The slots of all environments together.
#[derive(Debug)]
pub(crate) struct Slots {
    most: usize,
    of_application: usize,
    of_user: usize,
    all: Arc<Semaphore>,
    held: Arc<Held>,
}

/// How many slots each holder has. Holders without a slot take no memory.
type Held = Mutex<HashMap<Holder, usize>>;

/// Who holds slots: an environment, an application's name, and a user of it, or all of them.
type Holder = (String, String, Option<User>);

/// Who calls for an application.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum User {
    /// The user of a wallet.
    Known(Address),
    /// Somebody at an address for whom another server is asked.
    Stranger(IpAddr),
}

/// The slot of a request. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot {
    _in_all: OwnedSemaphorePermit,
    shares: Vec<Share>,
}

/// The slot as one of its holder.
#[derive(Debug)]
struct Share {
    held: Arc<Held>,
    holder: Holder,
}

impl Share {
    /// Counts a slot for a holder; `None` if it has this many already.
    fn take(held: &Arc<Held>, holder: Holder, most: usize) -> Option<Self> {
        let mut all = lock(held);
        let count = all.get(&holder).copied().unwrap_or_default();
        if count >= most {
            return None;
        }
        all.insert(holder.clone(), count.saturating_add(1));
        Some(Self { held: Arc::clone(held), holder })
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut all = lock(&self.held);
        match all.get_mut(&self.holder) {
            Some(count) if *count > 1 => *count = count.saturating_sub(1),
            _ => drop(all.remove(&self.holder)),
        }
    }
}

/// The limit that leaves no slot for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Full {
    Total,
    Application,
    User,
}

impl Slots {
    pub(crate) fn new(bounds: &Bounds) -> Self {
        Self {
            most: bounds.requests,
            all: Arc::new(Semaphore::new(bounds.requests)),
            of_application: bounds.per_application(),
            of_user: bounds.per_user(),
            held: Arc::default(),
        }
    }

    /// Takes a slot for a request of a caller that is not identified yet.
    ///
    /// # Errors
    ///
    /// If the limit of all is reached.
    pub(crate) fn take(&self) -> Result<Slot, Full> {
        let in_all = Arc::clone(&self.all).try_acquire_owned().map_err(|_| Full::Total)?;
        Ok(Slot { _in_all: in_all, shares: Vec::new() })
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
        let take = |user, most| Share::take(&self.held, holder(user), most);
        // A share that it had before, as a stranger, is free from now on.
        slot.shares.clear();
        if user.is_some() {
            // Questions about made-up tokens have a smaller part.
            let is_stranger = matches!(user, Some(User::Stranger(_)));
            let most = if is_stranger { self.of_user.div_ceil(2) } else { self.of_user };
            slot.shares.push(take(user, most).ok_or(Full::User)?);
        }
        slot.shares.push(take(None, self.of_application).ok_or(Full::Application)?);
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
