//! Numbers in text: decimal digits, and the quantities of Ethereum's JSON-RPC. The core reads and
//! writes them, so the WebAssembly module needs no division of 256 bits.

use alloc::string::String;

use sendoff::primitive_types::U256;
use sendoff::value::{FeeAmount, Quantity};

/// A number in decimal digits.
pub(crate) fn decimal(number: U256) -> String {
    String::from(&FeeAmount::from(number))
}

/// A number as a quantity of Ethereum's JSON-RPC.
pub(crate) fn quantity(number: U256) -> String {
    String::from(&Quantity::from(number))
}

/// The number of decimal digits; there may be zeros before it.
pub(crate) fn of_decimal(digits: &str) -> Option<U256> {
    let number = digits.trim_start_matches('0');
    match number {
        "" => (!digits.is_empty()).then(U256::zero),
        _ => number.parse().ok().map(|number: FeeAmount| number.value()),
    }
}

/// The number of hex digits; there may be none, and zeros before it.
pub(crate) fn of_hex(digits: &str) -> Option<U256> {
    let number = digits.trim_start_matches('0');
    match number {
        "" => Some(U256::zero()),
        _ => ["0x", number].concat().parse().ok().map(|number: Quantity| number.value()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for number in [U256::zero(), 7.into(), u128::MAX.into(), U256::MAX] {
            assert_eq!(of_decimal(&decimal(number)), Some(number));
            assert_eq!(of_decimal(&alloc::format!("00{}", decimal(number))), Some(number));
            assert_eq!(of_hex(quantity(number).trim_start_matches("0x")), Some(number));
        }
        for text in ["", "-1", "+1", "1e3", "0x1", "1.0", " 1"] {
            assert_eq!(of_decimal(text), None, "{text}");
        }
        assert_eq!(
            (of_hex(""), of_hex("00fF"), of_hex("g")),
            (Some(U256::zero()), Some(255.into()), None)
        );
        assert_eq!(of_hex(&"f".repeat(65)), None);
    }
}
