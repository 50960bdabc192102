//! The account that pays a fee.

use alloc::vec::Vec;

use primitive_types::H160;

use super::address::or_empty;
#[cfg(feature = "schema")]
use super::address::or_empty_schema;
use super::digits::Spelling;
use super::{Address, ParseError, Text, WriteText, conversions};
use crate::document::traits;

/// The account that pays the fee of a job in the user's place: an [`Address`], or the empty text for nobody.
///
/// The zero address stands for nobody in call data.
///
/// ```
/// use sendoff::value::FeePayerAddress;
///
/// assert!("".parse::<FeePayerAddress>()?.payer().is_none());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeePayerAddress {
    /// The zero address if nobody pays.
    address: Address,
    /// `true` if it is the empty text.
    is_empty: Spelling<bool>,
}

impl FeePayerAddress {
    /// The payer; `None` for the empty text and for the zero address.
    #[must_use]
    pub fn payer(&self) -> Option<&Address> {
        (self.address.bytes != [0; 20]).then_some(&self.address)
    }
}

conversions! {
    /// The payer in lower case; the zero address if nobody pays.
    H160 => FeePayerAddress: |value| (!value.is_zero()).then(|| Address::from(value)).into();
    Address => FeePayerAddress: |address| Some(address).into();
    Option<Address> => FeePayerAddress: |address| Self {
        address: address.unwrap_or_else(|| [0; 20].into()),
        is_empty: Spelling(address.is_none()),
    };
}

impl WriteText for FeePayerAddress {
    fn write_text(&self, out: &mut Vec<u8>) {
        if !self.is_empty.0 {
            self.address.write_text(out);
        }
    }
}

impl Text for FeePayerAddress {
    const EXPECTED: &'static str = "a fee payer's address, or empty text for none";
    const KIND: &'static str = "FeePayerAddress";

    fn parse(text: &str) -> Result<Self, ParseError> {
        or_empty(text).map(Self::from)
    }
}

traits!(FeePayerAddress: debug, leaf, read, serialize, schema(|generator| {
    or_empty_schema(generator, <Self as Text>::EXPECTED)
}));
