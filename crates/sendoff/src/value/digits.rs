//! Hex digits, read and written.
//!
//! The letter case of each digit is kept as one bit beside the bytes, so that a value holds plain bytes and is still written as it
//! came.

use alloc::vec::Vec;
use core::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

use primitive_types::U256;

use super::number::{of_word, to_word};
use super::{Note, ParseError};
use crate::copy::copy;

/// The digits of a text that are capital letters: bit `at % 64` of item `at / 64` is the digit `at`.
pub(super) type Capitals = u64;

/// How a value is written: all ways are equal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spelling<T>(pub(super) T);

impl<T> PartialEq for Spelling<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Spelling<T> {}

impl<T> PartialOrd for Spelling<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Spelling<T> {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl<T> Hash for Spelling<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Returns the digits after `0x`.
pub(super) fn hex_digits(text: &str) -> Option<&[u8]> {
    text.as_bytes().strip_prefix(b"0x")
}

/// Reads two digits for each byte, and returns whether some are capital letters; `None` if one is not a hex digit.
pub(super) fn read_bytes(digits: &[u8], bytes: &mut [u8]) -> Option<bool> {
    const_hex::decode_to_slice(digits, bytes).ok()?;
    // Of the digits only capital letters lack this bit. All are read, because a loop without an end of its own is made of vectors.
    Some(digits.iter().fold(0x20, |all, digit| all & digit) == 0)
}

/// Sets the bits of the digits that are capital letters, as many as there is room for.
pub(super) fn capitals_of(digits: &[u8], capitals: &mut [Capitals]) {
    for (bits, digits) in capitals.iter_mut().zip(digits.chunks(64)) {
        *bits = digits
            .iter()
            .rev()
            .fold(0, |bits, digit| bits << 1 | Capitals::from(digit.is_ascii_uppercase()));
    }
}

/// Reads exactly `N` bytes after `0x`, and which of their digits are capitals.
pub(super) fn read_fixed<const N: usize, const WORDS: usize>(
    text: &str,
) -> Result<([u8; N], [Capitals; WORDS]), ParseError> {
    let digits = hex_digits(text).ok_or(ParseError::FORMAT)?;
    if digits.len() != N.saturating_mul(2) {
        return Err(of_hex(digits, ParseError::format(&Note::LENGTH)));
    }
    read_digits(digits)
}

/// Reads so many digits, and which of them are capital letters.
pub(super) fn read_digits<const N: usize, const WORDS: usize>(
    digits: &[u8],
) -> Result<([u8; N], [Capitals; WORDS]), ParseError> {
    let (mut bytes, mut capitals) = ([0; N], [0; WORDS]);
    if read_bytes(digits, &mut bytes).ok_or(ParseError::FORMAT)? {
        capitals_of(digits, &mut capitals);
    }
    Ok((bytes, capitals))
}

/// The error of digits that are not as many as they should be; of other text the error is its form.
pub(super) fn of_hex(digits: &[u8], error: ParseError) -> ParseError {
    if digits.iter().all(u8::is_ascii_hexdigit) { error } else { ParseError::FORMAT }
}

/// Writes `0x` and the digits of bytes, those in `capitals` as capital letters.
pub(super) fn write_bytes(bytes: &[u8], capitals: &[Capitals], out: &mut Vec<u8>) {
    out.extend_from_slice(b"0x");
    write_digits(bytes, capitals, out);
}

/// Writes the digits of bytes, those in `capitals` as capital letters.
pub(crate) fn write_digits(bytes: &[u8], capitals: &[Capitals], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start.saturating_add(bytes.len().saturating_mul(2)), 0);
    let digits = out.get_mut(start..).unwrap_or_default();
    if const_hex::encode_to_slice(bytes, digits).is_ok() {
        for (digits, bits) in digits.chunks_mut(64).zip(capitals).filter(|(_, bits)| **bits != 0) {
            capitalize(digits.iter_mut(), *bits);
        }
    }
}

