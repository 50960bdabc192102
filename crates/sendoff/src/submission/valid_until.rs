//! The end of a job's operations.

use crate::document::{Integer, number_value};
use crate::error::Error;

/// The time after which the chain executes no operation of a job, in seconds since the epoch, from 1 to 2^48−1.
///
/// ```
/// use sendoff::submission::ValidUntil;
///
/// assert_eq!(ValidUntil::new(1_747_710_819).map(ValidUntil::value), Ok(1_747_710_819));
/// assert!(ValidUntil::new(0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValidUntil(u64);

impl ValidUntil {
    const MAX: i64 = (1 << 48) - 1;

    /// The time.
    ///
    /// # Errors
    ///
    /// `range` if the number is out of bounds.
    pub fn new(seconds: u64) -> Result<Self, Error> {
        Integer::<1, { Self::MAX }>::new(seconds).map(|_| Self(seconds))
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

number_value!(ValidUntil: u64 by new, "seconds since the epoch, an integer from 1 to 2^48−1", 1, Self::MAX);
