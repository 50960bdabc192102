//! The shared store of an environment's rate windows, and whether it is lost.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use sendoff::{
    error::Error,
    rate_limit::{Policy, SharedLimiter, Step, Verdict, redis::RedisAnswer},
};

use crate::{
    config::{OnStoreLoss, RedisStore},
    parts::Parts,
    redis::{Fault, Redis},
};

/// The store of an environment.
#[derive(Debug)]
pub(crate) struct Store {
    environment: String,
    config: RedisStore,
    redis: Redis,
    /// One limiter for each policy, so that the store's clock is learned once.
    limiters: Mutex<Vec<Arc<Mutex<SharedLimiter>>>>,
    /// The start of this process's ticks.
    epoch: Instant,
    parts: Parts,
    /// It did not answer when this process looked.
    is_silent: AtomicBool,
}

/// The store does not answer, or its answer cannot be used.
#[derive(Debug)]
pub(crate) struct StoreLost;

/// The effect of a request on the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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

impl Store {
    /// # Errors
    ///
    /// A sentence if the store's address cannot be used.
    pub(crate) fn new(environment: &str, config: &RedisStore) -> Result<Self, String> {
        let redis = Redis::new(config)?;
        Ok(Self {
            environment: environment.into(),
            config: config.clone(),
            parts: redis.parts(),
            is_silent: AtomicBool::new(false),
            redis,
            limiters: Mutex::default(),
            epoch: Instant::now(),
        })
    }

    /// The limiter of a policy.
    ///
    /// # Errors
    ///
    /// `format` for a name of an environment that keys of the store cannot have.
    pub(crate) fn limiter(&self, policy: Policy) -> Result<Arc<Mutex<SharedLimiter>>, Error> {
        let mut limiters = lock(&self.limiters);
        if let Some(limiter) = limiters.iter().find(|limiter| *lock(limiter).policy() == policy) {
            return Ok(Arc::clone(limiter));
        }

        let limiter = SharedLimiter::new(policy, &self.environment, self.config.secret.as_bytes())?;
        let limiter = match self.config.batch(&policy) {
            Some(batch) => limiter.with_lease(batch),
            None => limiter,
        };
        let limiter = Arc::new(Mutex::new(limiter));
        limiters.push(Arc::clone(&limiter));
        Ok(limiter)
    }

    /// The rule for calls that count while it does not answer.
    pub(crate) fn on_loss(&self) -> OnStoreLoss {
        self.config.on_loss
    }

    /// Notices whether it is lost, and whether it answers again, before a call does. If one part of a cluster does not answer,
    /// calls go on asking the others.
    pub(crate) async fn look(&self) {
        let answered = self.redis.ping().await;
        let (tick, was_up) = (self.tick_of(Instant::now()), self.is_up());
        let was_silent = self.is_silent.swap(answered.is_err(), Ordering::Relaxed);
        match answered {
            Err(why) => {
                if self.parts.is_one() {
                    self.parts.lost("", tick);
                }
                if was_up {
                    self.log_loss(&why);
                }
            }
            // It can answer and still be of no use: then a call finds out.
            Ok(()) if was_silent => {
                if self.parts.is_one() {
                    self.parts.found("", tick);
                }
                if self.is_up() {
                    tracing::warn!("the store of rate windows answers again");
                }
            }
            Ok(()) => {}
        }
    }

    /// `true` if it answered when it was last asked.
    pub(crate) fn is_up(&self) -> bool {
        let is_silent = self.is_silent.load(Ordering::Relaxed);
        !is_silent && self.parts.are_up(self.tick_of(Instant::now()))
    }

    /// The limiter's verdict on a call that counts, for which it may have to ask the store.
    pub(crate) async fn admit(
        &self,
        limiter: &Mutex<SharedLimiter>,
        scope: &str,
    ) -> Result<Verdict, StoreLost> {
        self.ask(limiter, scope, Kind::Call).await?.ok_or(StoreLost)
    }

    /// Starts the day's first window, if no request has.
    pub(crate) async fn touch(
        &self,
        limiter: &Mutex<SharedLimiter>,
        scope: &str,
    ) -> Result<(), StoreLost> {
        self.ask(limiter, scope, Kind::Touch).await.map(drop)
    }

