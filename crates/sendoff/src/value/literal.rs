//! Addresses in the text of a program, which are read when it compiles.

use keccak_const::Keccak256;

use super::Address;
use super::digits::Spelling;

impl Address {
    /// Returns the address of a text, as `parse` does; `None` for a text that is none. It can be evaluated when a program
    /// compiles, and [`address!`](crate::address) does that.
    ///
    /// ```
    /// use sendoff::value::Address;
    ///
    /// const ENTRY_POINT: Option<Address> = Address::from_literal("0x0000000071727De22E5E9d8BAf0edAc6f37da032");
    /// assert_eq!(ENTRY_POINT, "0x0000000071727De22E5E9d8BAf0edAc6f37da032".parse().ok());
    /// ```
    #[must_use]
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "iterators are not for constants"
    )]
    pub const fn from_literal(text: &str) -> Option<Self> {
        let [b'0', b'x', digits @ ..] = text.as_bytes() else { return None };
        if digits.len() != 40 {
            return None;
        }

        let Ok(bytes) = const_hex::const_decode_to_array(digits) else { return None };
        let (mut lower, mut capitals) = ([0; 40], 0);
        let mut at = 0;
        while at < 40 {
            lower[at] = digits[at].to_ascii_lowercase();
            capitals |= if lower[at] == digits[at] { 0 } else { 1 << at };
            at += 1;
        }

        let address = Self { bytes, capitals: Spelling([capitals]) };
        let digest = Keccak256::new().update(&lower).finalize();
        let is_wrong = address.is_mixed() && capitals != super::address::capitals(&bytes, &digest);
        if is_wrong { None } else { Some(address) }
    }
}

/// An [`Address`](crate::value::Address) in the text of a program: a wrong one does not compile. A macro,
/// because a function is not always evaluated when a program compiles.
///
/// ```
/// use sendoff::value::Address;
/// use sendoff::address;
///
/// const RECIPIENT: Address = address!("0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2");
/// assert_eq!(RECIPIENT.to_string(), "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2");
/// ```
///
/// The checksum is a part of it:
///
/// ```compile_fail
/// sendoff::address!("0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3ef2");
/// ```
#[macro_export]
macro_rules! address {
    ($text:literal) => {
        const {
            match $crate::value::Address::from_literal($text) {
                ::core::option::Option::Some(address) => address,
                ::core::option::Option::None => ::core::panic!(
                    "expected an address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum)"
                ),
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;
    use crate::keccak::keccak256;

    #[test]
    fn a_literal_is_read_as_a_text_is() {
        for seed in 0..200_u8 {
            let bytes: [u8; 20] = *keccak256(&[&[seed][..]]).first_chunk().unwrap();
            let lower = Address::from(bytes).to_string();
            let mixed = Address::from(bytes).to_checksum();
            let upper = lower.replace("0x", "").to_ascii_uppercase();
            let flipped: String = mixed.chars().map(|c| if c == 'e' { 'E' } else { c }).collect();
            let wrong = lower.replace('a', "g");
            let texts = alloc::format!(
                "{lower} {mixed} 0x{upper} 0X{upper} {mixed}0 {flipped} {wrong} {upper} 0x "
            );

            for text in texts.split(' ') {
                let read = text.parse::<Address>().ok();
                let found = Address::from_literal(text);
                let [read, found] = [read, found].map(|it| it.map(|it| it.to_string()));
                assert_eq!(found, read, "{text}");
            }
        }
    }
}
