//! Amounts.

use alloc::{boxed::Box, string::ToString};

use primitive_types::U256;

use super::{Fault, by_meaning, id::parse_decimal, is_canonical_decimal, text_value};

/// How much is transferred: a decimal integer from 1 to 2^256−1, without leading zeros.
///
/// Tokens are counted in their smallest unit, NFTs in pieces.
///
/// ```
/// use sendoff::value::Amount;
///
/// let wei: Amount = "10000000000000".parse()?;
/// assert_eq!(wei.value().as_u64(), 10_000_000_000_000);
/// for refused in ["0", "01", "1.0", "-1", "1e18", ""] {
///     assert!(refused.parse::<Amount>().is_err());
/// }
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Amount {
    text: Box<str>,
}

impl Amount {
    /// The number.
    #[must_use]
    pub fn value(&self) -> U256 {
        Self::meaning(&self.text).unwrap_or_default()
    }

    /// The amount of a number; none for zero.
    #[must_use]
    pub fn new(value: U256) -> Option<Self> {
        (!value.is_zero()).then(|| Self { text: value.to_string().into() })
    }
}

impl Amount {
    pub(super) fn meaning(text: &str) -> Result<U256, Fault> {
        match FeeAmount::meaning(text)? {
            zero if zero.is_zero() => Err(Fault::RANGE),
            value => Ok(value),
        }
    }
}

text_value!(Amount: "a decimal integer from 1 to 2^256-1 without leading zeros", "^[1-9][0-9]{0,77}$");
by_meaning!(Amount, value);

/// A fee: a decimal integer from 0 to 2^256−1, without leading zeros.
///
/// The specification does not show its unit; the amounts seen are of the order of the chain's smallest unit.
///
/// ```
/// use sendoff::value::FeeAmount;
///
/// assert!("0".parse::<FeeAmount>()?.value().is_zero());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FeeAmount {
    text: Box<str>,
}

impl FeeAmount {
    /// The number.
    #[must_use]
    pub fn value(&self) -> U256 {
        Self::meaning(&self.text).unwrap_or_default()
    }
}

impl FeeAmount {
    pub(super) fn meaning(text: &str) -> Result<U256, Fault> {
        if !is_canonical_decimal(text) {
            return Err(Fault::FORMAT);
        }
        parse_decimal(text).ok_or(Fault::RANGE)
    }
}

text_value!(FeeAmount: "a decimal integer from 0 to 2^256-1 without leading zeros", "^(0|[1-9][0-9]{0,77})$");
by_meaning!(FeeAmount, value);
