//! Addresses.

use alloc::{string::String, vec::Vec};

use primitive_types::H160;

use super::digits::{Capitals, Spelling, read_fixed};
use super::{Note, ParseError, Text, WriteText, conversions, text};
use crate::document::traits;
use crate::keccak::keccak256;

/// An Ethereum address: `0x` and 40 hex digits, all lower case, all upper case, or mixed with a correct checksum.
///
/// Source: ERC-55 (the checksum). A mixed-case address with a wrong checksum is refused: it was mistyped or altered.
///
/// ```
/// use sendoff::value::Address;
///
/// let address: Address = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed".parse()?;
/// assert_eq!(address.to_checksum(), "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
/// assert_eq!(address, Address::from(address.to_h160()));
/// assert!("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD".parse::<Address>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    pub(super) bytes: [u8; 20],
    pub(super) capitals: Spelling<[Capitals; 1]>,
}

impl Address {
    /// The 20 bytes.
    #[must_use]
    pub const fn to_h160(&self) -> H160 {
        H160(self.bytes)
    }

    /// The address in the mixed case of ERC-55.
    #[must_use]
    pub fn to_checksum(&self) -> String {
        let mut out = Vec::with_capacity(42);
        self.to_checksummed().write_text(&mut out);
        text(out)
    }

    /// The address, spelled in the mixed case of ERC-55.
    #[must_use]
    pub fn to_checksummed(&self) -> Self {
        if self.is_mixed() {
            *self
        } else {
            Self { capitals: Spelling([checksum(&self.bytes)]), ..*self }
        }
    }

    /// The same, which needs no hash if one of these is this address in mixed case.
    pub(crate) fn to_checksummed_as(self, known: &[&Self]) -> Self {
        let known = known.iter().find(|known| **known == &self && known.is_mixed());
        known.map_or_else(|| self.to_checksummed(), |known| **known)
    }

    /// `true` if it has letters of both cases, which are then the checksum.
    pub(super) const fn is_mixed(&self) -> bool {
        let Spelling([capitals]) = self.capitals;
        capitals != 0 && capitals != letters(&self.bytes)
    }

    /// The address in lower case, as the service writes the addresses that it sets itself.
    #[must_use]
    pub const fn to_lowercase(&self) -> Self {
        Self { capitals: Spelling([0]), bytes: self.bytes }
    }
}

conversions!(bytes Address: 20);

conversions! {
    /// The address in lower case.
    H160 => Address: |value| value.0.into();
}

impl Text for Address {
    const EXPECTED: &'static str =
        "an address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum)";
    const KIND: &'static str = "Address";
    const PATTERN: &'static str = "^0x[0-9a-fA-F]{40}$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let (bytes, capitals) = read_fixed(text)?;
        let address = Self { bytes, capitals: Spelling(capitals) };
        if address.is_mixed() && capitals != [checksum(&bytes)] {
            return Err(ParseError::format(&Note::CHECKSUM));
        }
        Ok(address)
    }
}

traits!(Address: debug, leaf, read, serialize, schema);

/// Reads an address, or nothing from the empty text.
pub(super) fn or_empty(text: &str) -> Result<Option<Address>, ParseError> {
    if text.is_empty() { Ok(None) } else { Address::parse(text).map(Some) }
}

/// The schema of an address or the empty text.
#[cfg(feature = "schema")]
pub(super) fn or_empty_schema(
    generator: &mut schemars::SchemaGenerator,
    expected: &str,
) -> schemars::Schema {
    let address = generator.subschema_for::<Address>();
    schemars::json_schema!({ "description": expected, "anyOf": [{ "const": "" }, address] })
}

/// Returns the capital letters of ERC-55. A letter is a capital if the digit at the same place in the digest of the
/// lower-case digits is 8 or more.
fn checksum(address: &[u8; 20]) -> Capitals {
    let mut digits = const_hex::Buffer::<20>::new();
    capitals(address, &keccak256(&[digits.format(address).as_bytes()]))
}

/// The same, from that digest.
pub(super) const fn capitals(address: &[u8; 20], digest: &[u8; 32]) -> Capitals {
    match digest.first_chunk() {
        Some(digest) => letters(address) & places(digest, 8),
        None => 0,
    }
}

/// The digits of an address that are letters.
const fn letters(address: &[u8; 20]) -> Capitals {
    places(address, 10)
}

/// The digits of some bytes that are not below this value.
const fn places(bytes: &[u8; 20], least: u8) -> Capitals {
    let (mut bits, mut place, mut bytes) = (0, 1, bytes.as_slice());
    while let [byte, rest @ ..] = bytes {
        bits |= if *byte >> 4 >= least { place } else { 0 };
        bits |= if *byte & 0xf >= least { place << 1 } else { 0 };
        (bytes, place) = (rest, place << 2);
    }
    bits
}
