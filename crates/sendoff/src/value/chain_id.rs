//! Chain identifiers.

use alloc::{boxed::Box, string::String, vec::Vec};

use super::number::{decimal, is_canonical_decimal, read_decimal, write_decimal};
use super::{ParseError, Text, WriteText};
use crate::document::traits;
use crate::text::split;

/// A blockchain by its CAIP-2 identifier, `namespace:reference`, such as `eip155:137`.
///
/// Source: CAIP-2. In the namespace `eip155` the reference is a canonical decimal above zero.
///
/// ```
/// use sendoff::value::ChainId;
///
/// let polygon: ChainId = "eip155:137".parse()?;
/// assert_eq!((polygon.namespace(), &*polygon.reference()), ("eip155", "137"));
/// assert!("eip155:0137".parse::<ChainId>().is_err());
/// assert!("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".parse::<ChainId>().is_ok());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChainId {
    chain: Chain,
}

/// A chain of the namespace `eip155`, which every estimate is about, or one of another namespace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Chain {
    /// A chain by its number; a reference has at most 32 decimal digits, and they fit.
    Eip155(u128),
    Other {
        namespace: Box<str>,
        reference: Box<str>,
    },
}

impl ChainId {
    /// The namespace of Ethereum and compatible chains.
    pub const EIP155: &'static str = "eip155";

    /// The chain of this number, which is above zero.
    pub(crate) const fn of_eip155(number: u128) -> Self {
        Self { chain: Chain::Eip155(number) }
    }

    /// The part before the colon: 3 to 8 lower-case letters, digits or hyphens.
    #[must_use]
    pub fn namespace(&self) -> &str {
        match &self.chain {
            Chain::Eip155(_) => Self::EIP155,
            Chain::Other { namespace, .. } => namespace,
        }
    }

    /// The part after the colon: 1 to 32 letters, digits, hyphens or underscores.
    #[must_use]
    pub fn reference(&self) -> String {
        match &self.chain {
            Chain::Eip155(number) => decimal((*number).into()),
            Chain::Other { reference, .. } => (&**reference).into(),
        }
    }

    /// `true` if the chain is of the namespace `eip155`.
    #[must_use]
    pub const fn is_eip155(&self) -> bool {
        matches!(self.chain, Chain::Eip155(_))
    }
}

impl WriteText for ChainId {
    fn write_text(&self, out: &mut Vec<u8>) {
        match &self.chain {
            Chain::Eip155(number) => {
                out.extend_from_slice(b"eip155:");
                write_decimal((*number).into(), out);
            }
            Chain::Other { namespace, reference } => {
                out.extend_from_slice(namespace.as_bytes());
                out.push(b':');
                out.extend_from_slice(reference.as_bytes());
            }
        }
    }
}

impl Text for ChainId {
    const EXPECTED: &'static str =
        "a CAIP-2 chain id, such as `eip155:1` (its reference a decimal above zero)";
    const KIND: &'static str = "ChainId";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let (namespace, reference) = split(text, b':').ok_or(ParseError::FORMAT)?;
        let in_namespace = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        let in_reference = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';

        if !(3..=8).contains(&namespace.len())
            || !(1..=32).contains(&reference.len())
            || !namespace.bytes().all(in_namespace)
            || !reference.bytes().all(in_reference)
        {
            return Err(ParseError::FORMAT);
        }

        let chain = match namespace {
            Self::EIP155 if reference == "0" => return Err(ParseError::RANGE),
            Self::EIP155 if is_canonical_decimal(reference) => {
                Chain::Eip155(read_decimal(reference)?.low_u128())
            }
            Self::EIP155 => return Err(ParseError::FORMAT),
            _ => Chain::Other { namespace: namespace.into(), reference: reference.into() },
        };
        Ok(Self { chain })
    }
}

traits!(ChainId: debug, leaf, read, serialize, schema(|_| schemars::json_schema!({
    "type": "string",
    "description": <Self as Text>::EXPECTED,
    "pattern": "^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$",
    "if": { "pattern": "^eip155:" },
    "then": { "pattern": "^eip155:[1-9][0-9]{0,31}$" },
})));
