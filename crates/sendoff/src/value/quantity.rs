//! Quantities of Ethereum's JSON-RPC.

use alloc::vec::Vec;

use primitive_types::U256;

use super::digits::{HexNumber, hex_digits};
use super::number::{of_word, to_word};
use super::{ParseError, Text, Word, WriteText};
use crate::document::traits;
use crate::error::Error;

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
/// assert_eq!(cap, Quantity::from(2_000_000_000_u64));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity {
    number: HexNumber,
}

impl Quantity {
    /// The number.
    #[must_use]
    pub const fn value(&self) -> U256 {
        self.number.value
    }
}

impl From<U256> for Quantity {
    fn from(value: U256) -> Self {
        Self { number: HexNumber::of(value) }
    }
}

impl From<u64> for Quantity {
    fn from(value: u64) -> Self {
        U256::from(value).into()
    }
}

impl From<u128> for Quantity {
    fn from(value: u128) -> Self {
        U256::from(value).into()
    }
}

impl core::fmt::LowerHex for Quantity {
    /// Writes the digits in lower case, after `0x` if the alternate form is asked for.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::LowerHex::fmt(&self.value(), f)
    }
}

impl WriteText for Quantity {
    fn write_text(&self, out: &mut Vec<u8>) {
        self.number.write(out);
    }
}

impl Text for Quantity {
    const EXPECTED: &'static str = "a hex quantity of at most 256 bits (`0x`, no leading zero)";
    const KIND: &'static str = "Quantity";
    const PATTERN: &'static str = "^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        HexNumber::read_quantity(text).map(|number| Self { number })
    }
}

traits!(Quantity: debug, leaf, read, serialize, schema);

/// A [`Quantity`] of at most 128 bits, the size in which ERC-4337 packs gas limits and fees.
///
/// ```
/// use sendoff::value::Quantity128;
///
/// assert_eq!("0x186a0".parse::<Quantity128>()?.value(), 100_000);
/// assert!("0x100000000000000000000000000000000".parse::<Quantity128>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity128 {
    number: HexNumber,
}

impl Quantity128 {
    /// The number.
    #[must_use]
    pub const fn value(&self) -> u128 {
        self.number.value.low_u128()
    }

    pub(crate) const fn to_u256(self) -> U256 {
        self.number.value
    }
}

impl From<u128> for Quantity128 {
    fn from(value: u128) -> Self {
        Self { number: HexNumber::of(value.into()) }
    }
}

impl From<u64> for Quantity128 {
    fn from(value: u64) -> Self {
        u128::from(value).into()
    }
}

impl From<Quantity128> for Quantity {
    fn from(quantity: Quantity128) -> Self {
        Self { number: quantity.number }
    }
}

impl TryFrom<Quantity> for Quantity128 {
    type Error = Error;

    /// The same quantity; `range` above 128 bits.
    fn try_from(quantity: Quantity) -> Result<Self, Self::Error> {
        if quantity.value().bits() > 128 {
            return Err(ParseError::RANGE.error(&quantity.to_text(), &Self::WANTED));
        }
        Ok(Self { number: quantity.number })
    }
}

impl TryFrom<U256> for Quantity128 {
    type Error = Error;

    /// Returns the quantity of a number.
    fn try_from(value: U256) -> Result<Self, Self::Error> {
        Quantity::from(value).try_into()
    }
}

impl core::fmt::LowerHex for Quantity128 {
    /// Writes the digits in lower case, after `0x` if the alternate form is asked for.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::LowerHex::fmt(&self.value(), f)
    }
}

impl WriteText for Quantity128 {
    fn write_text(&self, out: &mut Vec<u8>) {
        self.number.write(out);
    }
}

impl Text for Quantity128 {
    const EXPECTED: &'static str = "a hex quantity of at most 128 bits (`0x`, no leading zero)";
    const KIND: &'static str = "Quantity128";
    const PATTERN: &'static str = "^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,31})$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let number = HexNumber::read_quantity(text)?;
        if number.value.bits() > 128 { Err(ParseError::RANGE) } else { Ok(Self { number }) }
    }
}

traits!(Quantity128: debug, leaf, read, serialize, schema);

/// The nonce of a user operation: a [`Quantity`], or a [`Word`].
///
/// The service writes 32 bytes; bundlers write a quantity (ERC-7769).
///
/// ```
/// use sendoff::value::Nonce;
///
/// let word: Nonce = "0x0000000000000000000000000000000000000000000000000000000000000007".parse()?;
/// assert_eq!(word, "0x7".parse()?);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nonce {
    number: HexNumber,
}

impl Nonce {
    /// The number.
    #[must_use]
    pub const fn value(&self) -> U256 {
        self.number.value
    }
}

impl From<Word> for Nonce {
    /// The nonce in 32 bytes, as the service writes it.
    fn from(word: Word) -> Self {
        Self { number: HexNumber::of_word(of_word(&word.into())) }
    }
}

impl From<Quantity> for Nonce {
    fn from(quantity: Quantity) -> Self {
        Self { number: quantity.number }
    }
}

impl From<U256> for Nonce {
    /// The nonce as a quantity, as bundlers write it.
    fn from(value: U256) -> Self {
        Quantity::from(value).into()
    }
}

impl From<Nonce> for Word {
    /// The nonce in 32 bytes, as the EntryPoint takes it.
    fn from(nonce: Nonce) -> Self {
        to_word(nonce.value()).into()
    }
}

impl core::fmt::LowerHex for Nonce {
    /// Writes the digits in lower case, after `0x` if the alternate form is asked for.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::LowerHex::fmt(&self.value(), f)
    }
}

impl WriteText for Nonce {
    fn write_text(&self, out: &mut Vec<u8>) {
        self.number.write(out);
    }
}

impl Text for Nonce {
    const EXPECTED: &'static str = "a hex quantity of at most 256 bits, or 32 bytes of hex";
    const KIND: &'static str = "Nonce";
    const PATTERN: &'static str = "^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63}|[0-9a-fA-F]{64})$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let number = match hex_digits(text) {
            Some(word) if word.len() == 64 => HexNumber::read(word),
            _ => HexNumber::read_quantity(text),
        };
        number.map(|number| Self { number })
    }
}

traits!(Nonce: debug, leaf, read, serialize, schema);
