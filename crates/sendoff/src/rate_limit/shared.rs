//! One process's side of shared windows.

use alloc::{string::String, vec::Vec};
use core::fmt;

use hashbrown::HashMap;

use super::redis::{Ask, Key, RedisAnswer, RedisRequest};
use super::{Cost, Phase, Policy, Time, Verdict};
use crate::error::Error;

/// A process's knowledge of shared windows: the answers that it can give by itself, and the requests that it must send
/// to the store ([`redis`](super::redis)).
///
/// It sends nothing and reads no clock. [`admit`](Self::admit) and [`touch`](Self::touch) return a [`Step`]. The host
/// sends the [`RedisRequest`] of a step that asks, and passes the answer to [`on_reply`](Self::on_reply). Ticks are milliseconds
/// of a monotonic clock, for example since the start of the process. The store's times are converted to ticks, so no
/// two clocks need to agree. The type is not `Clone`, because a batch is spent once.
///
/// - **Refusals** are answered here from the moment that a window is known to be full until it ends, because a count
///   never decreases within its window. That costs no round trip, whatever the number of calls.
/// - **A day's first request** is remembered: later requests that do not count are answered here, until midnight.
/// - **Leases**, if a batch is set: the process takes a batch of calls at once and spends it here. The limit is never
///   exceeded, because a batch is counted in the store when it is taken, and is not spent once the window may have
///   ended. The cost: the unspent rest of a batch is lost to the other processes until then, so calls can be refused
///   too early, by up to one batch per process. While a batch is requested, further calls are requested one by one.
///
/// A request can have a deadline by the store's clock ([`RedisRequest::with_deadline`]), so that a store that hangs does not
/// later count calls that the host gave up. [`store_time`](Self::store_time) converts the tick at which the host gives
/// up into the store's time. Before the first answer that is the earliest time: the answer then has no verdict, but
/// tells the store's time ([`on_late_reply`](Self::on_late_reply)), and the host asks again.
///
/// Calls are admitted only until the earliest possible end of the window, counted from the sending of the request.
/// `retry_after` is counted to the latest possible end, from the arrival of the answer. It is therefore never too
/// small, and at most a round trip and two milliseconds too large: both clocks are rounded down.
///
/// ```
/// use sendoff::rate_limit::{Policy, SharedLimiter, Step, Verdict};
///
/// let mut limiter = SharedLimiter::new(Policy::PRODUCTION, "production", b"a secret of the host")?;
/// let Step::Ask(_request) = limiter.admit("shop", 0)? else { unreachable!() };
/// let numbers = [2, -1, 1_750_000_100_000, 1_750_000_000_000, 1_500]; // what the store answers to it: full
/// let verdict = limiter.on_reply("shop", &numbers, 0, 3)?;
/// assert!(matches!(verdict, Some(Verdict::Refused { retry_after, .. }) if retry_after.get() == 200));
///
/// // Until the window ends nobody has to be asked again.
/// let Step::Known(verdict) = limiter.admit("shop", 199_998)? else { unreachable!() };
/// assert!(matches!(verdict, Some(Verdict::Refused { retry_after, .. }) if retry_after.get() == 1));
/// assert!(matches!(limiter.admit("shop", 199_999)?, Step::Ask(_)));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
pub struct SharedLimiter {
    policy: Policy,
    environment: String,
    secret: Vec<u8>,
    lease: Option<Cost>,
    /// The smallest lead of the store's clock over the ticks; `None` before the first answer.
    lead: Option<i64>,
    callers: HashMap<String, Caller>,
    /// The number of callers at which expired ones are dropped.
    sweep_at: usize,
}

/// The next action for a request.
///
/// ```
/// use sendoff::rate_limit::{Policy, SharedLimiter, Step};
///
/// let mut limiter = SharedLimiter::new(Policy::PRODUCTION, "production", b"secret")?;
/// let Step::Ask(request) = limiter.touch("shop", 0)? else { unreachable!() };
/// assert_eq!(request.arguments()[0], "touch");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Nothing: the verdict is known, or `None` for a request that does not count.
    Known(Option<Verdict>),
    /// Ask the store, and pass its answer to [`SharedLimiter::on_reply`].
    Ask(RedisRequest),
}

/// The state of a caller, in ticks.
#[derive(Clone, Copy, Default)]
struct Caller {
    /// Until this tick, its day certainly has its first request.
    anchored_until: u64,
    /// The tick at which the batch in progress was requested.
    batch_asked: Option<u64>,
    window: Option<Running>,
}

