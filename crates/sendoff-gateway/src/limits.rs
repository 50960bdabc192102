//! Rate limits of callers.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use sendoff::{
    error::Error,
    rate_limit::{Cost, Policy, RateLimiter, SharedLimiter, Step, Time, Verdict, redis::RedisAnswer},
};

use crate::{
    config::{OnStoreLoss, RedisStore},
    redis::{Fault, Redis},
};

/// The rate windows of an environment.
#[derive(Debug)]
pub(crate) struct Limits {
    memory: Mutex<RateLimiter>,
    /// If it is there, the windows in memory are used only while the store is lost.
    shared: Option<Shared>,
}

/// Windows in a store.
#[derive(Debug)]
struct Shared {
    limiter: Mutex<SharedLimiter>,
    redis: Redis,
    on_loss: OnStoreLoss,
    /// The start of this process's ticks.
    epoch: Instant,
    /// The tick of the next request to a lost store; 0 while the store answers.
    asked_again: AtomicU64,
}

/// The store does not answer, and `on_store_loss` is `refuse`.
#[derive(Debug)]
pub(crate) struct StoreLost;

/// How long a lost store is left alone. A request to it would only delay the caller.
const LEFT_ALONE_MS: u64 = 1_000;

/// How often a request is sent again if the store answers late. The first answer contains the time of the store's clock.
const TRIES: usize = 3;

impl Limits {
    pub(crate) fn in_memory(policy: Policy) -> Self {
        Self { memory: Mutex::new(RateLimiter::new(policy)), shared: None }
    }

    pub(crate) fn shared(policy: Policy, environment: &str, store: &RedisStore, redis: Redis) -> Result<Self, Error> {
        let limiter = SharedLimiter::new(policy, environment, store.secret.as_bytes())?;
        let limiter = match store.batch(&policy) {
            Some(batch) => limiter.with_lease(batch),
            None => limiter,
        };
        let (limiter, on_loss, epoch) = (Mutex::new(limiter), store.on_loss, Instant::now());
        let shared = Shared { limiter, redis, on_loss, epoch, asked_again: AtomicU64::new(0) };
        Ok(Self { shared: Some(shared), ..Self::in_memory(policy) })
    }

    pub(crate) fn policy(&self) -> Policy {
        *lock(&self.memory).policy()
    }

    /// Whether the store answered when it was last asked; `None` if there is no store.
    pub(crate) fn is_store_up(&self) -> Option<bool> {
        self.shared.as_ref().map(|shared| shared.asked_again.load(Ordering::Relaxed) == 0)
    }

    /// A call that counts.
    pub(crate) async fn admit(&self, scope: &str) -> Result<Verdict, StoreLost> {
        let lost = match &self.shared {
            None => None,
            Some(shared) => match shared.ask(scope, Kind::Call).await {
                Ok(Some(verdict)) => return Ok(verdict),
                Ok(None) | Err(StoreLost) => Some(shared.on_loss),
            },
        };
        match lost {
            None | Some(OnStoreLoss::Local) => Ok(lock(&self.memory).admit(scope, now(), Cost::ONE)),
            Some(OnStoreLoss::Refuse) => Err(StoreLost),
        }
    }

    /// A request that does not count. It can only start the day's first window. While the store is lost, the process keeps
    /// the start in memory, and refuses nobody.
    pub(crate) async fn touch(&self, scope: &str) {
        let known = match &self.shared {
            None => false,
            Some(shared) => shared.ask(scope, Kind::Touch).await.is_ok(),
        };
        if !known {
            lock(&self.memory).touch(scope, now());
        }
    }
}

/// The effect of a request on the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A call that counts.
    Call,
    /// A request that can only start the day's first window.
    Touch,
}

/// The store's answer to a request.
enum Heard {
    /// Its verdict on a call; `None` for a touch.
    InTime(Option<Verdict>),
    /// The deadline of a call had passed by the store's clock. The window did not change.
    Late,
}

