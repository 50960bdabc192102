//! Hex digits and decimals, read and written.
//!
//! The letter case of each digit is kept as one bit beside the bytes, so that a value holds plain bytes and is still
//! written as it came. The crate `hex` does not report the case of digits, and takes twice as long as a table. In a
//! WebAssembly module compiled for size, where iterator adapters are not inlined, it writes digits five times slower: so the
//! loops over digits here use no adapters.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::Fault;
use crate::copy::copy;

/// The digits of a text that are capital letters: bit `at % 64` of item `at / 64` is the digit `at`.
pub(super) type Capitals = u64;

/// The value of each byte as a hex digit; [`NOT_HEX`] for every other byte.
static VALUES: [u8; 256] = values();

/// Larger than the value of any digit.
const NOT_HEX: u8 = 0xff;

const LOWER: [u8; 16] = *b"0123456789abcdef";

#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a constant: what fails does not compile")]
#[expect(clippy::as_conversions, reason = "`From` is not const; a byte fits a usize")]
const fn values() -> [u8; 256] {
    let mut values = [NOT_HEX; 256];
    let mut value = 0;
    while value < 16 {
        let digit = LOWER[value as usize];
        values[digit as usize] = value;
        values[digit.to_ascii_uppercase() as usize] = value;
        value += 1;
    }
    values
}

/// The value of one digit.
fn value_of(digit: u8) -> u8 {
    VALUES.get(usize::from(digit)).copied().unwrap_or(NOT_HEX)
}

/// Returns the digits after `0x`.
pub(super) fn hex_digits(text: &str) -> Option<&[u8]> {
    text.as_bytes().strip_prefix(b"0x")
}

/// Reads two digits for each byte; `None` if one is not a hex digit.
pub(super) fn read_bytes(digits: &[u8], bytes: &mut [u8]) -> Option<()> {
    let (mut seen, mut rest) = (0, digits);
    for byte in bytes {
        let [high, low, after @ ..] = rest else { break };
        let (high, low) = (value_of(*high), value_of(*low));
        seen |= high | low;
        *byte = high << 4 | low & 0xf;
        rest = after;
    }
    (seen != NOT_HEX).then_some(())
}

/// Returns which digits are capital letters, as many as there is room for.
pub(super) fn capitals_of(digits: &[u8], capitals: &mut [Capitals]) {
    for (bits, digits) in capitals.iter_mut().zip(digits.chunks(64)) {
        *bits = digits.iter().rev().fold(0, |bits, digit| bits << 1 | Capitals::from(digit.is_ascii_uppercase()));
    }
}

/// Reads exactly `N` bytes after `0x`, and which of their digits are capitals.
pub(super) fn read_fixed<const N: usize, const WORDS: usize>(
    text: &str,
) -> Result<([u8; N], [Capitals; WORDS]), Fault> {
    let digits = hex_digits(text).ok_or(Fault::FORMAT)?;
    let (mut bytes, mut capitals) = ([0; N], [0; WORDS]);
    if digits.len() != N.saturating_mul(2) {
        let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
        return Err(if is_hex { Fault::format(", which has another length") } else { Fault::FORMAT });
    }
    read_bytes(digits, &mut bytes).ok_or(Fault::FORMAT)?;
    capitals_of(digits, &mut capitals);
    Ok((bytes, capitals))
}

/// Writes `0x` and the digits of bytes, those in `capitals` as capital letters.
pub(super) fn write_bytes(bytes: &[u8], capitals: &[Capitals], out: &mut Vec<u8>) {
    out.extend_from_slice(b"0x");
    write_digits(bytes, capitals, out);
}

/// Writes the digits of bytes, those in `capitals` as capital letters.
pub(crate) fn write_digits(bytes: &[u8], capitals: &[Capitals], out: &mut Vec<u8>) {
    out.reserve(bytes.len().saturating_mul(2));
    let mut capitals = capitals.iter();
    for bytes in bytes.chunks(32) {
        let digits = digits_of(bytes, capitals.next().copied().unwrap_or_default());
        out.extend_from_slice(digits.get(..bytes.len().saturating_mul(2)).unwrap_or_default());
    }
}

