//! A short code with which people compare what two devices are about to sign.

use alloc::{string::ToString, vec::Vec};
use core::fmt::{self, Write as _};

use serde::ser::{Serialize, Serializer};

use crate::document::{Write, schema};
use crate::keccak::keccak256;
use crate::value::{Word, write_decimal};

/// 24 digits of an operation's hash, in six groups of four, for people who compare two screens.
///
/// Two given operations have the same code by chance once in 10^24. To find any two operations with the same code, an
/// attacker needs about 10^12 tries. So compare codes of an operation that each device computed itself from request and
/// reply; the code does not replace the hash.
///
/// ```
/// use sendoff::user_op::ComparisonCode;
/// use sendoff::value::Word;
///
/// let hash: Word = "0xef57306958a351906f699b2ceef82e4dff6203ffecd44c5f86ab116bd8461ef5".parse()?;
/// assert_eq!(ComparisonCode::of(hash).to_string(), "5971 4155 9717 3818 4085 3003");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ComparisonCode {
    digits: [u8; Self::DIGITS],
}

impl ComparisonCode {
    const DIGITS: usize = 24;

    /// The first 16 bytes of the Keccak-256 hash of `sendoff comparison code 1` and the hash, modulo 10^24.
    #[must_use]
    pub fn of(hash: Word) -> Self {
        let digest = keccak256([&b"sendoff comparison code 1"[..], hash.as_ref()]);
        Self::of_number(digest.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte)))
    }

    /// The last digits of a number. Builds then need no division of 128 bits.
    fn of_number(number: u128) -> Self {
        let (mut digits, mut decimal) = ([b'0'; Self::DIGITS], Vec::new());
        write_decimal(number.into(), &mut decimal);
        for (digit, found) in digits.iter_mut().rev().zip(decimal.into_iter().rev()) {
            *digit = found;
        }
        Self { digits }
    }
}

impl fmt::Debug for ComparisonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ComparisonCode({self})")
    }
}

impl fmt::Display for ComparisonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, digit) in self.digits.iter().enumerate() {
            if at > 0 && at.is_multiple_of(4) {
                f.write_char(' ')?;
            }
            f.write_char(char::from(*digit))?;
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
    use alloc::{format, string::ToString};

    #[test]
    fn codes_keep_their_zeros() {
        for (number, code) in [
            (0, "0000 0000 0000 0000 0000 0000"),
            (70_012_345, "0000 0000 0000 0000 7001 2345"),
            (999_999_999_999_999_999_999_999, "9999 9999 9999 9999 9999 9999"),
            (1_000_000_000_000_000_000_000_000, "0000 0000 0000 0000 0000 0000"),
            (u128::MAX, "4634 6337 4607 4317 6821 1455"),
        ] {
            let found = ComparisonCode::of_number(number);
            assert_eq!((found.to_string(), format!("{found:?}")), (code.into(), format!("ComparisonCode({code})")));
        }
    }
}
