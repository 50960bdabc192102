//! One request of one caller.

use super::policy::MAX_COUNT;
use super::window::View;
use super::{Cost, Policy, Time, Verdict, Window};
use crate::document::{Integer, document};

document! {
    /// A verdict, and the state for the next call of the same caller.
    ///
    /// ```
    /// use sendoff::rate_limit::{Admission, Cost, Policy, Time, admit};
    ///
    /// let Admission { window, verdict } = admit(&Policy::PRODUCTION, None, Time::EPOCH, Cost::ONE);
    /// assert_eq!(window.count(), 1);
    /// assert!(verdict.is_admitted());
    /// ```
    #[derive(Copy)]
    pub struct Admission: "", open Ignored, displayed by nobody {
        /// The state after the call; after a refusal, the unchanged state before it.
        "window" => pub window: Window,
        /// The verdict: whether the call may pass.
        "verdict" => pub verdict: Verdict,
    }
}

/// Judges a call that counts: returns the verdict and the caller's next state.
///
/// A cost from another policy that is above this policy's limit is refused. It only anchors the day, as [`touch`] does.
///
/// ```
/// use core::{num::NonZeroU64, time::Duration};
/// use sendoff::rate_limit::{Cost, Phase, Policy, Time, Verdict, admit};
///
/// let policy = Policy::new(1, Duration::from_secs(60))?;
/// let first = admit(&policy, None, Time::from_ms(0)?, Cost::ONE);
/// assert_eq!(first.verdict, Verdict::Admitted { phase: Phase::Anchored, remaining: 0, reset_after: 60 });
/// let second = admit(&policy, Some(first.window), Time::from_ms(500)?, Cost::ONE);
/// let retry_after = NonZeroU64::new(60).unwrap();
/// assert_eq!(second.verdict, Verdict::Refused { phase: Phase::Same, retry_after });
/// let third = admit(&policy, Some(second.window), Time::from_ms(60_500)?, Cost::ONE);
/// assert_eq!(third.window.start(), Time::from_ms(60_000)?);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
#[inline]
pub fn admit(policy: &Policy, window: Option<Window>, now: Time, cost: Cost) -> Admission {
    let view = View::new(policy, window, now);
    let phase = view.phase;
    let taken = view.window.count.saturating_add(cost.value());
    // The window of a call ends after the call, even if the clock was set back, so the rounded-up
    // result is never 0. Rounded up by a sum, which cannot overflow; `div_ceil` takes the remainder
    // as well.
    let seconds = view.end.abs_diff(now.as_ms()).wrapping_add(999) / 1_000;

    match policy.limit().checked_sub(taken) {
        Some(remaining) => Admission {
            window: Window { count: taken, ..view.window },
            verdict: Verdict::Admitted { phase, remaining, reset_after: seconds },
        },
        None => {
            Admission { window: view.touched(window), verdict: Verdict::refused(phase, seconds) }
        }
    }
}

/// Returns the caller's next state after a request that does not count.
///
/// Any API request starts the day's first window if none did before. Otherwise it changes nothing.
///
/// ```
/// use sendoff::rate_limit::{Policy, Time, touch};
///
/// let noon = Time::from_ms(43_200_000)?;
/// let window = touch(&Policy::PRODUCTION, None, noon);
/// assert_eq!((window.start(), window.count()), (noon, 0));
/// let later = Time::from_ms(45_000_000)?;
/// assert_eq!(touch(&Policy::PRODUCTION, Some(window), later), window);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[must_use]
pub fn touch(policy: &Policy, window: Option<Window>, now: Time) -> Window {
    View::new(policy, window, now).touched(window)
}

/// Returns the verdict that [`admit`] would give; nothing is counted.
///
/// ```
/// use sendoff::rate_limit::{Cost, Phase, Policy, Time, Verdict, peek};
///
/// let verdict = peek(&Policy::PRODUCTION, None, Time::EPOCH, Cost::ONE);
/// assert_eq!(verdict, Verdict::Admitted { phase: Phase::Anchored, remaining: 1499, reset_after: 300 });
/// ```
#[must_use]
pub fn peek(policy: &Policy, window: Option<Window>, now: Time, cost: Cost) -> Verdict {
    admit(policy, window, now, cost).verdict
}

/// A cost under any policy.
pub(crate) type AnyCost = Integer<1, MAX_COUNT>;
