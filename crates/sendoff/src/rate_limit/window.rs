//! The state of a caller.

use super::policy::{DAY_MS, MAX_COUNT};
use super::{Midnight, Phase, Policy, Time};
use crate::document::{Integer, checked, document};
use crate::error::Error;

type Count = Integer<0, MAX_COUNT>;

document! {
    /// The state of a caller: when the window of its last admitted call started, or of its day's first request, and how much of
    /// that window is taken.
    ///
    /// A caller without a state is `None`, `null` in JSON. The count is 0 to 2^21−1.
    ///
    /// ```
    /// use sendoff::rate_limit::{Time, Window};
    ///
    /// let window = Window::new(Time::from_ms(1_750_000_000_000)?, 1_499)?;
    /// assert_eq!(window, r#"{"start":1750000000000,"count":1499}"#.parse()?);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Copy)]
    pub struct Window: "a window, an object of `start` and `count`" {
        /// The start, in milliseconds since the epoch.
        "start" => pub(super) start: Time,
        /// The part of the limit that is used; it may exceed a limit that was lowered.
        "count" => pub(super) count: u32 => Row::of::<Count>("", ""),
    }
}

impl Window {
    /// Creates a window from its start and its count, 0 to 2^21−1.
    ///
    /// # Errors
    ///
    /// `range` at `count`.
    pub fn new(start: Time, count: u32) -> Result<Self, Error> {
        checked(Self { start, count })
    }

    /// The start of the window.
    #[must_use]
    pub const fn start(&self) -> Time {
        self.start
    }

    /// The part of the limit that is used.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }
}

/// The meaning of a caller's state at a time.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// The window of a call at that time, and its count.
    pub(super) window: Window,
    pub(super) phase: Phase,
    /// The end of the window, in milliseconds.
    pub(super) end: i64,
}

impl View {
    /// The first rule that applies decides; the order is part of the rule.
    #[expect(clippy::arithmetic_side_effects, reason = "times are far below 2^63")]
    pub(super) fn new(policy: &Policy, state: Option<Window>, now: Time) -> Self {
        let since_midnight = policy.since_midnight(now.as_ms());
        // A window that starts today, or that midnight does not end.
        let today = |window: Window, phase| {
            let midnight = now.as_ms() - since_midnight + DAY_MS;
            Self { window, phase, end: policy.end_in_day(window.start, midnight) }
        };
        let fresh = |phase| today(Window { start: now, count: 0 }, phase);
        let Some(window) = state else { return fresh(Phase::Anchored) };
        let window_ms = i64::from(policy.window_ms());
        let elapsed = now.as_ms() - window.start.as_ms();
        let runs = (0..window_ms).contains(&elapsed);

        if runs && policy.midnight() == Midnight::Carry {
            today(window, Phase::Same)
        } else if elapsed > since_midnight {
            fresh(Phase::Anchored)
        } else if runs {
            today(window, Phase::Same)
        } else if elapsed > 0 {
            let start =
                Time::saturating(now.as_ms() - elapsed.checked_rem(window_ms).unwrap_or_default());
            today(Window { start, count: 0 }, Phase::Rolled)
        } else if elapsed.unsigned_abs() <= policy.hold_ms() {
            Self { window, phase: Phase::Held, end: policy.end(window.start) }
        } else {
            fresh(Phase::SteppedBack)
        }
    }

    /// Returns the state after a request that takes nothing: it can only anchor the day.
    pub(super) fn touched(self, state: Option<Window>) -> Window {
        match (self.phase, state) {
            (Phase::Rolled | Phase::Same | Phase::Held, Some(state)) => state,
            _ => self.window,
        }
    }
}
