//! Integers among JSON numbers.

use alloc::vec::Vec;
use core::{convert::identity, num::NonZeroU64};

use super::{Bounds, Is, Typed, Value, Valued, narrow};
use crate::error::{IssueCode, Issues, Path};
use crate::text::{WriteText as _, fill};
use crate::value::bounded;

/// 2^53−1, JavaScript's bound: up to it every integer has a double of its own.
pub(crate) const MAX_SAFE: i64 = 9_007_199_254_740_991;

/// An integer from `MIN` to `MAX`, both within ±[`MAX_SAFE`], so that it is the same in JavaScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Integer<const MIN: i64, const MAX: i64>(pub(crate) i64);

impl<const MIN: i64, const MAX: i64> Integer<MIN, MAX> {
    /// Returns the integer if it is within the bounds, else pushes an issue of code `range`.
    pub(crate) fn check(value: i64, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        check_integer(value, MIN, MAX, at, issues).map(Self)
    }
}

/// Checks a number for bounds that are only known when the program runs.
pub(crate) fn check_integer(
    value: i64,
    min: i64,
    max: i64,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Option<i64> {
    in_bounds(Whole::Integer(value), min, max, at, issues)
}

impl<const MIN: i64, const MAX: i64> Valued for Integer<MIN, MAX> {
    const IS: Is = Is::Integer(&Bounds { expected: "an integer", least: MIN, most: MAX });

    fn to_value(&self) -> Value {
        Value::Integer(self.0)
    }

    fn write_json(&self, out: &mut Vec<u8>) {
        self.0.write_text(out);
    }
}

impl<const MIN: i64, const MAX: i64> Typed for Integer<MIN, MAX> {
    fn of_value(value: &Value) -> Option<Self> {
        narrow(value).map(Self)
    }
}

/// What an integer is whose row has the bounds of an [`Integer`].
const ANY: Is = <Integer<{ i64::MIN }, { i64::MAX }>>::IS;

bounded!(@among i64: ANY, |number| number, identity);
bounded!(@among u32: ANY, |number| number, identity);
bounded!(@among u64: ANY, |number| number, identity);

impl Valued for NonZeroU64 {
    const IS: Is = ANY;

    fn to_value(&self) -> Value {
        self.get().to_value()
    }
}

impl Typed for NonZeroU64 {
    fn of_value(value: &Value) -> Option<Self> {
        u64::of_value(value).and_then(Self::new)
    }
}

#[inline(never)]
pub(super) fn in_bounds(
    number: Whole,
    min: i64,
    max: i64,
    at: &Path<'_>,
    issues: &mut Issues,
) -> Option<i64> {
    let (code, message) = match number {
        Whole::Integer(value) if (min..=max).contains(&value) => return Some(value),
        Whole::Integer(value) => {
            let template = "expected an integer from {} to {}, found {}";
            (IssueCode::Range, fill(template, &[&min, &max, &value]))
        }
        Whole::TooLong => {
            let template = "expected an integer from {} to {}, found one of more than 17 digits";
            (IssueCode::Range, fill(template, &[&min, &max]))
        }
        Whole::Fraction => {
            (IssueCode::Type, "expected an integer, found a fractional number".into())
        }
    };
    issues.push(at, code, message);
    None
}

/// A JSON number as an integer: `1`, `1.0` and `10e-1` are the same one.
pub(super) enum Whole {
    Integer(i64),
    /// An integer of more than 17 digits.
    TooLong,
    Fraction,
}

impl Whole {
    /// Reads a number as JSON spells it.
    pub(super) fn of(number: &str) -> Self {
        const DIGITS: usize = 17;
        let at =
            number.bytes().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(number.len());
        let (mantissa, exponent) = number.split_at_checked(at).unwrap_or_default();

        // The digits from the first to the last one that is not zero, and where the point is behind the last one.
        let (mut digits, mut behind, mut is_fraction) = (Vec::new(), exponent_of(exponent), false);
        for byte in mantissa.bytes() {
            if byte == b'.' {
                is_fraction = true;
            } else if byte != b'-' {
                behind = behind.wrapping_sub(is_fraction.into());
                if byte != b'0' || !digits.is_empty() {
                    digits.push(byte);
                }
            }
        }
        while digits.last() == Some(&b'0') {
            digits.pop();
            behind = behind.wrapping_add(1);
        }

        if digits.is_empty() {
            return Self::Integer(0);
        }
        let Ok(zeros) = usize::try_from(behind) else { return Self::Fraction };
        if digits.len().saturating_add(zeros) > DIGITS {
            return Self::TooLong;
        }
        digits.resize(digits.len().saturating_add(zeros), b'0');
        let value = digits
            .iter()
            .fold(0_i64, |value, digit| value.wrapping_mul(10).wrapping_add((digit & 0xf).into()));
        Self::Integer(if number.starts_with('-') { value.wrapping_neg() } else { value })
    }
}

/// The value of an exponent with its letter, up to a bound far beyond the length of every text.
fn exponent_of(text: &str) -> i32 {
    const FAR: i32 = 1 << 26;
    let digits = text.bytes().filter(u8::is_ascii_digit);
    let value = digits.fold(0, |value: i32, digit| {
        value.wrapping_mul(10).wrapping_add((digit & 0xf).into()).min(FAR)
    });
    if text.as_bytes().get(1) == Some(&b'-') { value.wrapping_neg() } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::document::{Node, Read};

    fn read(number: &str) -> Result<i64, IssueCode> {
        let mut issues = Issues::default();
        let value = Integer::<-1_000_000, 1_000_000>::read(
            &Node::Number(number.into()),
            &Path::Root,
            &mut issues,
        );
        issues.or(value).map(|value| value.0).map_err(|error| error.issues()[0].code)
    }

    #[test]
    fn every_notation_of_an_integer_is_read() {
        let (fraction, range) = (Err(IssueCode::Type), Err(IssueCode::Range));
        for (texts, expected) in [
            ("0 -0 0.0 0e99999999999999999999", Ok(0)),
            ("7 7.0 7.00e0 0.7e1 70e-1", Ok(7)),
            ("-7 -7.0", Ok(-7)),
            ("1e6 100000000e-2", Ok(1_000_000)),
            ("10.50e2", Ok(1050)),
            ("0.5 7.1 1e-1 75e-1 1e-99999999999999999999 0.0000000000000000000000001", fraction),
            ("1000001 1e7 123456789012345678 123456789012345678901234567890 1e400", range),
            ("1e99999999999999999999", range),
        ] {
            for text in texts.split(' ') {
                assert_eq!(read(text), expected, "{text}");
            }
        }
    }
}
