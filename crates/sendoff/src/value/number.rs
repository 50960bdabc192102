//! Numbers below 2^256: their decimals, bytes and products.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::{Note, ParseError, WriteText, text};
use crate::text::last_digit;

/// `true` if a decimal integer is canonical: digits without a leading zero.
pub(super) fn is_canonical_decimal(text: &str) -> bool {
    text.bytes().all(|digit| digit.is_ascii_digit())
        && (text == "0" || !text.is_empty() && !text.starts_with('0'))
}

/// The error of a text that is no canonical decimal. A number that people write in another way has a note.
pub(crate) fn no_decimal(text: &str) -> ParseError {
    const SEPARATORS: &[char] = &[',', '\'', '\u{2019}', '_', ' ', '\u{a0}', '\u{202f}'];
    let is_digit = |character: char| character.is_ascii_digit();
    let has_only = |others: &[char]| {
        text.chars().all(|character| is_digit(character) || others.contains(&character))
    };

    if !text.starts_with(is_digit) || !text.ends_with(is_digit) {
        return ParseError::FORMAT;
    }
    if text.contains(['e', 'E']) && has_only(&['.', 'e', 'E', '+', '-']) {
        return ParseError::format(&Note::EXPONENT);
    }

    if text.contains(SEPARATORS) && has_only(&[SEPARATORS, &['.']].concat()) {
        return ParseError::format(&Note::SEPARATOR);
    }
    ParseError::FORMAT
}

/// Reads a canonical decimal below 2^256.
pub(super) fn read_decimal(text: &str) -> Result<U256, ParseError> {
    if !is_canonical_decimal(text) {
        return Err(no_decimal(text));
    }
    // As many digits at once as fit 32 bits. primitive-types multiplies all 256 bits for each digit.
    let mut limbs = [0; 8];
    for (used, group) in (1..).zip(text.as_bytes().chunks(9)) {
        let (mut scale, mut carry) = (1_u64, 0_u64);
        for digit in group {
            scale = scale.wrapping_mul(10);
            carry = carry.wrapping_mul(10).wrapping_add(u64::from(digit & 0xf));
        }
        for limb in limbs.iter_mut().take(used) {
            let sum = u64::from(*limb).wrapping_mul(scale).wrapping_add(carry);
            (carry, *limb) = (sum >> 32, low(sum));
        }
        if carry > 0 {
            return Err(ParseError::RANGE);
        }
    }
    Ok(of_limbs(&limbs))
}

/// Writes a number in decimal.
pub(crate) fn write_decimal(value: U256, out: &mut Vec<u8>) {
    if value.bits() <= 64 {
        return value.low_u64().write_text(out);
    }

    // As many digits at once as fit 32 bits, the last one first.
    let (mut digits, mut limbs) = ([b'0'; 81], limbs_of(value));
    let mut start = digits.len();
    for group in digits.as_chunks_mut::<9>().0.iter_mut().rev() {
        let mut rest = divide::<1_000_000_000>(&mut limbs);
        for digit in group.iter_mut().rev() {
            *digit = last_digit(rest);
            rest /= 10;
        }
        start = start.saturating_sub(9);
        if limbs == [0; 8] {
            let zeros = group.iter().take_while(|digit| **digit == b'0').count();
            start = start.saturating_add(zeros);
            break;
        }
    }
    out.extend_from_slice(digits.get(start..).unwrap_or_default());
}

/// A number in decimal.
pub(crate) fn decimal(value: U256) -> String {
    let mut out = Vec::with_capacity(24);
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
            let sum = u64::from(factor)
                .wrapping_mul(other.into())
                .wrapping_add((*limb).into())
                .wrapping_add(carry);
            (carry, *limb) = (sum >> 32, low(sum));
        }
    }

    let (halves, _) = limbs.as_chunks();
    let [product, beyond] = halves else { return None };
    (*beyond == [0; 8]).then(|| of_limbs(product))
}

/// Returns so many percent of a number, rounded down, and whether there is a rest.
pub(crate) fn percent_of(number: U256, percent: u64) -> Option<(U256, bool)> {
    let mut limbs = limbs_of(product(number, percent.into())?);
    let rest = divide::<100>(&mut limbs);
    Some((of_limbs(&limbs), rest > 0))
}

/// Divides a number, and returns the rest. Takes 32 bits at a time, so that builds need no division of 128 bits.
#[expect(clippy::arithmetic_side_effects, reason = "nothing is divided by zero")]
fn divide<const BY: u64>(limbs: &mut [u32; 8]) -> u64 {
    let mut rest = 0;
    for limb in limbs.iter_mut().rev().skip_while(|limb| **limb == 0) {
        let dividend = rest << 32 | u64::from(*limb);
        (*limb, rest) = (low(dividend / BY), dividend % BY);
    }
    rest
}

/// Returns a number that is higher by so many percent, rounded up.
#[inline(never)]
pub(crate) fn raised(number: U256, percent: u64) -> Option<U256> {
    let (raised, has_rest) = percent_of(number, percent.saturating_add(100))?;
    raised.checked_add(u64::from(has_rest).into())
}

/// The bytes of a number, the highest first. primitive-types copies parts of slices, and a copy of a few bytes takes as long in
/// WebAssembly as writing all of them.
pub(crate) fn to_word(value: U256) -> [u8; 32] {
    let mut word = [0; 32];
    for (place, part) in word.as_chunks_mut().0.iter_mut().rev().zip(value.0) {
        *place = part.to_be_bytes();
    }
    word
}

/// The number of these bytes.
pub(crate) fn of_word(word: &[u8; 32]) -> U256 {
    let mut value = U256::zero();
    for (place, part) in value.0.iter_mut().rev().zip(word.as_chunks().0) {
        *place = u64::from_be_bytes(*part);
    }
    value
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
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the low half is what is asked for"
)]
const fn low(word: u64) -> u32 {
    word as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::IssueCode;
    use alloc::string::ToString;

    #[test]
    fn decimals_are_those_of_primitive_types() {
        let mut value = U256::one();
        for step in 0_u32..256 {
            for near in
                [value.saturating_sub(U256::one()), value, value.saturating_add(step.into())]
            {
                assert_eq!(decimal(near), near.to_string());
                assert_eq!(read_decimal(&near.to_string()).ok(), Some(near));
            }
            value = value.saturating_add(value);
        }

        let max = U256::MAX.to_string();
        assert_eq!(read_decimal(&max).ok(), Some(U256::MAX));
        for above in [max.replace("639935", "639936"), "9".repeat(300)] {
            assert!(read_decimal(&above).is_err_and(|fault| fault.code == IssueCode::Range));
        }
    }

    #[test]
    fn products_are_those_of_long_multiplication() {
        let mut numbers = alloc::vec![U256::zero(), U256::one(), U256::MAX];
        for bits in (1..256).step_by(15) {
            let power = U256::one() << bits;
            numbers.extend([
                power,
                power.saturating_sub(U256::one()),
                power | U256::from(0x9e37_79b9_7f4a_7c15_u64),
            ]);
        }
        for left in &numbers {
            for right in &numbers {
                assert_eq!(product(*left, *right), left.checked_mul(*right), "{left} * {right}");
            }
        }
    }
}
