//! The answer to a call.

use core::num::NonZeroU64;

use super::policy::MAX_COUNT;
use crate::document::{Integer, MAX_SAFE, choice, traits};
use crate::value::keyword;

keyword! {
    /// The position of a call in its window.
    ///
    /// ```
    /// use sendoff::rate_limit::Phase;
    ///
    /// assert_eq!(Phase::SteppedBack.to_string(), "stepped-back");
    /// ```
    pub enum Phase: "`anchored`, `rolled`, `same`, `held` or `stepped-back`" {
        /// The call is the day's first: its window starts now, and the day's other windows follow from it.
        "anchored" => Anchored,
        /// The previous window is over. This one started a whole number of windows after the day's first.
        "rolled" => Rolled,
        /// The window is running.
        "same" => Same,
        /// The clock is before the window's start, within the hold time: the window is kept.
        "held" => Held,
        /// The clock is further before the window's start: the caller starts anew, as with a day's first call. A clock
        /// that was wrongly ahead must not lock anyone out. Worth a line in a log.
        "stepped-back" => SteppedBack,
    }
}

choice! {
    /// The verdict on a call. A refusal is a value, not an error.
    ///
    /// In JSON `{admitted: true, phase, remaining, resetAfter}` or `{admitted: false, phase, retryAfter}`.
    ///
    /// ```
    /// use sendoff::rate_limit::{Cost, Policy, Time, Verdict, Window, peek};
    ///
    /// let full = Window::new(Time::EPOCH, 1500)?;
    /// let verdict = peek(&Policy::PRODUCTION, Some(full), Time::from_ms(299_001)?, Cost::ONE);
    /// assert!(matches!(verdict, Verdict::Refused { retry_after, .. } if retry_after.get() == 1));
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Copy)]
    pub enum Verdict: "a verdict, an object with `admitted`", "admitted": "Whether the call may pass.", open Ignored {
        /// The call may pass, and is counted.
        "true" => Admitted {
            /// The position of the call in its window.
            "phase" => phase: Phase,
            /// The rest of the window's limit.
            "remaining" => remaining: u32 => Row::of::<Remaining>("", ""),
            /// The seconds until the window ends, rounded up.
            "resetAfter" => reset_after: u64 => Row::of::<ResetAfter>("", ""),
        },
        /// The call may not pass, and is not counted.
        "false" => Refused {
            /// The position of the call in its window.
            "phase" => phase: Phase,
            /// The seconds until the window ends, rounded up, at least 1: the value of the header `retry-after`. After this
            /// time the same call is admitted, unless others came first. One second earlier it is still refused.
            "retryAfter" => retry_after: NonZeroU64 => Row::of::<Integer<1, MAX_SAFE>>("", ""),
        },
    }
}

pub(super) type Remaining = Integer<0, MAX_COUNT>;
pub(super) type ResetAfter = Integer<0, MAX_SAFE>;

impl Verdict {
    /// A refusal until the end of a window in this many seconds.
    pub(super) fn refused(phase: Phase, seconds: u64) -> Self {
        Self::Refused { phase, retry_after: NonZeroU64::new(seconds).unwrap_or(NonZeroU64::MIN) }
    }

    /// `true` if the call may pass.
    #[must_use]
    pub const fn is_admitted(&self) -> bool {
        matches!(self, Self::Admitted { .. })
    }

    /// The position of the call in its window.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        match *self {
            Self::Admitted { phase, .. } | Self::Refused { phase, .. } => phase,
        }
    }
}

traits!(Verdict: read, serialize, schema);
