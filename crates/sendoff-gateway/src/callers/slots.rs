//! Slots for requests that run. Their number is limited in all, for an application, and for a user
//! of it, so that none of them can take the slots of others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use sendoff::value::Address;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::Bounds;
use crate::limits::store::lock;

/// The slots of all environments together.
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
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum User {
    /// The user of a wallet.
    Known(Address),
    /// Somebody at an address for whom another server is asked.
    Stranger(IpAddr),
}

/// The slot of a request. Dropping it frees the slot.
pub(crate) struct Slot {
    _in_all: OwnedSemaphorePermit,
    held: Arc<Held>,
    /// Those for whom it counts.
    holders: Vec<Holder>,
}

impl Slot {
    /// Counts it for a holder, if that has fewer than this many.
    fn count(&mut self, holder: Holder, most: usize) -> bool {
        let mut all = lock(&self.held);
        let count = all.entry(holder.clone()).or_default();
        if *count >= most {
            return false;
        }
        *count = count.saturating_add(1);
        self.holders.push(holder);
        true
    }

    /// Counts it for nobody any more.
    fn release(&mut self) {
        let mut all = lock(&self.held);
        for holder in self.holders.drain(..) {
            match all.get_mut(&holder) {
                Some(count) if *count > 1 => *count = count.saturating_sub(1),
                _ => drop(all.remove(&holder)),
            }
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.release();
    }
}

/// The limit that leaves no slot for a request.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
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
        Ok(Slot { _in_all: in_all, held: Arc::clone(&self.held), holders: Vec::new() })
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
        slot.release();
        if user.is_some() {
            // Questions about made-up tokens have a smaller part.
            let is_stranger = matches!(user, Some(User::Stranger(_)));
            let most = if is_stranger { self.of_user.div_ceil(2) } else { self.of_user };
            if !slot.count(holder(user), most) {
                return Err(Full::User);
            }
        }
        let is_counted = slot.count(holder(None), self.of_application);
        is_counted.then_some(()).ok_or(Full::Application)
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