impl Shared {
    async fn ask(&self, scope: &str, kind: Kind) -> Result<Option<Verdict>, StoreLost> {
        let until = Instant::now().checked_add(self.redis.timeout()).ok_or(StoreLost)?;
        for _ in 0..TRIES {
            let sent = self.tick_of(Instant::now());
            let Some(request) = self.next(scope, kind, sent, until)? else { return Err(StoreLost) };
            let request = match request {
                Step::Known(verdict) => return Ok(verdict),
                Step::Ask(request) => request,
            };
            let answer = self.redis.run(&request, until).await;
            let came = self.tick_of(Instant::now());
            if let Err(Fault::Store(why)) = &answer {
                self.lost(why, came);
                return Err(StoreLost);
            }
            self.found();
            let heard = match answer {
                Ok(numbers) => self.hear(scope, kind, &numbers, sent, came).map_err(|error| error.to_string()),
                Err(Fault::Key(why) | Fault::Store(why)) => Err(why),
            };
            match heard {
                Ok(Heard::Late) => {}
                Ok(Heard::InTime(verdict)) => return Ok(verdict),
                // This affects the window of one application only.
                Err(why) => {
                    tracing::error!(why, application = scope, on_loss = ?self.on_loss, "a rate window cannot be read");
                    return Err(StoreLost);
                }
            }
        }
        self.lost("it takes up calls after their deadline", self.tick_of(Instant::now()));
        Err(StoreLost)
    }

    /// The next step for a request; `None` while the store is left alone.
    fn next(&self, scope: &str, kind: Kind, sent: u64, until: Instant) -> Result<Option<Step>, StoreLost> {
        let mut limiter = lock(&self.limiter);
        // A scope is the name of an application, which was checked with the configuration.
        let step = match kind {
            Kind::Call => limiter.admit(scope, sent),
            Kind::Touch => limiter.touch(scope, sent),
        };
        Ok(match step.map_err(|_| StoreLost)? {
            Step::Ask(_) if !self.may_ask(sent) => None,
            // A call is refused if there is no answer by `until`, so it must not be counted later.
            Step::Ask(request) if kind == Kind::Call => {
                Some(Step::Ask(request.with_deadline(limiter.store_time(self.tick_of(until)))))
            }
            step => Some(step),
        })
    }

    fn hear(&self, scope: &str, kind: Kind, numbers: &[i64], sent: u64, came: u64) -> Result<Heard, Error> {
        let mut limiter = lock(&self.limiter);
        let RedisAnswer { at, verdict, .. } = RedisAnswer::read(limiter.policy(), numbers)?;
        if kind == Kind::Call && verdict.is_none() {
            limiter.heard_late(scope, at, sent, came);
            return Ok(Heard::Late);
        }
        limiter.heard(scope, numbers, sent, came).map(Heard::InTime)
    }

    /// `true` if the store may be asked at a tick. While it is lost, one request a second asks it, so that the others do not
    /// wait.
    fn may_ask(&self, tick: u64) -> bool {
        let again = self.asked_again.load(Ordering::Relaxed);
        let next = tick.saturating_add(LEFT_ALONE_MS);
        again == 0
            || (tick >= again
                && self.asked_again.compare_exchange(again, next, Ordering::Relaxed, Ordering::Relaxed).is_ok())
    }

    fn lost(&self, why: &str, tick: u64) {
        if self.asked_again.swap(tick.saturating_add(LEFT_ALONE_MS), Ordering::Relaxed) == 0 {
            tracing::error!(why, on_loss = ?self.on_loss, "the store of rate windows is lost");
        }
    }

    fn found(&self) {
        if self.asked_again.swap(0, Ordering::Relaxed) != 0 {
            tracing::warn!("the store of rate windows answers again");
        }
    }

    fn tick_of(&self, instant: Instant) -> u64 {
        u64::try_from(instant.saturating_duration_since(self.epoch).as_millis()).unwrap_or(u64::MAX)
    }
}

/// The time of the machine.
fn now() -> Time {
    time_of(SystemTime::now())
}

/// A time in milliseconds, clamped to the time range of ECMAScript.
fn time_of(clock: SystemTime) -> Time {
    let ms = match clock.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX).saturating_neg(),
    };
    Time::from_ms(ms).unwrap_or(if ms.is_negative() { Time::MIN } else { Time::MAX })
}

/// Locks, and ignores poisoning: each call of the core leaves the value consistent, even if a panic follows.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
