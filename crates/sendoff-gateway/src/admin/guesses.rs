//! Limits on guessing the credential of an admin.

use std::{
    net::IpAddr,
    num::NonZeroU64,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use sendoff::rate_limit::{Cost, Policy, RateLimiter, Verdict};

use crate::{
    config::{Admin, Digest},
    limits::windows::now,
};

/// How many wrong credentials an address may send in a minute. After more, every credential of that address is refused for a
/// minute, a right one too.
const MOST: u32 = 10;
const WINDOW: Duration = Duration::from_secs(60);

/// The most addresses that are remembered.
const ADDRESSES: usize = 65_536;

/// The wrong credentials of the last minute, by address.
#[derive(Debug)]
pub(crate) struct Guesses(Mutex<Option<RateLimiter>>);

impl Guesses {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Policy::new(MOST, WINDOW).ok().map(RateLimiter::new)))
    }

    /// The seconds that an address has to wait, if it guessed too often.
    pub(crate) fn wait(&self, address: IpAddr) -> Option<NonZeroU64> {
        let guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match guesses.as_ref()?.peek(&address.to_string(), now(), Cost::ONE) {
            Verdict::Admitted { .. } => None,
            Verdict::Refused { retry_after, .. } => Some(retry_after),
        }
    }

    /// Counts a wrong credential.
    pub(crate) fn count(&self, address: IpAddr) {
        let mut guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(limiter) = guesses.as_mut() else { return };
        if limiter.len() >= ADDRESSES {
            *limiter = RateLimiter::new(*limiter.policy());
        }
        let _counted = limiter.admit(&address.to_string(), now(), Cost::ONE);
    }
}

/// The admin with this token. A right token and a wrong one take the same time: every digest is compared to its end.
pub(crate) fn find<'a>(admins: &'a [Admin], token: &str) -> Option<&'a Admin> {
    let digest = Digest::of(token);
    admins.iter().fold(
        None,
        |found, admin| if admin.token.digest.is_same(&digest) { Some(admin) } else { found },
    )
}