/// A window with what is known of it.
#[derive(Clone, Copy)]
struct Running {
    /// Its start, by the store's clock.
    start: i64,
    /// The number of calls that may be admitted here.
    leased: u32,
    /// The number of calls that are left in the store.
    remaining: u32,
    /// Its earliest possible end and its latest possible end.
    ends: (u64, u64),
    /// The tick of this answer.
    came: u64,
}

/// Below this number of callers none is dropped.
const SWEEP_LEAST: usize = 1_024;

impl SharedLimiter {
    /// Creates the limiter of an environment, 1 to 32 letters, digits, `-` or `_`. All its processes share the secret.
    /// Without the secret no scope can be derived from the store.
    ///
    /// # Errors
    ///
    /// `format` at `environment` for any other name.
    pub fn new(policy: Policy, environment: &str, secret: &[u8]) -> Result<Self, Error> {
        Key::new(&policy, environment, "any", secret)?;
        let (environment, secret, callers) = (environment.into(), secret.into(), HashMap::new());
        Ok(Self {
            policy,
            environment,
            secret,
            lease: None,
            lead: None,
            callers,
            sweep_at: SWEEP_LEAST,
        })
    }

    /// Returns the same limiter, which takes calls from the store in batches.
    #[must_use]
    pub fn with_lease(self, batch: Cost) -> Self {
        Self { lease: Some(batch), ..self }
    }

