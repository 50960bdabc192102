//! Hex digits, read and written.
//!
//! The letter case of each digit is kept as one bit beside the bytes, so that a value holds plain
//! bytes and is still written as it came. The crate `hex` does not report the case of digits, and
//! in a WebAssembly module compiled for size, where iterator adapters are not inlined, it writes
//! digits five times slower. So eight digits are read and written at once, as one integer.

use alloc::vec::Vec;

use primitive_types::U256;

use super::number::{of_word, to_word};
use super::{Note, ParseError};
use crate::copy::copy;

/// The digits of a text that are capital letters: bit `at % 64` of item `at / 64` is the digit `at`.
pub(super) type Capitals = u64;

/// Eight digits or their values, the first in the lowest byte. An operation on all of them takes as long as on one. In a
/// sum each byte stays below 256, so that it does not change the next.
type Eight = u64;

/// The same byte eight times.
const fn eight(byte: u8) -> Eight {
    Eight::from_le_bytes([byte; 8])
}

/// The highest bit of each byte that is at least so much. The bytes are below 128, and `least` is not 0.
const fn at_least(least: u8, bytes: Eight) -> Eight {
    bytes.wrapping_add(eight(0x80_u8.wrapping_sub(least))) & eight(0x80)
}

/// Returns the digits after `0x`.
pub(super) fn hex_digits(text: &str) -> Option<&[u8]> {
    text.as_bytes().strip_prefix(b"0x")
}

/// Reads two digits for each byte, and returns whether some are capital letters; `None` if one is not a hex digit.
pub(super) fn read_bytes(digits: &[u8], bytes: &mut [u8]) -> Option<bool> {
    let mut seen = Seen { others: 0, capitals: 0 };
    let (groups, last_digits) = digits.as_chunks();
    let (places, last_bytes) = bytes.as_chunks_mut();
    for (place, group) in places.iter_mut().zip(groups) {
        *place = seen.read(*group);
    }
    if !last_bytes.is_empty() {
        let mut group = [b'0'; 8];
        copy(group.get_mut(..last_digits.len())?, last_digits);
        copy(last_bytes, seen.read(group).get(..last_bytes.len())?);
    }
    (seen.others == 0).then_some(seen.capitals != 0)
}

/// The kinds of bytes that were read: some highest bits are set if there was one.
struct Seen {
    /// Bytes that are not hex digits.
    others: Eight,
    capitals: Eight,
}

impl Seen {
    /// Reads eight digits.
    fn read(&mut self, digits: [u8; 8]) -> [u8; 4] {
        let digits = Eight::from_le_bytes(digits);
        let lower = digits | eight(0x20);
        let numerals = at_least(b'0', digits) & !at_least(b':', digits);
        let letters = at_least(b'a', lower) & !at_least(b'g', lower);
        // A byte of 128 or more may be taken for anything, and makes the same of its neighbour.
        self.others |= (!(numerals | letters) | digits) & eight(0x80);
        // Capital letters lack the bit 0x20.
        self.capitals |= letters & !(digits << 2);
        let values = (digits & eight(0xf)).wrapping_add((letters >> 7).wrapping_mul(9));
        let pairs = (values << 4 | values >> 8) & 0x00ff_00ff_00ff_00ff;
        let halves = (pairs | pairs >> 8) & 0x0000_ffff_0000_ffff;
        let [a, b, c, d, ..] = (halves | halves >> 16).to_le_bytes();
        [a, b, c, d]
    }
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
    out.reserve(bytes.len().saturating_mul(2));
    let (words, rest) = bytes.as_chunks();
    let mut capitals = capitals.iter();
    for word in words {
        out.extend_from_slice(&digits_of(word, capitals.next().copied().unwrap_or_default()));
    }
    if !rest.is_empty() {
        let mut padded = [0; 32];
        copy(padded.get_mut(..rest.len()).unwrap_or_default(), rest);
        let digits = digits_of(&padded, capitals.next().copied().unwrap_or_default());
        out.extend_from_slice(digits.get(..rest.len().saturating_mul(2)).unwrap_or_default());
    }
}

/// The digits of 32 bytes, those in `capitals` as capital letters.
pub(super) fn digits_of(bytes: &[u8; 32], mut capitals: Capitals) -> [u8; 64] {
    let mut digits = [0; 64];
    if capitals == 0 && cfg!(not(target_family = "wasm")) {
        // A loop of a fixed length without branches, which compilers turn into vector instructions.
        let digit = |value: u8| value.wrapping_add(if value > 9 { b'a' - 10 } else { b'0' });
        let pairs = digits.as_chunks_mut().0.iter_mut().zip(bytes);
        pairs.for_each(|(pair, byte)| *pair = [digit(byte >> 4), digit(byte & 0xf)]);
        return digits;
    }
    for (place, group) in digits.as_chunks_mut().0.iter_mut().zip(bytes.as_chunks().0) {
        let [first, ..] = capitals.to_le_bytes();
        *place = capitalized(digits_of_four(*group), first).to_le_bytes();
        capitals >>= 8;
    }
    digits
}

/// Eight digits, of which those in `capitals` lose the bit 0x20.
const fn capitalized(digits: Eight, capitals: u8) -> Eight {
    if capitals == 0 {
        return digits;
    }
    // One bit for each byte, the first for the first; a byte that has its bit is at least 1, so the
    // sum reaches 0x80.
    let bits = eight(capitals) & 0x8040_2010_0804_0201;
    digits & !((bits.wrapping_add(eight(0x7f)) & eight(0x80)) >> 2)
}

/// The digits of four bytes.
fn digits_of_four(bytes: [u8; 4]) -> Eight {
    let bytes = Eight::from(u32::from_le_bytes(bytes));
    let halves = (bytes | bytes << 16) & 0x0000_ffff_0000_ffff;
    let pairs = (halves | halves << 8) & 0x00ff_00ff_00ff_00ff;
    let values = (pairs >> 4 | pairs << 8) & eight(0xf);
    // `A` is 7 after the byte behind `9`. The bit 0x20 makes it lower case, and numerals have it.
    let letters = at_least(10, values);
    let gaps = (letters >> 4).wrapping_sub(letters >> 7);
    values.wrapping_add(eight(b'0')).wrapping_add(gaps) | eight(0x20)
}

/// A number and its hex notation: 1 to 64 digits, possibly with leading zeros.
#[derive(Clone, Copy)]
pub(super) struct HexNumber {
    pub(super) value: U256,
    capitals: Capitals,
    digits: u8,
}

impl HexNumber {
    const MAX_DIGITS: usize = 64;

    /// A number in lower case without leading zeros.
    pub(super) fn of(value: U256) -> Self {
        let digits = value.bits().div_ceil(4).max(1);
        Self { value, capitals: 0, digits: u8::try_from(digits).unwrap_or(u8::MAX) }
    }

    /// A number of 32 bytes, with all its digits.
    pub(super) const fn of_word(value: U256) -> Self {
        Self { value, capitals: 0, digits: 64 }
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
        Ok(Self { value: of_word(&word), capitals, digits })
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
        let start = Self::MAX_DIGITS.saturating_sub(usize::from(self.digits));
        let digits = digits_of(&to_word(self.value), self.capitals);
        out.extend_from_slice(b"0x");
        out.extend_from_slice(digits.get(start..).unwrap_or_default());
    }

    /// The number of digits that it is written with.
    pub(super) const fn digits(&self) -> u8 {
        self.digits
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
                            assert_eq!(hex::decode(&digits).unwrap(), bytes);
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
