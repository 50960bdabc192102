//! The answer to a call.

use core::num::NonZeroU64;

use super::policy::MAX_COUNT;
use crate::document::{
    Choice, Fields, Integer, Is, MAX_SAFE, Record, Recorded, Row, Shown, Table, traits,
};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The call may pass, and is counted.
    Admitted {
        /// The position of the call in its window.
        phase: Phase,
        /// The rest of the window's limit.
        remaining: u32,
        /// The seconds until the window ends, rounded up.
        reset_after: u64,
    },
    /// The call may not pass, and is not counted.
    Refused {
        /// The position of the call in its window.
        phase: Phase,
        /// The seconds until the window ends, rounded up, at least 1: the value of the header `retry-after`. After this
        /// time the same call is admitted, unless others came first. One second earlier it is still refused.
        retry_after: NonZeroU64,
    },
}

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

/// By whether the call is admitted.
static VERDICT: Choice = Choice::answer(
    "admitted",
    Is::Flag,
    &[("true", &ADMITTED), ("false", &REFUSED)],
    "The verdict on a call. A refusal is a value, not an error.",
);

pub(super) const IS_ADMITTED: Row = Row::of::<bool>("admitted", "Whether the call may pass.");
const PHASE: Row = Row::of::<Phase>("phase", "The position of the call in its window.");

pub(super) const REMAINING: Row =
    Row::of::<Integer<0, MAX_COUNT>>("remaining", "The rest of the window's limit.");
pub(super) const RESET_AFTER: Row =
    Row::of::<Integer<0, MAX_SAFE>>("resetAfter", "The seconds until the window ends, rounded up.");

static ADMITTED: Table = Table {
    rows: &[IS_ADMITTED, PHASE, REMAINING, RESET_AFTER],
    ..Table::answer("The call may pass, and is counted.")
};

static REFUSED: Table = Table {
    rows: &[
        IS_ADMITTED,
        PHASE,
        Row::of::<Integer<1, MAX_SAFE>>(
            "retryAfter",
            "The seconds until the window ends, rounded up, at least 1: the value of the header `retry-after`. After this \
             time the same call is admitted, unless others came first. One second earlier it is still refused.",
        ),
    ],
    ..Table::answer("The call may not pass, and is not counted.")
};

impl Shown for Verdict {
    const SHAPE: Is = Is::Choice(&VERDICT);

    fn record(&self) -> Record {
        match *self {
            Self::Admitted { phase, remaining, reset_after } => Record::of(&ADMITTED)
                .with(&true)
                .with(&phase)
                .with_number(remaining)
                .with_number(reset_after),
            Self::Refused { phase, retry_after } => {
                Record::of(&REFUSED).with(&false).with(&phase).with_number(retry_after.get())
            }
        }
    }
}

impl Recorded for Verdict {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        let (is_admitted, phase) = (fields.next()?, fields.next()?);
        Some(if is_admitted {
            Self::Admitted { phase, remaining: fields.number()?, reset_after: fields.number()? }
        } else {
            Self::Refused { phase, retry_after: fields.number().and_then(NonZeroU64::new)? }
        })
    }
}

traits!(Verdict: read, write, serialize, schema);
