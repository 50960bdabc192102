//! All callers of one process.

use alloc::{string::String, vec::Vec};
use core::{fmt, ops::Range};

use serde::{Deserialize, Serialize};

use super::callers::{Callers, Slot};
use super::policy::DAY_MS;
use super::window::View;
use super::{Admission, Cost, Phase, Policy, Time, Verdict, Window, admit, peek, touch};
use crate::value::conversions;

/// The windows of many callers in the memory of one process, by scope.
///
/// A scope is the text that the host counts by. The specification's limit applies to an API key of an environment. Each
/// method answers like the function of the same name for the scope's state: [`admit`], [`touch`], [`peek`].
///
/// **Memory.** Under 24 bytes a caller beside the scope's text, from 20,000 callers on. A refusal or a peek changes
/// nothing. At 4 GiB of records, some 100 million callers in a day, all callers are forgotten and start anew.
///
/// **Days.** Callers of past days are dropped without a timer, by the first call that changes a state after the new day
/// has become as old as the hold time. That call visits every caller once: some 10 ms for a million callers that are
/// dropped, 150 ms for a million that stay. A dropped caller is answered like a new one. The functions would give the
/// same answer, unless the clock steps back further than the hold time.
///
/// **Threads.** The host puts a lock around it. The clock may be read before the lock is taken: times that arrive out
/// of order, within the hold time, do no harm.
///
/// ```
/// use core::time::Duration;
/// use sendoff::rate_limit::{Cost, Policy, RateLimiter, Time};
///
/// let mut limiter = RateLimiter::new(Policy::new(1, Duration::from_secs(60))?);
/// let now = Time::from_ms(1_750_000_000_000)?;
/// assert!(limiter.admit("production:key-1", now, Cost::ONE).is_admitted());
/// assert!(!limiter.admit("production:key-1", now, Cost::ONE).is_admitted());
/// assert!(limiter.admit("production:key-2", now, Cost::ONE).is_admitted());
///
/// let restored = RateLimiter::restore(*limiter.policy(), limiter.snapshot());
/// assert_eq!(restored.snapshot(), limiter.snapshot());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "State", into = "State")]
pub struct RateLimiter {
    policy: Policy,
    callers: Callers,
    /// The times at which no callers of past days are left to drop.
    swept: Range<i64>,
}

impl RateLimiter {
    /// Creates a limiter without callers.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        Self { policy, callers: Callers::default(), swept: 0..0 }
    }

    /// Creates a limiter with the callers of a [snapshot](Self::snapshot), under the same policy or another. If a scope
    /// occurs twice, the last one is kept.
    #[must_use]
    pub fn restore<S: AsRef<str>>(
        policy: Policy,
        callers: impl IntoIterator<Item = (S, Window)>,
    ) -> Self {
        let mut limiter = Self::new(policy);
        for (scope, window) in callers {
            limiter.callers.insert(scope.as_ref(), window);
        }
        limiter
    }

    /// Returns all callers, sorted by scope.
    #[must_use]
    pub fn snapshot(&self) -> Vec<(&str, Window)> {
        let mut callers: Vec<_> = self.callers.iter().collect();
        callers.sort_unstable_by_key(|(scope, _)| *scope);
        callers
    }

    /// The policy for every caller.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The number of callers held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.callers.len()
    }

    /// `true` if no caller is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Judges a call that counts.
    #[must_use]
    pub fn admit(&mut self, scope: &str, now: Time, cost: Cost) -> Verdict {
        let policy = self.policy;
        self.change(scope, now, |before| {
            let Admission { window, verdict } = admit(&policy, before, now, cost);
            (window, verdict)
        })
    }

    /// Notes a request that does not count: it can only start the day's first window.
    pub fn touch(&mut self, scope: &str, now: Time) -> Window {
        let policy = self.policy;
        self.change(scope, now, |before| {
            let window = touch(&policy, before, now);
            (window, window)
        })
    }

    /// Returns the verdict that [`admit`](Self::admit) would give; nothing is counted.
    #[must_use]
    pub fn peek(&self, scope: &str, now: Time, cost: Cost) -> Verdict {
        peek(&self.policy, self.callers.find(scope), now, cost)
    }

    /// Changes a caller's state, with one look-up unless the caller is new or others are dropped.
    #[inline]
    fn change<Answer>(
        &mut self,
        scope: &str,
        now: Time,
        next: impl FnOnce(Option<Window>) -> (Window, Answer),
    ) -> Answer {
        let is_swept = self.swept.contains(&now.as_ms());
        let found = self.callers.find_mut(scope);
        let before = found.as_ref().map(Slot::window);
        let (window, answer) = next(before);
        match found {
            Some(slot) if is_swept => slot.set(window),
            None if is_swept => self.callers.append(scope.as_bytes(), window),
            _ if before == Some(window) => {}
            _ => {
                self.sweep(now);
                self.callers.insert(scope, window);
            }
        }
        answer
    }

    /// Drops the callers whose next call starts anew, even if the clock steps back by the whole hold time.
    #[cold]
    #[expect(clippy::arithmetic_side_effects, reason = "times are far below 2^63")]
    fn sweep(&mut self, now: Time) {
        let policy = self.policy;
        let before = now.as_ms().saturating_sub_unsigned(policy.hold_ms());
        let earliest = Time::saturating(before);
        self.callers
            .retain(|window| View::new(&policy, Some(window), earliest).phase != Phase::Anchored);
        // A clock that moves back and forth around midnight must not cause a visit of all callers
        // each time, so nothing is dropped in the day before either.
        let end = now.as_ms() - policy.since_midnight(before) + DAY_MS;
        self.swept = end - 2 * DAY_MS..end;
    }
}

/// A limiter as serde has it: `{policy, callers: [[scope, window]]}`, sorted by scope.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    policy: Policy,
    callers: Vec<(String, Window)>,
}

conversions! {
    State => RateLimiter: |State { policy, callers }| Self::restore(policy, callers);
    RateLimiter => State: |limiter| {
        let callers = limiter.snapshot().into_iter();
        let callers = callers.map(|(scope, window)| (scope.into(), window)).collect();
        Self { policy: limiter.policy, callers }
    };
}

impl fmt::Debug for RateLimiter {
    /// Leaves the callers out: a scope may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimiter")
            .field("policy", &self.policy)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
