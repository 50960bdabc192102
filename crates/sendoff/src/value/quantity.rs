//! Quantities of Ethereum's JSON-RPC.

use alloc::{boxed::Box, format};

use primitive_types::{H256, U256};

use super::{Fault, Word, by_meaning, hex_digits, text_value, to_hex};

/// An unsigned integer below 2^256 in hex: `0x`, then digits of either case without a leading zero; zero is `0x0`.
///
/// Source: the `uint` of Ethereum's execution-apis, which asks for lower case; upper-case digits are accepted and kept.
///
/// ```
/// use sendoff::value::Quantity;
///
/// let cap: Quantity = "0x77359400".parse()?;
/// assert_eq!(cap.value().as_u64(), 2_000_000_000);
/// assert_eq!(cap, "0x77359400".to_uppercase().replace("0X", "0x").parse()?);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Quantity {
    text: Box<str>,
}

impl Quantity {
    /// The number.
    #[must_use]
    pub fn value(&self) -> U256 {
        Self::meaning(&self.text).unwrap_or_default()
    }
}

impl From<U256> for Quantity {
    fn from(value: U256) -> Self {
        Self { text: format!("{value:#x}").into() }
    }
}

impl Quantity {
    pub(super) fn meaning(text: &str) -> Result<U256, Fault> {
        let digits = canonical_digits(text)?;
        parse_hex(digits).map(|word| U256::from_big_endian(&word)).ok_or(Fault::RANGE)
    }
}

text_value!(Quantity: "a hex quantity of at most 256 bits (`0x`, no leading zero)", "^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$");
by_meaning!(Quantity, value);

/// A [`Quantity`] of at most 128 bits, as ERC-4337 packs gas limits and fees.
///
/// ```
/// use sendoff::value::Quantity128;
///
/// assert_eq!("0x186a0".parse::<Quantity128>()?.value(), 100_000);
/// assert!("0x100000000000000000000000000000000".parse::<Quantity128>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Quantity128 {
    text: Box<str>,
}

impl Quantity128 {
    /// The number.
    #[must_use]
    pub fn value(&self) -> u128 {
        Self::meaning(&self.text).unwrap_or_default()
    }
}

impl From<u128> for Quantity128 {
    fn from(value: u128) -> Self {
        Self { text: format!("{value:#x}").into() }
    }
}

impl Quantity128 {
    pub(super) fn meaning(text: &str) -> Result<u128, Fault> {
        u128::from_str_radix(canonical_digits(text)?, 16).map_err(|_| Fault::RANGE)
    }
}

text_value!(Quantity128: "a hex quantity of at most 128 bits (`0x`, no leading zero)", "^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,31})$");
by_meaning!(Quantity128, value);

/// The nonce of a user operation: a [`Quantity`], or a [`Word`].
///
/// The service writes 32 bytes, bundlers a quantity (ERC-7769).
///
/// ```
/// use sendoff::value::Nonce;
///
/// let word: Nonce = "0x0000000000000000000000000000000000000000000000000000000000000007".parse()?;
/// assert_eq!(word, "0x7".parse()?);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nonce {
    text: Box<str>,
}

impl Nonce {
    /// The number.
    #[must_use]
    pub fn value(&self) -> U256 {
        Self::meaning(&self.text).unwrap_or_default()
    }
}

impl From<H256> for Nonce {
    /// The nonce as the service writes it: 32 bytes.
    fn from(word: H256) -> Self {
        Self { text: to_hex(word.as_bytes()).into() }
    }
}

impl Nonce {
    pub(super) fn meaning(text: &str) -> Result<U256, Fault> {
        Word::meaning(text).map(|word| U256::from_big_endian(word.as_bytes())).or_else(|_| Quantity::meaning(text))
    }
}

text_value!(Nonce: "a hex quantity of at most 256 bits, or 32 bytes of hex", "^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63}|[0-9a-fA-F]{64})$");
by_meaning!(Nonce, value);

/// Hex digits without a leading zero.
fn canonical_digits(text: &str) -> Result<&str, Fault> {
    match hex_digits(text) {
        Some("") | None => Err(Fault::FORMAT),
        Some("0") => Ok("0"),
        Some(digits) if digits.starts_with('0') => Err(Fault::format(", which has a leading zero")),
        Some(digits) => Ok(digits),
    }
}

/// At most 64 hex digits as a word.
pub(super) fn parse_hex(digits: &str) -> Option<[u8; 32]> {
    let mut padded = [b'0'; 64];
    padded.get_mut(64_usize.checked_sub(digits.len())?..)?.copy_from_slice(digits.as_bytes());
    let mut word = [0; 32];
    hex::decode_to_slice(padded, &mut word).ok()?;
    Some(word)
}
