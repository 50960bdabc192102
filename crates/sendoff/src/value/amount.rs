//! Amounts.

use alloc::vec::Vec;

use primitive_types::U256;

use super::number::{read_decimal, write_decimal};
use super::{ParseError, Text, WriteText, conversions};
use crate::document::traits;

/// How much is transferred: a decimal integer from 1 to 2^256−1, without leading zeros.
///
/// Tokens are counted in their smallest unit, NFTs in pieces.
///
/// ```
/// use sendoff::value::Amount;
///
/// let wei: Amount = "10000000000000".parse()?;
/// assert_eq!(wei.value().as_u64(), 10_000_000_000_000);
/// assert_eq!(wei, Amount::try_from(10_000_000_000_000_u64)?);
/// for refused in ["0", "01", "1.0", "-1", "1e18", ""] {
///     assert!(refused.parse::<Amount>().is_err());
/// }
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount {
    value: U256,
}

impl Amount {
    /// The number.
    #[must_use]
    pub const fn value(&self) -> U256 {
        self.value
    }
}

conversions! { try
    /// Returns the amount of a number; `range` for zero.
    U256 => Amount: |value| {
        let range = || ParseError::RANGE.error("0", &Self::WANTED);
        (!value.is_zero()).then_some(Self { value }).ok_or_else(range)
    };
    /// Returns the amount of a number; `range` for zero.
    u64 => Amount: |value| U256::from(value).try_into();
    /// Returns the amount of a number; `range` for zero.
    u128 => Amount: |value| U256::from(value).try_into();
}

impl WriteText for Amount {
    fn write_text(&self, out: &mut Vec<u8>) {
        write_decimal(self.value, out);
    }
}

impl Text for Amount {
    const EXPECTED: &'static str = "a decimal integer from 1 to 2^256-1 without leading zeros";
    const KIND: &'static str = "Amount";
    const PATTERN: &'static str = "^[1-9][0-9]{0,77}$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let value = read_decimal(text)?;
        if value.is_zero() { Err(ParseError::RANGE) } else { Ok(Self { value }) }
    }
}

traits!(Amount: debug, leaf, read, serialize, schema);

/// A fee: a decimal integer from 0 to 2^256−1, without leading zeros.
///
/// The specification does not show its unit. The amounts seen so far look like the chain's smallest unit.
///
/// ```
/// use sendoff::value::FeeAmount;
///
/// assert!("0".parse::<FeeAmount>()?.value().is_zero());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeeAmount {
    value: U256,
}

impl FeeAmount {
    /// The number.
    #[must_use]
    pub const fn value(&self) -> U256 {
        self.value
    }
}

conversions! {
    U256 => FeeAmount: |value| Self { value };
    u64 => FeeAmount: |value| U256::from(value).into();
    u128 => FeeAmount: |value| U256::from(value).into();
}

impl WriteText for FeeAmount {
    fn write_text(&self, out: &mut Vec<u8>) {
        write_decimal(self.value, out);
    }
}

impl Text for FeeAmount {
    const EXPECTED: &'static str = "a decimal integer from 0 to 2^256-1 without leading zeros";
    const KIND: &'static str = "FeeAmount";
    const PATTERN: &'static str = "^(0|[1-9][0-9]{0,77})$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        read_decimal(text).map(|value| Self { value })
    }
}

traits!(FeeAmount: debug, leaf, read, serialize, schema);
