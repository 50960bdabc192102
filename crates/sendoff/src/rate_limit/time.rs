//! Points in time.

use core::time::Duration;

use crate::document::checked;
use crate::error::Error;
use crate::value::{bounded, conversions};

/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, at most 8.64e15 before or after it.
///
/// The core reads no clock. The host does, once per request, and rounds down to milliseconds. Source: ECMA-262, time
/// values, so that every `Date` can be expressed.
///
/// ```
/// use sendoff::rate_limit::Time;
///
/// let now = Time::from_ms(1_750_000_000_000)?;
/// assert!(Time::EPOCH < now && now < Time::MAX);
/// assert!(Time::from_ms(8_640_000_000_000_001).is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
///
/// With `std` the host's clock is `Time::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?)?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    const MAX_MS: i64 = 8_640_000_000_000_000;

    /// The earliest, in the year −271821.
    pub const MIN: Self = Self(-Self::MAX_MS);
    /// 1970-01-01T00:00:00Z.
    pub const EPOCH: Self = Self(0);
    /// The latest, in the year 275760.
    pub const MAX: Self = Self(Self::MAX_MS);

    /// The time of a number of milliseconds.
    ///
    /// # Errors
    ///
    /// `range` outside [`Time::MIN`] to [`Time::MAX`].
    pub fn from_ms(ms: i64) -> Result<Self, Error> {
        checked(Self(ms))
    }

    /// Returns the time of a sum of milliseconds, clamped to the domain.
    pub(super) fn saturating(ms: i64) -> Self {
        Self(ms.clamp(-Self::MAX_MS, Self::MAX_MS))
    }

    /// The milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn as_ms(self) -> i64 {
        self.0
    }
}

conversions! { try
    /// The time that is this long after [`Time::EPOCH`], rounded down to milliseconds.
    Duration => Time: |since| Self::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
}

bounded!(
    Time: i64 by from_ms,
    "a time, an integer of milliseconds",
    -Self::MAX_MS,
    Self::MAX_MS,
    "a time, an integer of milliseconds since 1970-01-01T00:00:00Z"
);