/// Makes these digits capital letters. Goes from one to the next, because nothing foretells which of random digits are capitals.
pub(super) fn capitalize<'d>(mut digits: impl Iterator<Item = &'d mut u8>, mut capitals: Capitals) {
    while capitals != 0
        && let Ok(others) = usize::try_from(capitals.trailing_zeros())
        && let Some(digit) = digits.nth(others)
    {
        digit.make_ascii_uppercase();
        capitals = capitals.wrapping_shr(capitals.trailing_zeros()) >> 1;
    }
}

/// A number and its hex notation: 1 to 64 digits, possibly with leading zeros.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct HexNumber {
    pub(super) value: U256,
    /// Which digits are capital letters, and the number of digits.
    spelling: Spelling<(Capitals, u8)>,
}

impl HexNumber {
    const MAX_DIGITS: usize = 64;

    /// A number in lower case without leading zeros.
    pub(super) fn of(value: U256) -> Self {
        let digits = value.bits().div_ceil(4).max(1);
        Self { value, spelling: Spelling((0, u8::try_from(digits).unwrap_or(u8::MAX))) }
    }

    /// A number of 32 bytes, with all its digits.
    pub(super) const fn of_word(value: U256) -> Self {
        Self { value, spelling: Spelling((0, 64)) }
    }

    /// Reads a number of any digits; `ParseError::RANGE` if more than 64 remain without leading zeros.
    pub(super) fn read(digits: &[u8]) -> Result<Self, ParseError> {
        let count = digits.len();
        let Some(padding) = Self::MAX_DIGITS.checked_sub(count).filter(|_| count > 0) else {
            let significant = digits.iter().skip_while(|digit| **digit == b'0').count();
            let is_long = significant > Self::MAX_DIGITS;
            return Err(if is_long {
                of_hex(digits, ParseError::RANGE)
            } else {
                ParseError::FORMAT
            });
        };

        let mut padded = [b'0'; Self::MAX_DIGITS];
        copy(padded.get_mut(padding..).unwrap_or_default(), digits);
        let (word, [capitals]) = read_digits(&padded)?;
        let digits = u8::try_from(count).map_err(|_| ParseError::FORMAT)?;
        Ok(Self { value: of_word(&word), spelling: Spelling((capitals, digits)) })
    }

    /// Reads a number after `0x`, which has no leading zero; zero itself is `0x0`.
    pub(super) fn read_quantity(text: &str) -> Result<Self, ParseError> {
        let digits = hex_digits(text).ok_or(ParseError::FORMAT)?;
        if let [b'0', rest @ ..] = digits
            && !rest.is_empty()
        {
            return Err(of_hex(rest, ParseError::format(&Note::LEADING_ZERO)));
        }
        Self::read(digits)
    }

    /// Writes `0x` and the digits as they were read.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let Spelling((capitals, count)) = self.spelling;
        let mut digits = [0; Self::MAX_DIGITS];
        if const_hex::encode_to_slice(to_word(self.value), &mut digits).is_ok() && capitals != 0 {
            capitalize(digits.iter_mut(), capitals);
        }
        let start = Self::MAX_DIGITS.saturating_sub(count.into());
        out.extend_from_slice(b"0x");
        out.extend_from_slice(digits.get(start..).unwrap_or_default());
    }

    /// The number of digits that it is written with.
    pub(super) const fn digits(&self) -> u8 {
        self.spelling.0.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_at_each_place_of_a_group() {
        for length in [2, 8, 10, 16] {
            for at in 0..length {
                for byte in (0..=u8::MAX).step_by(if cfg!(miri) { 13 } else { 1 }) {
                    for neighbour in *b"09afAF" {
                        let mut digits = alloc::vec![neighbour; length];
                        digits[at] = byte;
                        let mut bytes = alloc::vec![0; length / 2];
                        let read = read_bytes(&digits, &mut bytes);
                        let mut capitals = [0];
                        capitals_of(&digits, &mut capitals);
                        assert_eq!(read.is_some(), byte.is_ascii_hexdigit(), "{byte} at {at}");
                        if let Some(has_capitals) = read {
                            assert_eq!(has_capitals, capitals != [0]);
                            assert_eq!(const_hex::decode(&digits).unwrap(), bytes);
                            let mut written = Vec::new();
                            write_digits(&bytes, &capitals, &mut written);
                            assert_eq!(written, digits);
                        }
                    }
                }
            }
        }
    }
}