/// The digits of at most 32 bytes, those in `capitals` as capital letters, and zeros after them.
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "every place is below 64")]
pub(super) fn digits_of(bytes: &[u8], mut capitals: Capitals) -> [u8; 64] {
    let (mut digits, mut padded) = ([0; 64], [0; 32]);
    if let Some(place) = padded.get_mut(..bytes.len()) {
        copy(place, bytes);
    }
    // A loop of a fixed length without branches, which compilers turn into vector instructions.
    let mut at = 0;
    while at < 32 {
        digits[2 * at] = digit_of(padded[at] >> 4);
        digits[2 * at + 1] = digit_of(padded[at] & 0xf);
        at += 1;
    }
    for digit in &mut digits {
        if capitals == 0 {
            break;
        }
        if capitals & 1 == 1 {
            digit.make_ascii_uppercase();
        }
        capitals >>= 1;
    }
    digits
}

/// The digit of a value below 16.
const fn digit_of(value: u8) -> u8 {
    value.wrapping_add(if value > 9 { b'a' - 10 } else { b'0' })
}

/// Returns text that was written here: it is ASCII, or copied whole from text.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
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

    /// Reads a number of any digits; `Fault::RANGE` if more than 64 remain without leading zeros.
    pub(super) fn read(digits: &[u8]) -> Result<Self, Fault> {
        let count = digits.len();
        let is_hex = count > 0 && digits.iter().all(u8::is_ascii_hexdigit);
        let Some(padding) = Self::MAX_DIGITS.checked_sub(count).filter(|_| is_hex) else {
            let significant = digits.iter().skip_while(|digit| **digit == b'0').count();
            return Err(if is_hex && significant > Self::MAX_DIGITS { Fault::RANGE } else { Fault::FORMAT });
        };
        let (mut padded, mut word, mut capitals) = ([b'0'; 64], [0; 32], [0]);
        if let Some(place) = padded.get_mut(padding..) {
            copy(place, digits);
        }
        read_bytes(&padded, &mut word).ok_or(Fault::FORMAT)?;
        capitals_of(digits, &mut capitals);
        let [capitals] = capitals;
        Ok(Self {
            value: U256::from_big_endian(&word),
            capitals,
            digits: u8::try_from(count).map_err(|_| Fault::FORMAT)?,
        })
    }

    /// Reads a number after `0x`, which has no leading zero; zero itself is `0x0`.
    pub(super) fn read_quantity(text: &str) -> Result<Self, Fault> {
        let digits = hex_digits(text).ok_or(Fault::FORMAT)?;
        if let [b'0', rest @ ..] = digits
            && !rest.is_empty()
        {
            let is_hex = rest.iter().all(u8::is_ascii_hexdigit);
            return Err(if is_hex { Fault::format(", which has a leading zero") } else { Fault::FORMAT });
        }
        Self::read(digits)
    }

    /// Writes `0x` and the digits as they were read.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let start = Self::MAX_DIGITS.saturating_sub(usize::from(self.digits));
        let capitals = self.capitals.checked_shl(u32::try_from(start).unwrap_or_default()).unwrap_or_default();
        let digits = digits_of(&self.value.to_big_endian(), capitals);
        out.extend_from_slice(b"0x");
        out.extend_from_slice(digits.get(start..).unwrap_or_default());
    }

    /// The number of digits that it is written with.
    pub(super) const fn digits(&self) -> u8 {
        self.digits
    }
}

/// `true` if a decimal integer is canonical: digits without a leading zero.
pub(super) fn is_canonical_decimal(text: &str) -> bool {
    text.bytes().all(|digit| digit.is_ascii_digit()) && (text == "0" || !text.is_empty() && !text.starts_with('0'))
}

/// The number of decimal digits that are handled at once, and ten to that power: as many as fit 32 bits.
const GROUP: usize = 9;
const GROUP_BASE: u64 = 1_000_000_000;

/// Reads a canonical decimal below 2^256.
pub(super) fn read_decimal(text: &str) -> Result<U256, Fault> {
    if !is_canonical_decimal(text) {
        return Err(Fault::FORMAT);
    }
    let mut limbs = [0_u32; 8];
    let (first, rest) = text.as_bytes().split_at_checked(text.len() % GROUP).unwrap_or_default();
    for group in [first].into_iter().chain(rest.chunks(GROUP)).filter(|group| !group.is_empty()) {
        let digit = |value: u64, digit: &u8| value.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')));
        let mut carry = group.iter().fold(0, digit);
        for limb in &mut limbs {
            let product = u64::from(*limb).wrapping_mul(GROUP_BASE).wrapping_add(carry);
            (carry, *limb) = (product >> 32, low(product));
        }
        if carry != 0 {
            return Err(Fault::RANGE);
        }
    }
    Ok(of_limbs(&limbs))
}

