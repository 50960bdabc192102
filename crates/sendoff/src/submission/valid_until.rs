//! The end of a job's operations.

use crate::document::number_value;

number_value! {
    /// The time after which the chain executes no operation of a job, in seconds since the epoch, from 1 to 2^48−1.
    ///
    /// ```
    /// use sendoff::submission::ValidUntil;
    ///
    /// assert_eq!(ValidUntil::new(1_747_710_819).map(ValidUntil::value), Ok(1_747_710_819));
    /// assert!(ValidUntil::new(0).is_err());
    /// ```
    pub struct ValidUntil: "seconds since the epoch, an integer from 1 to 2^48−1", 1, (1 << 48) - 1
}
