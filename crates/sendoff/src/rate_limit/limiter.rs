//! All callers of one process.

use alloc::vec::Vec;
use core::fmt;

use super::callers::Callers;
use super::window::View;
use super::{Admission, Cost, Phase, Policy, Time, Verdict, Window, admit, peek, touch};

/// The windows of many callers in the memory of one process, by scope.
///
/// A scope is whatever the host counts by; the specification's limit is on an API key of an environment. Each call
/// answers as the function of the same name does for the scope's state: [`admit`], [`touch`], [`peek`].
///
/// **Memory.** Under 24 bytes a caller beside the scope's text, at any number from 20,000 callers on. A refusal or a peek
/// changes nothing. Records stop at 4 GiB, some 100 million callers in a day: then all are forgotten, and begin anew.
///
/// **Days.** Callers of past days are dropped without a timer, by the first call that changes a state once the new day is
/// as old as the hold time. That call looks at every caller once: some 10 ms for a million that go, 150 ms for a million
/// that stay. Whoever was dropped is answered as a caller never seen. The functions would answer the same, unless the
/// clock steps back further than it is held for.
///
/// **Threads.** The host puts a lock around it. The clock may be read before the lock is taken: times that come in out of
/// order, within the hold time, do no harm.
///
/// ```
/// use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};
///
/// let mut limiter = RateLimiter::new(Policy::new(1, 60_000)?);
/// let now = Time::from_ms(1_750_000_000_000)?;
/// assert!(limiter.admit("production:key-1", now, Cost::ONE).is_admitted());
/// assert!(!limiter.admit("production:key-1", now, Cost::ONE).is_admitted());
/// assert!(limiter.admit("production:key-2", now, Cost::ONE).is_admitted());
///
/// let restored = RateLimiter::restore(*limiter.policy(), limiter.snapshot());
/// assert_eq!(restored.snapshot(), limiter.snapshot());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone)]
pub struct RateLimiter {
    policy: Policy,
    callers: Callers,
    /// The day as of which callers were last dropped.
    swept: Option<i64>,
}

impl RateLimiter {
    /// A limiter that knows no caller yet.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self { policy, callers: Callers::default(), swept: None }
    }

    /// A limiter with the callers of a [snapshot](Self::snapshot), under the same policy or another. Of a scope that
    /// stands twice, the last.
    #[must_use]
    pub fn restore<S: AsRef<str>>(policy: Policy, callers: impl IntoIterator<Item = (S, Window)>) -> Self {
        let mut limiter = Self::new(policy);
        for (scope, window) in callers {
            limiter.callers.insert(scope.as_ref(), window);
        }
        limiter
    }

    /// All callers, sorted by scope.
    #[must_use]
    pub fn snapshot(&self) -> Vec<(&str, Window)> {
        let mut callers: Vec<_> = self.callers.iter().collect();
        callers.sort_unstable_by_key(|(scope, _)| *scope);
        callers
    }

    /// The policy that every caller is judged by.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// How many callers are held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.callers.len()
    }

    /// Whether no caller is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A call that counts.
    #[must_use]
    pub fn admit(&mut self, scope: &str, now: Time, cost: Cost) -> Verdict {
        let before = self.callers.get(scope);
        let Admission { window, verdict } = admit(&self.policy, before, now, cost);
        self.keep(scope, before, window, now);
        verdict
    }

    /// A request that does not count: it can only start the day's first window.
    pub fn touch(&mut self, scope: &str, now: Time) -> Window {
        let before = self.callers.get(scope);
        let window = touch(&self.policy, before, now);
        self.keep(scope, before, window, now);
        window
    }

    /// The verdict that [`admit`](Self::admit) would give; nothing is counted.
    #[must_use]
    pub fn peek(&self, scope: &str, now: Time, cost: Cost) -> Verdict {
        peek(&self.policy, self.callers.get(scope), now, cost)
    }

    fn keep(&mut self, scope: &str, before: Option<Window>, window: Window, now: Time) {
        if before != Some(window) {
            self.sweep(now);
            self.callers.insert(scope, window);
        }
    }

    /// Drops those who begin anew at their next call, even if the clock steps back as far as it is held for.
    fn sweep(&mut self, now: Time) {
        let policy = self.policy;
        let earliest = Time::saturating(now.as_ms().saturating_sub_unsigned(policy.hold_ms()));
        let day = policy.day(earliest);
        // A clock that trembles around midnight is no reason to look at everyone again and again.
        if self.swept.is_some_and(|swept| day == swept || day == swept.saturating_sub(1)) {
            return;
        }
        self.swept = Some(day);
        self.callers.retain(|window| View::new(&policy, Some(window), earliest).phase != Phase::Anchored);
    }
}

impl fmt::Debug for RateLimiter {
    /// Without the callers: a scope may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimiter").field("policy", &self.policy).field("len", &self.len()).finish_non_exhaustive()
    }
}