/// Writes a number in decimal. Divides 32 bits at a time, so that builds need no division of 128 bits.
pub(crate) fn write_decimal(value: U256, out: &mut Vec<u8>) {
    /// The number of decimal digits of 2^256−1, in whole groups.
    const DIGITS: usize = 81;
    let mut limbs = limbs_of(value);
    let mut digits = [b'0'; DIGITS];
    for group in digits.rchunks_mut(GROUP) {
        let mut remainder = 0;
        for limb in limbs.iter_mut().rev() {
            let dividend = remainder << 32 | u64::from(*limb);
            (*limb, remainder) = (low(dividend / GROUP_BASE), dividend % GROUP_BASE);
        }
        for digit in group.iter_mut().rev() {
            *digit = b"0123456789".get(usize::try_from(remainder % 10).unwrap_or_default()).copied().unwrap_or(b'0');
            remainder /= 10;
        }
        if limbs == [0; 8] {
            break;
        }
    }
    let first = digits.iter().position(|digit| *digit != b'0').unwrap_or(DIGITS.saturating_sub(1));
    out.extend_from_slice(digits.get(first..).unwrap_or_default());
}

/// A number in decimal.
pub(crate) fn decimal(value: U256) -> String {
    let mut out = Vec::new();
    write_decimal(value, &mut out);
    text(out)
}

/// Returns the product of two numbers if it is below 2^256. Multiplies 32 bits at a time; all builds share this one
/// place.
#[inline(never)]
pub(crate) fn product(left: U256, right: U256) -> Option<U256> {
    let mut limbs = [0; 16];
    let right = limbs_of(right);
    for (at, factor) in limbs_of(left).into_iter().enumerate() {
        let mut carry = 0;
        for (limb, other) in limbs.iter_mut().skip(at).zip(right.into_iter().chain([0])) {
            let sum = u64::from(factor).wrapping_mul(other.into()).wrapping_add((*limb).into()).wrapping_add(carry);
            (carry, *limb) = (sum >> 32, low(sum));
        }
    }
    let (halves, _) = limbs.as_chunks();
    let [product, beyond] = halves else { return None };
    (*beyond == [0; 8]).then(|| of_limbs(product))
}

/// A number in groups of 32 bits, the lowest first.
fn limbs_of(value: U256) -> [u32; 8] {
    let mut limbs = [0; 8];
    for (halves, word) in limbs.as_chunks_mut::<2>().0.iter_mut().zip(value.0) {
        *halves = [low(word), low(word >> 32)];
    }
    limbs
}

/// The number of these groups.
fn of_limbs(limbs: &[u32; 8]) -> U256 {
    let mut value = U256::zero();
    for (word, halves) in value.0.iter_mut().zip(limbs.as_chunks::<2>().0) {
        let [low, high] = halves.map(u64::from);
        *word = high << 32 | low;
    }
    value
}

/// The low 32 bits.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
const fn low(word: u64) -> u32 {
    word as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn decimals_are_those_of_primitive_types() {
        let mut value = U256::one();
        for step in 0_u32..256 {
            for near in [value.saturating_sub(U256::one()), value, value.saturating_add(step.into())] {
                assert_eq!(decimal(near), near.to_string());
                assert_eq!(read_decimal(&near.to_string()).ok(), Some(near));
            }
            value = value.saturating_add(value);
        }
        let max = U256::MAX.to_string();
        assert_eq!(read_decimal(&max).ok(), Some(U256::MAX));
        let above = max.replace("639935", "639936");
        assert!(read_decimal(&above).is_err_and(|fault| fault.is_range()));
        assert!(read_decimal(&"9".repeat(300)).is_err_and(|fault| fault.is_range()));
    }

    #[test]
    fn products_are_those_of_long_multiplication() {
        let mut numbers = alloc::vec![U256::zero(), U256::one(), U256::MAX];
        for bits in (1..256).step_by(15) {
            let power = U256::one() << bits;
            numbers.extend([power, power.saturating_sub(U256::one()), power | U256::from(0x9e37_79b9_7f4a_7c15_u64)]);
        }
        for left in &numbers {
            for right in &numbers {
                assert_eq!(product(*left, *right), left.checked_mul(*right), "{left} * {right}");
            }
        }
    }
}