    /// The policy for every caller.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The number of callers that are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.callers.len()
    }

    /// `true` if no caller is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Judges a call that counts, at a tick.
    ///
    /// # Errors
    ///
    /// `format` at `scope` if it is empty.
    pub fn admit(&mut self, scope: &str, tick: u64) -> Result<Step, Error> {
        let running = self.callers.get_mut(scope).and_then(|caller| caller.window.as_mut());

        let verdict = match running.filter(|window| tick < window.ends.0) {
            Some(Running { leased: leased @ 1.., remaining, ends, .. }) => {
                *leased = leased.saturating_sub(1);
                let (phase, remaining) = (Phase::Same, remaining.saturating_add(*leased));
                Verdict::Admitted { phase, remaining, reset_after: seconds(tick, ends.1) }
            }
            Some(Running { remaining: 0, ends, .. }) => {
                Verdict::refused(Phase::Same, seconds(tick, ends.1))
            }
            _ => return self.ask_for_call(scope, tick),
        };
        Ok(Step::Known(Some(verdict)))
    }

    /// Notes a request that does not count, at a tick.
    ///
    /// # Errors
    ///
    /// `format` at `scope` if it is empty.
    pub fn touch(&self, scope: &str, tick: u64) -> Result<Step, Error> {
        match self.callers.get(scope) {
            Some(caller) if tick < caller.anchored_until => Ok(Step::Known(None)),
            _ => {
                Ok(Step::Ask(RedisRequest::new(&self.policy, &self.key(scope)?, Ask::Touch, None)))
            }
        }
    }

    /// Returns the time that the store's clock has reached at a tick, unless it is set back. It is the deadline of a
    /// request that is given up at that tick.
    ///
    /// ```
    /// use sendoff::rate_limit::{Policy, SharedLimiter, Step, Time};
    ///
    /// let mut limiter = SharedLimiter::new(Policy::PRODUCTION, "production", b"secret")?;
    /// let Step::Ask(request) = limiter.admit("shop", 1_000)? else { unreachable!() };
    /// assert_eq!(limiter.store_time(1_250), Time::MIN);
    /// let _late = request.with_deadline(limiter.store_time(1_250));
    /// let at = Time::from_ms(1_750_000_000_000)?; // of the answer, which has no verdict
    /// limiter.on_late_reply("shop", at, 1_000, 1_003);
    ///
    /// // Sent again at 1003 and given up at 1250: the store's clock is then at 247 ms after its answer, or one less.
    /// assert_eq!(limiter.store_time(1_250), Time::from_ms(1_750_000_000_246)?);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[must_use]
    pub fn store_time(&self, tick: u64) -> Time {
        self.lead.map_or(Time::MIN, |lead| Time::saturating(lead.saturating_add_unsigned(tick)))
    }

    /// Notes the time of an answer without a verdict. The store took up that call at its deadline or later. Nothing
    /// changed, and the call can be requested again.
    pub fn on_late_reply(&mut self, scope: &str, at: Time, sent: u64, came: u64) {
        self.learn_time(at, sent, came);
        if let Some(caller) = self.callers.get_mut(scope) {
            caller.batch_asked = caller.batch_asked.filter(|asked| sent < *asked);
        }
    }

    /// Notes the store's answer to a request of a scope, which was sent at one tick and answered at another.
    ///
    /// # Errors
    ///
    /// As [`RedisAnswer::read`], for an answer that the script does not give. Nothing of it is kept.
    #[expect(clippy::arithmetic_side_effects, reason = "times are far below 2^63")]
    pub fn on_reply(
        &mut self,
        scope: &str,
        numbers: &[i64],
        sent: u64,
        came: u64,
    ) -> Result<Option<Verdict>, Error> {
        let RedisAnswer { at, granted, window, verdict } =
            RedisAnswer::read(&self.policy, numbers)?;
        self.learn_time(at, sent, came);

        // The store read its clock between sending and arrival. Each clock is rounded down to a
        // millisecond.
        let earliest = |end: i64| sent.saturating_add_signed(end - at.as_ms() - 1);
        let latest = |end: i64| came.saturating_add_signed(end - at.as_ms() + 1);
        let end = self.policy.end(window.start());

        let running = Running {
            start: window.start().as_ms(),
            // One of them is for the call that asked.
            leased: granted.saturating_sub(1),
            remaining: self.policy.limit().saturating_sub(window.count()),
            ends: (earliest(end), latest(end)),
            came,
        };

        let anchored_until = earliest(self.policy.midnight_after(window.start()));
        let caller = self.caller(scope, came);

        caller.anchored_until = caller.anchored_until.max(anchored_until);
        caller.batch_asked = caller.batch_asked.filter(|asked| sent < *asked);
        caller.window = match caller.window {
            Some(known) if known.start == running.start => Some(Running {
                leased: known.leased.saturating_add(running.leased),
                remaining: known.remaining.min(running.remaining),
                ..running
            }),
            // Answers can overtake each other. The one that was sent later is right: the store's
            // clock was set back.
            Some(known) if known.start > running.start && sent < known.came => Some(known),
            _ => Some(running),
        };

        Ok(verdict)
    }

    /// Notes that the store's clock showed this time between sending and arrival; ticks and time are rounded down.
    fn learn_time(&mut self, at: Time, sent: u64, came: u64) {
        let least = at.as_ms().saturating_sub_unsigned(came).saturating_sub(1);
        let most = at.as_ms().saturating_sub_unsigned(sent).saturating_add(1);
        // A lead above the largest possible one means that a clock was set back, or that this is
        // another store.
        let known = self.lead.filter(|lead| (least..=most).contains(lead));
        self.lead = Some(known.unwrap_or(least));
    }

    /// Returns the state of a caller, at a tick.
    fn caller(&mut self, scope: &str, tick: u64) -> &mut Caller {
        if self.callers.len() >= self.sweep_at {
            self.sweep(tick);
        }
        self.callers.entry_ref(scope).or_default()
    }

    fn ask_for_call(&mut self, scope: &str, tick: u64) -> Result<Step, Error> {
        let key = self.key(scope)?;
        let mut ask = Ask::Admit(Cost::ONE);
        if let Some(batch) = self.lease {
            let batch_asked = &mut self.caller(scope, tick).batch_asked;
            if batch_asked.is_none() {
                *batch_asked = Some(tick);
                ask = Ask::Lease(batch);
            }
        }
        Ok(Step::Ask(RedisRequest::new(&self.policy, &key, ask, None)))
    }

    fn key(&self, scope: &str) -> Result<Key, Error> {
        Key::new(&self.policy, &self.environment, scope, &self.secret)
    }

    /// Drops expired callers, each time their number has doubled.
    fn sweep(&mut self, tick: u64) {
        self.callers.retain(|_, caller| {
            tick < caller.anchored_until.max(caller.window.map_or(0, |window| window.ends.1))
        });
        self.sweep_at = self.callers.len().saturating_mul(2).max(SWEEP_LEAST);
        self.callers.shrink_to(self.sweep_at);
    }
}

/// Returns the seconds between two ticks, rounded up.
fn seconds(from: u64, to: u64) -> u64 {
    to.saturating_sub(from).div_ceil(1_000)
}

impl fmt::Debug for SharedLimiter {
    /// Leaves out the callers and the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut limiter = f.debug_struct("SharedLimiter");
        limiter.field("policy", &self.policy).field("environment", &self.environment);
        limiter.field("lease", &self.lease).finish_non_exhaustive()
    }
}
