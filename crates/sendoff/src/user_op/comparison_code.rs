//! A short code with which people compare what two devices are about to sign.

use alloc::vec::Vec;

use crate::document::{Is, Kind, Record, Valued, traits};
use crate::keccak::keccak256;
use crate::value::{Word, WriteText, conversions, newtype, write_decimal};

/// 24 digits of an operation's hash, in six groups of four, for people who compare two screens.
///
/// The code compares two screens. It proves nothing about a signature: a page that shows one operation can have another
/// one signed.
///
/// Two given operations have the same code by chance once in 10^24. Without a challenge, an attacker who can choose both
/// operations finds two with the same code in about 10^12 tries. A [`Challenge`] that the second device chooses after it
/// has the operation makes that 10^24 tries again.
///
/// ```
/// use sendoff::user_op::ComparisonCode;
/// use sendoff::value::Word;
///
/// let hash: Word = "0xef57306958a351906f699b2ceef82e4dff6203ffecd44c5f86ab116bd8461ef5".parse()?;
/// assert_eq!(ComparisonCode::new(hash).to_string(), "5971 4155 9717 3818 4085 3003");
///
/// let hash: Word = "0x70313722b585bcd7a1dc585b8d45588494c493e4cada164b46d7831b2e41afc3".parse()?;
/// let challenge = "528231649302603747".parse()?;
/// assert_eq!(ComparisonCode::challenged(hash, &challenge).to_string(), "4334 6672 0015 8052 7645 6998");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComparisonCode {
    digits: [u8; Self::DIGITS],
}

impl ComparisonCode {
    const DIGITS: usize = 24;

    /// The first 16 bytes of the Keccak-256 hash of `sendoff comparison code 1` and the hash, modulo 10^24.
    #[must_use]
    pub fn new(hash: Word) -> Self {
        Self::of_bytes(hash, "")
    }

    /// The same with the digits of a challenge behind the hash.
    #[must_use]
    pub fn challenged(hash: Word, challenge: &Challenge) -> Self {
        Self::of_bytes(hash, challenge.as_str())
    }

    fn of_bytes(hash: Word, challenge: &str) -> Self {
        let digest =
            keccak256(&[&b"sendoff comparison code 1"[..], hash.as_ref(), challenge.as_bytes()]);
        Self::of_number(
            digest.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte)),
        )
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

impl WriteText for ComparisonCode {
    fn write_text(&self, out: &mut Vec<u8>) {
        for (at, digit) in self.digits.iter().enumerate() {
            if at > 0 && at.is_multiple_of(4) {
                out.push(b' ');
            }
            out.push(*digit);
        }
    }
}

conversions!(displayed ComparisonCode);

impl Valued for ComparisonCode {
    const IS: Is = Is::Text(&Kind::TEXT);

    fn record(&self) -> Record {
        Record::alone(&self.to_text())
    }
}

traits!(ComparisonCode: debug, serialize, schema(|_| crate::document::schema::text(
    "24 digits in six groups of four, for people who compare two screens.",
    "^[0-9]{4}( [0-9]{4}){5}$"
)));

newtype! {
    /// A random number that the second device chooses after it has the operation: 6 to 32 decimal digits.
    ///
    /// ```
    /// use sendoff::user_op::Challenge;
    ///
    /// assert_eq!("007311".parse::<Challenge>()?.as_str(), "007311");
    /// assert!("7311".parse::<Challenge>().is_err());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Challenge: "a challenge of 6 to 32 decimal digits",
        |text| (6..=32).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit()),
        pattern "^[0-9]{6,32}$"
}

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
            assert_eq!(
                (found.to_string(), format!("{found:?}")),
                (code.into(), format!("ComparisonCode({code})"))
            );
        }
    }
}
