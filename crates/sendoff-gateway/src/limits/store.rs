//! The shared store of an environment's rate windows, and whether it is lost.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sendoff::rate_limit::redis::RedisAnswer;
use sendoff::rate_limit::{Policy, SharedLimiter, Step, Verdict};
use tokio::time::sleep;

use crate::config::{Others, RedisStore};
use crate::limits::redis::{Fault, Redis};

/// The store of an environment.
pub(crate) struct Store {
    environment: String,
    pub(crate) config: RedisStore,
    redis: Redis,
    /// One limiter for each policy, so that the store's clock is learned once.
    limiters: Mutex<Vec<Arc<Mutex<SharedLimiter>>>>,
    /// The start of this process's ticks.
    epoch: Instant,
    /// It did not answer when this process looked.
    is_silent: AtomicBool,
    /// The tick of the last request that it did not answer; 0 if it answered the next one of the same window.
    failed: AtomicU64,
    /// It is lost, and the log says so.
    is_logged: AtomicBool,
}

/// The window of an application, as a request sees it.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a> {
    pub(crate) limiter: &'a Mutex<SharedLimiter>,
    /// The name of the application.
    pub(crate) scope: &'a str,
    /// The tick of the next request to the store, while it does not answer for this window; 0 otherwise.
    pub(crate) again: &'a AtomicU64,
}

/// The store does not answer, or its answer cannot be used.
pub(crate) struct StoreLost;

/// The effect of a request on the limit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A call that counts.
    Call,
    /// A request that can only start the day's first window.
    Touch,
}

/// The store's answer to a request.
enum Replied {
    /// Its verdict on a call; `None` for a touch.
    InTime(Option<Verdict>),
    /// The deadline of a call had passed by the store's clock. The window did not change.
    Late,
}

/// How often a request is sent again if the store answers late. The first answer contains the time of the store's clock.
const TRIES: usize = 3;

/// How often a process looks whether its store answers, and how long a window is left alone for which it does not. A request
/// would only delay the caller. Each window has a time of its own, because a master of a cluster has those in its slots only.
const LOOK: Duration = Duration::from_secs(1);

impl Store {
    /// The store of an environment of this name.
    pub(crate) fn new(environment: &str, config: &RedisStore) -> Self {
        Self {
            environment: environment.into(),
            config: config.clone(),
            redis: Redis::new(config),
            limiters: Mutex::default(),
            epoch: Instant::now(),
            is_silent: AtomicBool::default(),
            failed: AtomicU64::default(),
            is_logged: AtomicBool::default(),
        }
    }

    /// The limiter of a policy.
    pub(crate) fn limiter(&self, policy: Policy) -> Arc<Mutex<SharedLimiter>> {
        let mut limiters = lock(&self.limiters);
        if let Some(limiter) = limiters.iter().find(|limiter| *lock(limiter).policy() == policy) {
            return Arc::clone(limiter);
        }

        let secret = self.config.secret.as_bytes();
        #[expect(clippy::unwrap_used, reason = "the configuration has checked the name")]
        let limiter = SharedLimiter::new(policy, &self.environment, secret).unwrap();
        let limiter = match self.config.batch(&policy) {
            Some(batch) => limiter.with_lease(batch),
            None => limiter,
        };
        let limiter = Arc::new(Mutex::new(limiter));
        limiters.push(Arc::clone(&limiter));
        limiter
    }

    /// Notices whether it is lost, and whether it answers again, as long as the process serves.
    pub(crate) async fn watch(&self) -> Infallible {
        loop {
            let answered = self.redis.ping().await;
            self.is_silent.store(answered.is_err(), Ordering::Relaxed);
            match answered {
                Ok(()) => self.log_return(),
                Err(why) => self.log_loss(&why),
            }
            sleep(LOOK).await;
        }
    }

    /// `true` if it answered when it was last asked. It can answer and still be of no use: a request finds out, and the next
    /// one a second later.
    pub(crate) fn is_up(&self) -> bool {
        let failed = self.failed.load(Ordering::Relaxed);
        let forgotten = failed.saturating_add(ticks(LOOK.saturating_mul(2)));
        let has_failed = failed != 0 && self.tick_of(Instant::now()) < forgotten;
        !has_failed && !self.is_silent.load(Ordering::Relaxed)
    }

