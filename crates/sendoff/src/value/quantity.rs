//! Quantities of Ethereum's JSON-RPC.

use primitive_types::U256;

use super::digits::{HexNumber, hex_digits};
use super::number::{of_word, to_word};
use super::{ParseError, Text, Word, WriteText, conversions};
use crate::document::traits;

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

conversions!(quantity Quantity);

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

conversions!(quantity Quantity128);

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

conversions! {
    U256 => Quantity: |value| Self { number: HexNumber::of(value) };
    u64 => Quantity: |value| U256::from(value).into();
    u128 => Quantity: |value| U256::from(value).into();
    Quantity128 => Quantity: |quantity| Self { number: quantity.number };

    u128 => Quantity128: |value| Self { number: HexNumber::of(value.into()) };
    u64 => Quantity128: |value| u128::from(value).into();

    /// The nonce in 32 bytes, as the service writes it.
    Word => Nonce: |word| Self { number: HexNumber::of_word(of_word(&word.into())) };
    Quantity => Nonce: |quantity| Self { number: quantity.number };
    /// The nonce as a quantity, as bundlers write it.
    U256 => Nonce: |value| Quantity::from(value).into();
    /// The nonce in 32 bytes, as the EntryPoint takes it.
    Nonce => Word: |nonce| to_word(nonce.value()).into();
}

conversions! { try
    /// The same quantity; `range` above 128 bits.
    Quantity => Quantity128: |quantity| {
        let range = || ParseError::RANGE.error(&quantity.to_text(), &Self::WANTED);
        let fits = quantity.value().bits() <= 128;
        fits.then_some(Self { number: quantity.number }).ok_or_else(range)
    };
    /// Returns the quantity of a number; `range` above 128 bits.
    U256 => Quantity128: |value| Quantity::from(value).try_into();
}

conversions!(quantity Nonce);

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
