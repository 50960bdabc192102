//! Amounts: decimal text in display units in version 1, the smallest unit on the ledger.

use alloc::string::String;

use sendoff::primitive_types::U256;

use crate::numbers::{decimal, of_decimal};

/// Reads an amount in display units, such as `0.1`. Returns `None` for text that is not one, and for more decimals than the token
/// has.
pub(crate) fn read(text: &str, decimals: u64) -> Option<U256> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let are_digits = |part: &str| part.bytes().all(|digit| digit.is_ascii_digit());
    let room = usize::try_from(decimals).ok()?.checked_sub(fraction.len())?;
    let has_form =
        !whole.is_empty() && are_digits(whole) && are_digits(fraction) && !text.ends_with('.');
    if !has_form || whole.len() > 78 {
        return None;
    }
    of_decimal(&[whole, fraction, &"0".repeat(room)].concat())
}

/// Writes an amount in display units, without zeros at its end.
pub(crate) fn write(amount: U256, decimals: u64) -> String {
    placed(&decimal(amount), decimals)
}

/// Digits with a point before the last ones.
fn placed(digits: &str, decimals: u64) -> String {
    let places = usize::try_from(decimals).unwrap_or_default();
    let digits =
        [&"0".repeat(places.saturating_add(1).saturating_sub(digits.len())), digits].concat();
    let (whole, fraction) =
        digits.split_at_checked(digits.len().saturating_sub(places)).unwrap_or_default();
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() { whole.into() } else { [whole, ".", fraction].concat() }
}

/// The value of an amount at a price with four decimals, with four decimals.
pub(crate) fn value(amount: U256, decimals: u64, price: &str) -> String {
    let price = read(price, 4).unwrap_or_default();
    // Above 2^256, which no price reaches, the value is cut. To divide by the token's unit is to
    // drop digits.
    let product = decimal(amount.saturating_mul(price));
    let dropped = usize::try_from(decimals).unwrap_or(usize::MAX);
    let kept =
        product.len().checked_sub(dropped).and_then(|end| product.get(..end)).unwrap_or_default();
    placed(kept, 4)
}

/// The ten-thousandths of a dollar in a value with four decimals. A rupee is 1.2 cents here, so 83.5 rupees are a dollar.
pub(crate) fn dollars(rupees: &str) -> U256 {
    let tenths = decimal(read(rupees, 4).unwrap_or_default().saturating_mul(10.into()));
    let mut rest = 0_u32;
    // Digit by digit, as on paper.
    let digits = tenths.chars().map(|digit| {
        let dividend =
            rest.saturating_mul(10).saturating_add(digit.to_digit(10).unwrap_or_default());
        rest = dividend % 835;
        char::from_digit(dividend / 835, 10).unwrap_or_default()
    });
    of_decimal(&digits.collect::<String>()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_they_are_read() {
        for (text, decimals, amount) in
            [("0.1", 18, "100000000000000000"), ("51.1233", 6, "51123300"), ("1", 0, "1")]
        {
            assert_eq!(read(text, decimals).map(decimal).as_deref(), Some(amount));
            assert_eq!(write(read(text, decimals).unwrap(), decimals), text);
        }
        for (text, decimals) in
            [("", 6), (".1", 6), ("1.", 6), ("1.1234567", 6), ("-1", 6), ("1e3", 6), ("0x1", 6)]
        {
            assert_eq!(read(text, decimals), None, "{text}");
        }
        assert_eq!(value(51_123_300.into(), 6, "83.5"), "4268.7955");
        assert_eq!(
            (value(1.into(), 18, "42.1"), value(7.into(), 0, "1")),
            ("0".into(), "7".into())
        );
        assert_eq!(
            [dollars("83.5"), dollars("0"), dollars("4268.7955")],
            [10_000, 0, 511_232].map(U256::from)
        );
    }
}
