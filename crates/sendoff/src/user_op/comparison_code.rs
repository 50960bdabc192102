//! A short code by which two devices see that they are about to sign the same.

use alloc::{format, string::ToString, vec::Vec};
use core::fmt;

use primitive_types::H256;
use serde::ser::{Serialize, Serializer};

use crate::document::{Write, schema};
use crate::keccak::keccak256;

/// 24 digits of an operation's hash, in six groups of four, for people who compare two screens.
///
/// Two operations have the same code by chance once in 10^24. Somebody who looks for two operations with the same code
/// needs about 10^12 tries, so the code is for comparing an operation that each device computed by itself from request
/// and reply; it does not replace the hash.
///
/// ```
/// use sendoff::user_op::ComparisonCode;
/// use sendoff::value::Word;
///
/// let hash: Word = "0xef57306958a351906f699b2ceef82e4dff6203ffecd44c5f86ab116bd8461ef5".parse()?;
/// assert_eq!(ComparisonCode::of(hash.to_h256()).to_string(), "5971 4155 9717 3818 4085 3003");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ComparisonCode(u128);

impl ComparisonCode {
    /// The first 16 bytes of the Keccak-256 hash of `sendoff comparison code 1` and the hash, modulo 10^24.
    #[must_use]
    pub fn of(hash: H256) -> Self {
        const DIGITS_24: u128 = 1_000_000_000_000_000_000_000_000;
        let digest = keccak256([&b"sendoff comparison code 1"[..], hash.as_bytes()]);
        let half = digest.first_chunk().copied().unwrap_or_default();
        Self(u128::from_be_bytes(half) % DIGITS_24)
    }
}

impl fmt::Display for ComparisonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, digit) in format!("{:024}", self.0).chars().enumerate() {
            let space = if at > 0 && at.is_multiple_of(4) { " " } else { "" };
            write!(f, "{space}{digit}")?;
        }
        Ok(())
    }
}

impl Serialize for ComparisonCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Write for ComparisonCode {
    fn write(&self, out: &mut Vec<u8>) {
        self.to_string().write(out);
    }
}

schema::of!(ComparisonCode, |_| schema::text(
    "24 digits in six groups of four, for people who compare two screens.",
    "^[0-9]{4}( [0-9]{4}){5}$"
));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_keep_their_zeros() {
        assert_eq!(ComparisonCode(0).to_string(), "0000 0000 0000 0000 0000 0000");
        assert_eq!(ComparisonCode(70_012_345).to_string(), "0000 0000 0000 0000 7001 2345");
        assert_eq!(ComparisonCode(999_999_999_999_999_999_999_999).to_string(), "9999 9999 9999 9999 9999 9999");
    }
}