    /// The limiter's verdict on a call, for which it may have to ask the store; `None` for a touch.
    pub(crate) async fn ask(
        &self,
        window: Window<'_>,
        kind: Kind,
    ) -> Result<Option<Verdict>, StoreLost> {
        let until = Instant::now().checked_add(self.config.timeout).ok_or(StoreLost)?;
        // Only a call that passes must not be forgotten.
        let replicas = if kind == Kind::Call { self.config.replicas } else { 0 };

        for _ in 0..TRIES {
            let sent = self.tick_of(Instant::now());
            let request = match self.next(window, kind, sent, until)? {
                Step::Known(verdict) => return Ok(verdict),
                Step::Ask(request) => request,
            };

            let answer = self.redis.run(&request, replicas, until).await;
            let came = self.tick_of(Instant::now());
            let read = match answer {
                Ok(numbers) => window.hear(kind, &numbers, sent, came),
                Err(Fault::Key(why)) => Err(why),
                Err(Fault::Store(why)) => return Err(self.lost(window, &why, came)),
            };
            match read {
                Ok(Replied::Late) => {}
                Ok(Replied::InTime(verdict)) => {
                    self.found(window);
                    return Ok(verdict);
                }
                // This affects the window of one application only.
                Err(why) => {
                    self.found(window);
                    let (application, on_loss) = (window.scope, self.config.on_loss);
                    tracing::error!(why, application, ?on_loss, "a rate window cannot be read");
                    return Err(StoreLost);
                }
            }
        }
        let why = "it takes up calls after their deadline";
        Err(self.lost(window, why, self.tick_of(Instant::now())))
    }

    /// The next step for a request.
    ///
    /// # Errors
    ///
    /// If the store is left alone.
    fn next(
        &self,
        window: Window<'_>,
        kind: Kind,
        sent: u64,
        until: Instant,
    ) -> Result<Step, StoreLost> {
        let mut limiter = lock(window.limiter);
        // A scope is the name of an application, which was checked with the configuration.
        let step = match kind {
            Kind::Call => limiter.admit(window.scope, sent),
            Kind::Touch => limiter.touch(window.scope, sent),
        };
        match step.map_err(|_| StoreLost)? {
            Step::Ask(_) if !self.may_ask(window, sent) => Err(StoreLost),
            // A call is refused if there is no answer by `until`, so it must not be counted later.
            Step::Ask(request) if kind == Kind::Call => {
                Ok(Step::Ask(request.with_deadline(limiter.store_time(self.tick_of(until)))))
            }
            step => Ok(step),
        }
    }

    /// `true` if it may be asked for a window at a tick. While it does not answer, one request a second asks it, so that the
    /// others do not wait; a server that is silent is asked by [`Self::watch`] alone.
    fn may_ask(&self, window: Window<'_>, tick: u64) -> bool {
        // A master of a cluster can be lost alone.
        let is_cluster = matches!(self.config.others, Some(Others::Nodes(_)));
        if self.is_silent.load(Ordering::Relaxed) && !is_cluster {
            return false;
        }
        let (again, next) =
            (window.again.load(Ordering::Relaxed), tick.saturating_add(ticks(LOOK)));
        let (order, or) = (Ordering::Relaxed, Ordering::Relaxed);
        again == 0
            || (tick >= again && window.again.compare_exchange(again, next, order, or).is_ok())
    }

    fn lost(&self, window: Window<'_>, why: &str, tick: u64) -> StoreLost {
        window.again.store(tick.saturating_add(ticks(LOOK)), Ordering::Relaxed);
        self.failed.store(tick.max(1), Ordering::Relaxed);
        self.log_loss(why);
        StoreLost
    }

    fn found(&self, window: Window<'_>) {
        if window.again.swap(0, Ordering::Relaxed) != 0 {
            self.failed.store(0, Ordering::Relaxed);
            self.log_return();
        }
    }

    fn log_loss(&self, why: &str) {
        if !self.is_logged.swap(true, Ordering::Relaxed) {
            tracing::error!(why, on_loss = ?self.config.on_loss, "the store of rate windows is lost");
        }
    }

    fn log_return(&self) {
        if self.is_up() && self.is_logged.swap(false, Ordering::Relaxed) {
            tracing::warn!("the store of rate windows answers again");
        }
    }

    fn tick_of(&self, instant: Instant) -> u64 {
        ticks(instant.saturating_duration_since(self.epoch))
    }
}

/// A time in ticks, which are milliseconds.
fn ticks(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Window<'_> {
    /// Passes the store's answer to the limiter that asked.
    fn hear(self, kind: Kind, numbers: &[i64], sent: u64, came: u64) -> Result<Replied, String> {
        let mut limiter = lock(self.limiter);
        let answer = RedisAnswer::read(limiter.policy(), numbers);
        let RedisAnswer { at, verdict, .. } = answer.map_err(|error| error.to_string())?;
        if kind == Kind::Call && verdict.is_none() {
            limiter.on_late_reply(self.scope, at, sent, came);
            return Ok(Replied::Late);
        }
        let replied = limiter.on_reply(self.scope, numbers, sent, came);
        replied.map(Replied::InTime).map_err(|error| error.to_string())
    }
}

/// Locks, and ignores poisoning: each call of the core leaves the value consistent, even if a panic follows.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
