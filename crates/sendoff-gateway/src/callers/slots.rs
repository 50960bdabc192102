//! Slots for requests that run. Their number is limited in all, for an application, and for a user
//! of it, so that none of them can take the slots of others.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, Weak};

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
    /// Those of each holder, as long as it has one.
    shares: Mutex<HashMap<Holder, Weak<Semaphore>>>,
}

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
    /// Those of a user and of an application.
    shares: Vec<OwnedSemaphorePermit>,
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
            shares: Mutex::default(),
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

    /// Takes a slot for a holder, if that has fewer than this many.
    fn take_for(&self, holder: Holder, most: usize) -> Option<OwnedSemaphorePermit> {
        let mut shares = lock(&self.shares);
        // Before it grows, holders without a slot are forgotten: it has at most twice as many as once had one together.
        if shares.len() == shares.capacity() {
            shares.retain(|_, share| share.strong_count() > 0);
            let taken = shares.len();
            shares.reserve(taken);
        }
        let share = shares.entry(holder).or_default();
        let slots = share.upgrade().unwrap_or_else(|| Arc::new(Semaphore::new(most)));
        *share = Arc::downgrade(&slots);
        slots.try_acquire_owned().ok()
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
        slot.shares.clear();
        if user.is_some() {
            // Questions about made-up tokens have a smaller part.
            let is_stranger = matches!(user, Some(User::Stranger(_)));
            let most = if is_stranger { self.of_user.div_ceil(2) } else { self.of_user };
            slot.shares.push(self.take_for(holder(user), most).ok_or(Full::User)?);
        }
        let share = self.take_for(holder(None), self.of_application);
        slot.shares.push(share.ok_or(Full::Application)?);
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
