//! The rate windows of an application. They outlive a change of it, which forgets no call.

use std::{
    num::NonZeroU64,
    sync::{Arc, Mutex},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use arc_swap::ArcSwap;
use sendoff::{
    error::Error,
    rate_limit::{Cost, Phase, Policy, RateLimiter, SharedLimiter, Time, Verdict},
};

use crate::{
    config::OnStoreLoss,
    store::{Store, StoreLost, lock},
};

/// The rate windows of an application.
#[derive(Debug)]
pub(crate) struct Windows {
    memory: Mutex<RateLimiter>,
    /// If it is there, the windows in memory are used only while the store is lost.
    shared: Option<Shared>,
}

/// Windows in a store.
#[derive(Debug)]
struct Shared {
    /// A request ends with the limiter that it began with.
    limiter: ArcSwap<Mutex<SharedLimiter>>,
    store: Arc<Store>,
    /// The verdict on the last call of this process, and when it came.
    last: Mutex<Option<(Instant, Verdict)>>,
}

impl Windows {
    /// # Errors
    ///
    /// As [`Store::limiter`].
    pub(crate) fn new(policy: Policy, store: Option<&Arc<Store>>) -> Result<Self, Error> {
        let shared = |store: &Arc<Store>| {
            let limiter = ArcSwap::new(store.limiter(policy)?);
            Ok::<_, Error>(Shared { limiter, store: Arc::clone(store), last: Mutex::default() })
        };
        Ok(Self {
            memory: Mutex::new(RateLimiter::new(policy)),
            shared: store.map(shared).transpose()?,
        })
    }

    /// `true` if they are in a store.
    pub(crate) fn are_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Changes the policy. Running windows keep their counts; in a store, if their length and their day stay the same.
    ///
    /// # Errors
    ///
    /// As [`Store::limiter`].
    pub(crate) fn adopt(&self, policy: Policy) -> Result<(), Error> {
        let mut memory = lock(&self.memory);
        if *memory.policy() == policy {
            return Ok(());
        }
        if let Some(Shared { limiter, store, .. }) = &self.shared {
            limiter.store(store.limiter(policy)?);
        }
        *memory = RateLimiter::restore(policy, memory.snapshot());
        Ok(())
    }

    /// A call that counts: its verdict, and the policy of the verdict.
    pub(crate) async fn admit(&self, scope: &str) -> Result<(Policy, Verdict), StoreLost> {
        let lost = match &self.shared {
            None => None,
            Some(Shared { limiter, store, last }) => {
                let limiter = limiter.load_full();
                match store.admit(&limiter, scope).await {
                    Ok(verdict) => {
                        *lock(last) = Some((Instant::now(), verdict));
                        return Ok((*lock(&limiter).policy(), verdict));
                    }
                    Err(StoreLost) => Some(store.on_loss()),
                }
            }
        };
        match lost {
            None | Some(OnStoreLoss::Local) => {
                let mut memory = lock(&self.memory);
                let verdict = memory.admit(scope, now(), Cost::ONE);
                Ok((*memory.policy(), verdict))
            }
            Some(OnStoreLoss::Refuse) => Err(StoreLost),
        }
    }

    /// What the next call would be told. A store only counts: with one, what the last call of this process was told, as long
    /// as that window runs.
    pub(crate) fn peek(&self, scope: &str) -> Option<Verdict> {
        let Some(shared) = &self.shared else {
            return Some(lock(&self.memory).peek(scope, now(), Cost::ONE));
        };
        let (told, verdict) = (*lock(&shared.last))?;
        let seconds = match verdict {
            Verdict::Admitted { reset_after, .. } => reset_after,
            Verdict::Refused { retry_after, .. } => retry_after.get(),
        };
        let elapsed = told.elapsed().as_secs();
        let left = seconds.checked_sub(elapsed).and_then(NonZeroU64::new)?;
        let phase = Phase::Same;

        Some(match verdict {
            Verdict::Admitted { remaining: left_over @ 1.., .. } => Verdict::Admitted {
                phase,
                remaining: left_over.saturating_sub(1),
                reset_after: left.get(),
            },
            Verdict::Admitted { .. } | Verdict::Refused { .. } => {
                Verdict::Refused { phase, retry_after: left }
            }
        })
    }

    /// A request that does not count. It can only start the day's first window. While the store is lost, the process keeps
    /// the start in memory, and refuses nobody.
    pub(crate) async fn touch(&self, scope: &str) {
        let known = match &self.shared {
            None => false,
            Some(Shared { limiter, store, .. }) => {
                store.touch(&limiter.load_full(), scope).await.is_ok()
            }
        };
        if !known {
            lock(&self.memory).touch(scope, now());
        }
    }
}

/// The time of the machine.
pub(crate) fn now() -> Time {
    time_of(SystemTime::now())
}

/// A time in milliseconds, clamped to the time range of ECMAScript.
fn time_of(clock: SystemTime) -> Time {
    let ms = match clock.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => {
            i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX).saturating_neg()
        }
    };
    Time::from_ms(ms).unwrap_or(if ms.is_negative() { Time::MIN } else { Time::MAX })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn clocks_outside_the_range_are_clamped() {
        let last = Duration::from_millis(8_640_000_000_000_000);
        let more = last + Duration::from_millis(1);
        for (clock, ms) in [
            (UNIX_EPOCH, 0),
            (UNIX_EPOCH + Duration::from_micros(1_999), 1),
            (UNIX_EPOCH - Duration::from_millis(1), -1),
            (UNIX_EPOCH + last, 8_640_000_000_000_000),
            (UNIX_EPOCH + more, 8_640_000_000_000_000),
            (UNIX_EPOCH - last, -8_640_000_000_000_000),
            (UNIX_EPOCH - more, -8_640_000_000_000_000),
        ] {
            assert_eq!(time_of(clock), Time::from_ms(ms).unwrap(), "{clock:?}");
        }
    }
}
