//! Amounts.

use alloc::string::{String, ToString};

use primitive_types::U256;

use super::{Fault, Text, by_meaning, id::parse_decimal, is_canonical_decimal, text_value};

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
    text: String,
    value: U256,
}

impl Amount {
    /// The number.
    #[must_use]
    pub const fn value(&self) -> U256 {
        self.value
    }

    /// The amount of a number; none for zero.
    #[must_use]
    pub fn new(value: U256) -> Option<Self> {
        (!value.is_zero()).then(|| Self { text: value.to_string(), value })
    }
}

impl Text for Amount {
    const EXPECTED: &'static str = "a decimal integer from 1 to 2^256-1 without leading zeros";
    type Meaning = U256;

    fn meaning(text: &str) -> Result<U256, Fault> {
        match FeeAmount::meaning(text)? {
            zero if zero.is_zero() => Err(Fault::RANGE),
            value => Ok(value),
        }
    }

    fn keep(text: String, value: U256) -> Self {
        Self { text, value }
    }
}

text_value!(Amount);
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
    text: String,
    value: U256,
}

impl FeeAmount {
    /// The number.
    #[must_use]
    pub const fn value(&self) -> U256 {
        self.value
    }
}

impl Text for FeeAmount {
    const EXPECTED: &'static str = "a decimal integer from 0 to 2^256-1 without leading zeros";
    type Meaning = U256;

    fn meaning(text: &str) -> Result<U256, Fault> {
        if !is_canonical_decimal(text) {
            return Err(Fault::FORMAT);
        }
        parse_decimal(text).ok_or(Fault::RANGE)
    }

    fn keep(text: String, value: U256) -> Self {
        Self { text, value }
    }
}

text_value!(FeeAmount);
by_meaning!(FeeAmount, value);
