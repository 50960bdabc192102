//! Chain identifiers.

use alloc::boxed::Box;

use super::{Fault, is_canonical_decimal, text_value};
use crate::document::schema;

/// A blockchain by its CAIP-2 identifier, `namespace:reference`, such as `eip155:137`.
///
/// Source: CAIP-2. In the namespace `eip155` the reference is a canonical decimal above zero.
///
/// ```
/// use sendoff::value::ChainId;
///
/// let polygon: ChainId = "eip155:137".parse()?;
/// assert_eq!((polygon.namespace(), polygon.reference()), ("eip155", "137"));
/// assert!("eip155:0137".parse::<ChainId>().is_err());
/// assert!("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".parse::<ChainId>().is_ok());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChainId {
    text: Box<str>,
}

impl ChainId {
    /// The namespace of Ethereum and its kin.
    pub const EIP155: &'static str = "eip155";

    /// The part before the colon: 3 to 8 lower-case letters, digits or hyphens.
    #[must_use]
    pub fn namespace(&self) -> &str {
        self.text.split_once(':').unwrap_or_default().0
    }

    /// The part behind the colon: 1 to 32 letters, digits, hyphens or underscores.
    #[must_use]
    pub fn reference(&self) -> &str {
        self.text.split_once(':').unwrap_or_default().1
    }

    /// Whether the chain is of the namespace `eip155`.
    #[must_use]
    pub fn is_eip155(&self) -> bool {
        self.namespace() == Self::EIP155
    }
}

impl ChainId {
    pub(super) fn meaning(text: &str) -> Result<(), Fault> {
        let (namespace, reference) = text.split_once(':').ok_or(Fault::FORMAT)?;
        let in_namespace = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        let in_reference = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
        if !(3..=8).contains(&namespace.len())
            || !(1..=32).contains(&reference.len())
            || !namespace.bytes().all(in_namespace)
            || !reference.bytes().all(in_reference)
        {
            return Err(Fault::FORMAT);
        }
        match namespace {
            Self::EIP155 if reference == "0" => Err(Fault::RANGE),
            Self::EIP155 if !is_canonical_decimal(reference) => Err(Fault::FORMAT),
            _ => Ok(()),
        }
    }
}

text_value!(ChainId: "a CAIP-2 chain id, such as `eip155:1` (its reference a decimal above zero)");
schema::of!(ChainId, |_| schemars::json_schema!({
    "type": "string",
    "description": <Self as super::Text>::EXPECTED,
    "pattern": "^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$",
    "if": { "pattern": "^eip155:" },
    "then": { "pattern": "^eip155:[1-9][0-9]{0,31}$" },
}));