    async fn ask(
        &self,
        limiter: &Mutex<SharedLimiter>,
        scope: &str,
        kind: Kind,
    ) -> Result<Option<Verdict>, StoreLost> {
        let until = Instant::now().checked_add(self.redis.timeout()).ok_or(StoreLost)?;
        // Only a call that passes must not be forgotten.
        let replicas = if kind == Kind::Call { self.config.replicas } else { 0 };
        let mut late = None;

        for _ in 0..TRIES {
            let sent = self.tick_of(Instant::now());
            let Some(request) = self.next(limiter, scope, kind, sent, until)? else {
                return Err(StoreLost);
            };
            let request = match request {
                Step::Known(verdict) => return Ok(verdict),
                Step::Ask(request) => request,
            };

            let answer = self.redis.run(&request, replicas, until).await;
            let came = self.tick_of(Instant::now());
            let numbers = match answer {
                Ok(numbers) => Ok(numbers),
                Err(Fault::Key(why)) => Err(why),
                Err(Fault::Store(why)) => {
                    self.lost(&why, request.key(), came);
                    return Err(StoreLost);
                }
            };
            self.found(request.key(), came);

            let replied = numbers.and_then(|numbers| {
                hear(limiter, scope, kind, &numbers, sent, came).map_err(|error| error.to_string())
            });
            match replied {
                Ok(Replied::Late) => late = Some((request, came)),
                Ok(Replied::InTime(verdict)) => return Ok(verdict),
                // This affects the window of one application only.
                Err(why) => {
                    let on_loss = self.on_loss();
                    tracing::error!(
                        why,
                        application = scope,
                        ?on_loss,
                        "a rate window cannot be read"
                    );
                    return Err(StoreLost);
                }
            }
        }

        if let Some((request, came)) = late {
            self.lost("it takes up calls after their deadline", request.key(), came);
        }
        Err(StoreLost)
    }

    /// The next step for a request; `None` while the store is left alone.
    fn next(
        &self,
        limiter: &Mutex<SharedLimiter>,
        scope: &str,
        kind: Kind,
        sent: u64,
        until: Instant,
    ) -> Result<Option<Step>, StoreLost> {
        let mut limiter = lock(limiter);
        // A scope is the name of an application, which was checked with the configuration.
        let step = match kind {
            Kind::Call => limiter.admit(scope, sent),
            Kind::Touch => limiter.touch(scope, sent),
        };
        Ok(match step.map_err(|_| StoreLost)? {
            Step::Ask(request) if !self.parts.may_ask(request.key(), sent) => None,
            // A call is refused if there is no answer by `until`, so it must not be counted later.
            Step::Ask(request) if kind == Kind::Call => {
                Some(Step::Ask(request.with_deadline(limiter.store_time(self.tick_of(until)))))
            }
            step => Some(step),
        })
    }

    fn lost(&self, why: &str, key: &str, tick: u64) {
        if self.parts.lost(key, tick) && !self.is_silent.load(Ordering::Relaxed) {
            self.log_loss(why);
        }
    }

    fn log_loss(&self, why: &str) {
        tracing::error!(why, on_loss = ?self.on_loss(), "the store of rate windows is lost");
    }

    fn found(&self, key: &str, tick: u64) {
        if self.parts.found(key, tick) && self.is_up() {
            tracing::warn!("the store of rate windows answers again");
        }
    }

    fn tick_of(&self, instant: Instant) -> u64 {
        u64::try_from(instant.saturating_duration_since(self.epoch).as_millis()).unwrap_or(u64::MAX)
    }
}

/// Passes the store's answer to the limiter that asked.
fn hear(
    limiter: &Mutex<SharedLimiter>,
    scope: &str,
    kind: Kind,
    numbers: &[i64],
    sent: u64,
    came: u64,
) -> Result<Replied, Error> {
    let mut limiter = lock(limiter);
    let RedisAnswer { at, verdict, .. } = RedisAnswer::read(limiter.policy(), numbers)?;
    if kind == Kind::Call && verdict.is_none() {
        limiter.on_late_reply(scope, at, sent, came);
        return Ok(Replied::Late);
    }
    limiter.on_reply(scope, numbers, sent, came).map(Replied::InTime)
}

/// Locks, and ignores poisoning: each call of the core leaves the value consistent, even if a panic follows.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
