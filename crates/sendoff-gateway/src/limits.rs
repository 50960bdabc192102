//! How often somebody may call.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use sendoff::{
    error::Error,
    rate_limit::{Cost, Policy, RateLimiter, SharedLimiter, Step, Time, Verdict},
};

use crate::{
    config::{OnStoreLoss, RedisStore},
    redis::Redis,
};

/// The rate windows of an environment.
#[derive(Debug)]
pub(crate) struct Limits {
    memory: Mutex<RateLimiter>,
    /// With it the windows in memory are only for when the store is lost.
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
    /// Until which tick a store that was lost is left alone.
    lost_until: AtomicU64,
}

/// The store does not answer, and it is not for this process to decide.
#[derive(Debug)]
pub(crate) struct StoreLost;

/// How long a store that was lost is left alone: a request that waits for it in vain holds somebody up.
const LEFT_ALONE_MS: u64 = 1_000;

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
        let shared = Shared { limiter, redis, on_loss, epoch, lost_until: AtomicU64::new(0) };
        Ok(Self { shared: Some(shared), ..Self::in_memory(policy) })
    }

    pub(crate) fn policy(&self) -> Policy {
        *lock(&self.memory).policy()
    }

    /// Whether the store answered when it was last asked; none where there is no store.
    pub(crate) fn is_store_up(&self) -> Option<bool> {
        self.shared.as_ref().map(|shared| shared.lost_until.load(Ordering::Relaxed) == 0)
    }

    /// A call that counts.
    pub(crate) async fn admit(&self, scope: &str) -> Result<Verdict, StoreLost> {
        let lost = match &self.shared {
            None => None,
            Some(shared) => match shared.ask(scope, SharedLimiter::admit).await {
                Ok(Some(verdict)) => return Ok(verdict),
                Ok(None) | Err(StoreLost) => Some(shared.on_loss),
            },
        };
        match lost {
            None | Some(OnStoreLoss::Local) => Ok(lock(&self.memory).admit(scope, now(), Cost::ONE)),
            Some(OnStoreLoss::Refuse) => Err(StoreLost),
        }
    }

    /// A request that does not count: it can only start the day's first window. Where the store is lost, the process
    /// remembers for itself; nobody is refused for that.
    pub(crate) async fn touch(&self, scope: &str) {
        let known = match &self.shared {
            None => false,
            Some(shared) => shared.ask(scope, |limiter, scope, tick| limiter.touch(scope, tick)).await.is_ok(),
        };
        if !known {
            lock(&self.memory).touch(scope, now());
        }
    }
}

impl Shared {
    async fn ask(
        &self,
        scope: &str,
        step: impl FnOnce(&mut SharedLimiter, &str, u64) -> Result<Step, Error>,
    ) -> Result<Option<Verdict>, StoreLost> {
        let sent = self.tick();
        // A scope is an application's name, which the configuration has checked.
        let request = match step(&mut lock(&self.limiter), scope, sent).map_err(|_| StoreLost)? {
            Step::Known(verdict) => return Ok(verdict),
            Step::Ask(request) => request,
        };
        if sent < self.lost_until.load(Ordering::Relaxed) {
            return Err(StoreLost);
        }
        let answer = self.redis.run(&request).await;
        let came = self.tick();
        let heard = answer.and_then(|numbers| {
            lock(&self.limiter).heard(scope, &numbers, sent, came).map_err(|error| error.to_string())
        });
        let was = match &heard {
            Ok(_) => self.lost_until.swap(0, Ordering::Relaxed),
            Err(_) => self.lost_until.swap(came.saturating_add(LEFT_ALONE_MS), Ordering::Relaxed),
        };
        match (&heard, was) {
            (Ok(_), 1..) => tracing::warn!("the store of rate windows answers again"),
            (Err(why), 0) => tracing::error!(why, on_loss = ?self.on_loss, "the store of rate windows is lost"),
            _ => {}
        }
        heard.map_err(|_| StoreLost)
    }

    fn tick(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The time of the machine, cut off to milliseconds. A clock outside of ECMAScript's domain is at its end.
fn now() -> Time {
    let ms = match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX).saturating_neg(),
    };
    Time::from_ms(ms).unwrap_or(if ms < 0 { Time::MIN } else { Time::MAX })
}

/// What is locked is whole after every call of the core, so a panic elsewhere leaves nothing half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
