//! Numbers in text: decimals, quantities of Ethereum's JSON-RPC, and amounts in display units.

use sendoff::primitive_types::U256;

/// The number of decimal digits; there may be zeros before it.
pub(crate) fn of_decimal(digits: &str) -> Option<U256> {
    let number = digits.trim_start_matches('0');
    U256::from_dec_str(number).ok().filter(|_| !digits.is_empty())
}

/// The number of hex digits; there may be none, and zeros before it.
pub(crate) fn of_hex(digits: &str) -> Option<U256> {
    match digits.trim_start_matches('0') {
        "" => Some(U256::zero()),
        number => U256::from_str_radix(number, 16).ok().filter(|_| !number.starts_with('x')),
    }
}

/// A number as a quantity of Ethereum's JSON-RPC.
pub(crate) fn quantity(number: impl Into<U256>) -> String {
    format!("{:#x}", number.into())
}

/// Reads an amount in display units, such as `0.1`. Returns `None` for text that is not one, and
/// for more decimals than the token has.
pub(crate) fn of_units(text: &str, decimals: u8) -> Option<U256> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let room = usize::from(decimals).checked_sub(fraction.len())?;
    if whole.is_empty() || text.ends_with('.') {
        return None;
    }
    of_decimal(&format!("{whole}{fraction}{}", "0".repeat(room)))
}

/// Writes an amount in display units, without zeros at its end.
pub(crate) fn in_units(amount: U256, decimals: u8) -> String {
    placed(&amount.to_string(), decimals)
}

/// Digits with a point before the last ones.
fn placed(digits: &str, decimals: u8) -> String {
    let places = usize::from(decimals);
    let digits = format!("{digits:0>width$}", width = places.saturating_add(1));
    let (whole, fraction) =
        digits.split_at_checked(digits.len().saturating_sub(places)).unwrap_or_default();
    match fraction.trim_end_matches('0') {
        "" => whole.into(),
        fraction => format!("{whole}.{fraction}"),
    }
}

/// The value of an amount at a price with four decimals, with four decimals.
pub(crate) fn value(amount: U256, decimals: u8, price: &str) -> String {
    let price = of_units(price, 4).unwrap_or_default();
    // Above 2^256, which no price reaches, the value is cut. To divide by the token's unit is to
    // drop digits.
    let product = amount.saturating_mul(price).to_string();
    let end = product.len().saturating_sub(decimals.into());
    placed(product.get(..end).unwrap_or_default(), 4)
}

/// The ten-thousandths of a dollar in a value with four decimals. A rupee is 1.2 cents here, so
/// 83.5 rupees are a dollar.
pub(crate) fn dollars(rupees: &str) -> U256 {
    let tenths = of_units(rupees, 4).unwrap_or_default().saturating_mul(10.into());
    tenths.checked_div(835.into()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for number in [U256::zero(), 7.into(), u128::MAX.into(), U256::MAX] {
            assert_eq!(of_decimal(&format!("00{number}")), Some(number));
            assert_eq!(of_hex(quantity(number).trim_start_matches("0x")), Some(number));
        }
        for text in ["", "-1", "+1", "1e3", "0x1", "1.0", " 1"] {
            assert_eq!(of_decimal(text), None, "{text}");
        }
        assert_eq!(
            (of_hex(""), of_hex("00fF"), of_hex("g"), of_hex("0x1")),
            (Some(U256::zero()), Some(255.into()), None, None)
        );
        assert_eq!(of_hex(&"f".repeat(65)), None);
    }

    #[test]
    fn amounts_are_written_as_they_are_read() {
        for (text, decimals, amount) in
            [("0.1", 18, "100000000000000000"), ("51.1233", 6, "51123300"), ("1", 0, "1")]
        {
            let read = of_units(text, decimals);
            assert_eq!(read.map(|read| read.to_string()).as_deref(), Some(amount));
            assert_eq!(in_units(read.unwrap(), decimals), text);
        }
        for text in ["", ".1", "1.", "1.1234567", "-1", "1e3", "0x1", "1.-1", "1.2.3"] {
            assert_eq!(of_units(text, 6), None, "{text}");
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
