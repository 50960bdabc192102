//! Tokens by their contract.

use alloc::vec::Vec;

use super::address::or_empty;
#[cfg(feature = "schema")]
use super::address::or_empty_schema;
use super::{Address, ParseError, Text, WriteText, conversions};
use crate::document::traits;

/// The token of a transfer: the [`Address`] of its contract, or the empty text for the chain's native token.
///
/// ```
/// use sendoff::value::TokenAddress;
///
/// assert!("".parse::<TokenAddress>()?.contract().is_none());
/// let token: TokenAddress = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913".parse()?;
/// assert!(token.contract().is_some());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenAddress {
    contract: Option<Address>,
}

impl TokenAddress {
    /// The native token.
    pub const NATIVE: Self = Self { contract: None };

    /// The token's contract; `None` for the native token.
    #[must_use]
    pub const fn contract(&self) -> Option<&Address> {
        self.contract.as_ref()
    }
}

conversions! {
    Address => TokenAddress: |contract| Some(contract).into();
    /// The contract; `None` becomes the native token.
    Option<Address> => TokenAddress: |contract| Self { contract };
}

impl WriteText for TokenAddress {
    fn write_text(&self, out: &mut Vec<u8>) {
        self.contract.iter().for_each(|address| address.write_text(out));
    }
}

impl Text for TokenAddress {
    const EXPECTED: &'static str = "a token's address, or empty text for the native token";
    const KIND: &'static str = "TokenAddress";

    fn parse(text: &str) -> Result<Self, ParseError> {
        or_empty(text).map(|contract| Self { contract })
    }
}

traits!(TokenAddress: debug, leaf, read, serialize, schema(|generator| or_empty_schema(generator, <Self as Text>::EXPECTED)));
