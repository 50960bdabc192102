//! Numbers below 2^256: their decimals, bytes and products.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::{Note, ParseError, WriteText, text};

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
    U256::from_dec_str(text).map_err(|_| ParseError::RANGE)
}

/// Writes a number in decimal.
pub(crate) fn write_decimal(value: U256, out: &mut Vec<u8>) {
    /// As many digits at once as fit 64 bits.
    const DIGITS: usize = 19;
    const GROUP: u64 = 10_000_000_000_000_000_000;

    let low = if value.bits() <= 64 {
        value.low_u64()
    } else {
        let (high, low) = value.div_mod(GROUP.into());
        write_decimal(high, out);
        let zeros = DIGITS.saturating_sub(low.low_u64().to_text().len());
        out.resize(out.len().saturating_add(zeros), b'0');
        low.low_u64()
    };
    low.write_text(out);
}

/// A number in decimal.
pub(crate) fn decimal(value: U256) -> String {
    let mut out = Vec::new();
    write_decimal(value, &mut out);
    text(out)
}

/// Returns so many percent of a number, rounded down, and whether there is a rest.
pub(crate) fn percent_of(number: U256, percent: u64) -> Option<(U256, bool)> {
    let (percent, rest) = number.checked_mul(percent.into())?.div_mod(100.into());
    Some((percent, !rest.is_zero()))
}

/// Returns a number that is higher by so many percent, rounded up.
pub(crate) fn raised(number: U256, percent: u64) -> Option<U256> {
    let (raised, has_rest) = percent_of(number, percent.saturating_add(100))?;
    raised.checked_add(u64::from(has_rest).into())
}

/// The bytes of a number, the highest first.
pub(crate) fn to_word(value: U256) -> [u8; 32] {
    value.to_big_endian()
}

/// The number of these bytes.
pub(crate) fn of_word(word: &[u8; 32]) -> U256 {
    U256::from_big_endian(word)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let above = max.replace("639935", "639936");
        assert!(read_decimal(&above).is_err_and(|fault| fault.is_range()));
        assert!(read_decimal(&"9".repeat(300)).is_err_and(|fault| fault.is_range()));
    }
}
