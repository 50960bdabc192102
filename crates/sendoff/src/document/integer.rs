//! Integers among JSON numbers.

use super::{Bounds, Is, Typed, Value};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::text::fill;

/// 2^53−1, JavaScript's bound: up to it every integer has a double of its own.
pub(crate) const MAX_SAFE: i64 = 9_007_199_254_740_991;

/// An integer from `MIN` to `MAX`, both within ±[`MAX_SAFE`], so that it is the same in JavaScript.
#[derive(Clone, Copy)]
pub(crate) struct Integer<const MIN: i64, const MAX: i64>(pub(crate) i64);

/// Implements for a newtype around an integer, between two bounds and with the words after `expected`: conversion from and to
/// the integer, reading and writing in documents, `Display`, serde, and its schema, which may have a sentence of its own. A macro,
/// because the traits are of other crates.
macro_rules! number_value {
    ($name:ident: $integer:ident by $new:ident, $expected:literal, $least:expr, $most:expr $(, $sentence:literal)?) => {
        $crate::document::traits!($name: read, write, serialize, schema(|_| {
            let sentence = [$expected, $($sentence)?].last().copied().unwrap_or_default();
            $crate::document::schema::integer(sentence, $least, $most)
        }));

        impl TryFrom<$integer> for $name {
            type Error = $crate::error::Error;

            /// Returns the value of an integer; `range` if it is out of bounds.
            fn try_from(value: $integer) -> Result<Self, Self::Error> {
                Self::$new(value)
            }
        }

        impl From<$name> for $integer {
            fn from(value: $name) -> Self {
                value.0
            }
        }

        impl $crate::document::Typed for $name {
            const IS: $crate::document::Is = $crate::document::Is::Integer(&$crate::document::Bounds {
                expected: $expected,
                least: $least,
                most: $most,
            });

            fn of_value(value: $crate::document::Value) -> Option<Self> {
                $crate::document::narrow(&value).map(Self)
            }

            fn into_value(self) -> $crate::document::Value {
                $crate::document::widen(self.0)
            }
        }
    };
}
pub(crate) use number_value;

impl<const MIN: i64, const MAX: i64> Integer<MIN, MAX> {
    /// Returns the integer if it is within the bounds, else `range`.
    pub(crate) fn new(value: u64) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let value = Self::check(i64::try_from(value).unwrap_or(i64::MAX), &Path::Root, &mut issues);
        issues.or(value)
    }

    /// Returns the integer if it is within the bounds, else pushes an issue of code `range`.
    pub(crate) fn check(value: i64, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        in_bounds(Whole::Integer(value), MIN, MAX, at, issues).map(Self)
    }
}

impl<const MIN: i64, const MAX: i64> Typed for Integer<MIN, MAX> {
    const IS: Is = Is::Integer(&Bounds { expected: "an integer", least: MIN, most: MAX });

    fn of_value(value: Value) -> Option<Self> {
        if let Value::Integer(number) = value { Some(Self(number)) } else { None }
    }

    fn into_value(self) -> Value {
        Value::Integer(self.0)
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
    match number {
        Whole::Integer(value) if (min..=max).contains(&value) => return Some(value),
        Whole::Integer(value) => {
            issues.push(
                at,
                IssueCode::Range,
                fill("expected an integer from {} to {}, found {}", &[&min, &max, &value]),
            );
        }
        Whole::TooLong => {
            let template = "expected an integer from {} to {}, found one of more than 17 digits";
            issues.push(at, IssueCode::Range, fill(template, &[&min, &max]));
        }
        Whole::Fraction => issues.push(
            at,
            IssueCode::Type,
            "expected an integer, found a fractional number".into(),
        ),
    }

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
        const DIGITS: i64 = 17;
        // The digits from the first to the last one that is not zero, as a number; the zeros behind
        // it; and those behind the point.
        let (mut value, mut count, mut zeros, mut fraction) = (0_i64, 0_i64, 0_i64, 0_i64);
        let (mut exponent, mut is_fraction) = (0_i64, false);
        for (at, byte) in number.bytes().enumerate() {
            match byte {
                b'e' | b'E' => {
                    exponent = exponent_of(number.get(at.saturating_add(1)..).unwrap_or_default());
                    break;
                }
                b'.' => is_fraction = true,
                b'-' => {}
                _ => {
                    fraction = fraction.saturating_add(is_fraction.into());
                    zeros = if count > 0 { zeros.saturating_add(1) } else { 0 };
                    if byte != b'0' {
                        count = count.saturating_add(zeros.max(1));
                        value = shifted(value, zeros).saturating_add((byte & 0xf).into());
                        zeros = 0;
                    }
                }
            }
        }

        // The number of zeros after the last digit; if negative, the distance of that digit after
        // the point.
        let zeros = exponent.saturating_add(zeros).saturating_sub(fraction);
        match value {
            0 => Self::Integer(0),
            _ if zeros < 0 => Self::Fraction,
            _ if count.saturating_add(zeros) > DIGITS => Self::TooLong,
            _ if number.as_bytes().first() == Some(&b'-') => {
                Self::Integer(shifted(value, zeros).saturating_neg())
            }
            _ => Self::Integer(shifted(value, zeros)),
        }
    }
}

/// The value of an exponent, which has a sign or none.
fn exponent_of(text: &str) -> i64 {
    let digits = text.bytes().filter(u8::is_ascii_digit);
    let value =
        digits.fold(0_i64, |value, digit| shifted(value, 1).saturating_add((digit & 0xf).into()));
    if text.as_bytes().first() == Some(&b'-') { value.saturating_neg() } else { value }
}

/// A number with zeros behind it.
fn shifted(value: i64, zeros: i64) -> i64 {
    let power = u32::try_from(zeros).ok().and_then(|zeros| 10_i64.checked_pow(zeros));
    value.saturating_mul(power.unwrap_or(i64::MAX))
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
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("0.0", 0),
            ("0e99999999999999999999", 0),
            ("7", 7),
            ("-7", -7),
            ("7.0", 7),
            ("7.00e0", 7),
            ("0.7e1", 7),
            ("70e-1", 7),
            ("1e6", 1_000_000),
            ("100000000e-2", 1_000_000),
            ("10.50e2", 1050),
        ] {
            assert_eq!(read(text), Ok(value), "{text}");
        }

        for text in [
            "0.5",
            "7.1",
            "1e-1",
            "75e-1",
            "1e-99999999999999999999",
            "0.0000000000000000000000001",
        ] {
            assert_eq!(read(text), Err(IssueCode::Type), "{text}");
        }

        for text in [
            "1000001",
            "1e7",
            "123456789012345678",
            "123456789012345678901234567890",
            "1e400",
            "1e99999999999999999999",
        ] {
            assert_eq!(read(text), Err(IssueCode::Range), "{text}");
        }
    }
}
