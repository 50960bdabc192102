//! Bytes written in hex.

use alloc::{boxed::Box, vec::Vec};

use primitive_types::H256;

use super::digits::{Capitals, Spelling, capitals_of, hex_digits, of_hex, read_bytes, read_fixed};
use super::{Note, ParseError, Text, WriteText, conversions};
use crate::document::traits;
use crate::error::Error;
use crate::keccak::keccak256;

/// Hex bytes of any length: `0x`, then an even number of digits of either case; `0x` alone is zero bytes.
///
/// Source: the `bytes` of Ethereum's execution-apis, which asks for lower case; upper-case digits are accepted and kept.
///
/// ```
/// use sendoff::value::HexBytes;
///
/// let bytes: HexBytes = "0xDEADbeef".parse()?;
/// assert_eq!((bytes.len(), bytes.as_slice()), (4, &[0xde, 0xad, 0xbe, 0xef][..]));
/// assert_eq!(bytes.to_string(), "0xDEADbeef");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HexBytes {
    bytes: Box<[u8]>,
    /// Empty if no digit is a capital letter.
    capitals: Spelling<Box<[Capitals]>>,
}

impl HexBytes {
    /// The number of bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// `true` if there are no bytes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bytes.
    #[must_use]
    pub const fn as_slice(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, in a vector of their own.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }

    /// The same bytes in lower case.
    #[must_use]
    pub fn to_lowercase(&self) -> Self {
        self.as_slice().into()
    }
}

impl Default for HexBytes {
    /// Zero bytes: `0x`.
    fn default() -> Self {
        Vec::new().into()
    }
}

conversions! {
    &[u8] => HexBytes: |bytes| Vec::from(bytes).into();
    Vec<u8> => HexBytes: |bytes| Self { bytes: bytes.into(), capitals: Spelling::default() };
    HexBytes => Vec<u8>: |bytes| bytes.bytes.into();
}

impl<const N: usize> From<[u8; N]> for HexBytes {
    fn from(bytes: [u8; N]) -> Self {
        bytes.as_slice().into()
    }
}

/// Returns the value of a number of bytes that its type has.
pub(super) fn of_slice<T: From<[u8; N]> + Text, const N: usize>(bytes: &[u8]) -> Result<T, Error> {
    let misfit = |_| ParseError::FORMAT.error(&HexBytes::from(bytes).to_text(), &T::WANTED);
    <[u8; N]>::try_from(bytes).map(T::from).map_err(misfit)
}

conversions!(digits HexBytes);

impl Text for HexBytes {
    const EXPECTED: &'static str = "hex bytes (`0x` and an even number of hex digits)";
    const KIND: &'static str = "HexBytes";
    const PATTERN: &'static str = "^0x([0-9a-fA-F]{2})*$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let digits = hex_digits(text).ok_or(ParseError::FORMAT)?;
        if !digits.len().is_multiple_of(2) {
            return Err(of_hex(digits, ParseError::format(&Note::ODD)));
        }
        let mut bytes = alloc::vec![0; digits.len() / 2];
        let mut capitals = Vec::new();
        if read_bytes(digits, &mut bytes).ok_or(ParseError::FORMAT)? {
            capitals.resize(digits.len().div_ceil(64), 0);
            capitals_of(digits, &mut capitals);
        }
        Ok(Self { bytes: bytes.into(), capitals: Spelling(capitals.into()) })
    }
}

traits!(HexBytes: debug, leaf, read, serialize, schema);

/// [`HexBytes`] of exactly 32 bytes.
///
/// ```
/// use sendoff::value::Word;
///
/// let hash: Word = format!("0x{}", "ab".repeat(32)).parse()?;
/// assert_eq!(hash.to_h256().as_bytes()[0], 0xab);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word {
    bytes: [u8; 32],
    capitals: Spelling<[Capitals; 1]>,
}

impl Word {
    /// The 32 bytes.
    #[must_use]
    pub const fn to_h256(&self) -> H256 {
        H256(self.bytes)
    }

    /// Returns the Keccak-256 hash of bytes, as Ethereum computes it.
    ///
    /// ```
    /// use sendoff::value::Word;
    ///
    /// assert!(Word::keccak256(b"").to_string().starts_with("0xc5d2460186f7233c"));
    /// ```
    #[must_use]
    pub fn keccak256(bytes: &[u8]) -> Self {
        keccak256(&[bytes]).into()
    }
}

conversions!(bytes Word: 32);

conversions! {
    /// The bytes in lower case.
    H256 => Word: |value| value.0.into();
}

impl Text for Word {
    const EXPECTED: &'static str = "32 bytes of hex (`0x` and 64 hex digits)";
    const KIND: &'static str = "Word";
    const PATTERN: &'static str = "^0x[0-9a-fA-F]{64}$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        read_fixed(text).map(|(bytes, capitals)| Self { bytes, capitals: Spelling(capitals) })
    }
}

traits!(Word: debug, leaf, read, serialize, schema);

/// [`HexBytes`] of exactly 65 bytes: an ECDSA signature over secp256k1 as r, s and v.
///
/// ```
/// use sendoff::value::Signature;
///
/// let signature: Signature = format!("0x{}1b", "11".repeat(64)).parse()?;
/// assert_eq!(signature.to_bytes()[64], 27);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    bytes: [u8; 65],
    capitals: Spelling<[Capitals; 3]>,
}

impl Signature {
    /// The 65 bytes.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 65] {
        self.bytes
    }
}

conversions!(bytes Signature: 65);

impl Text for Signature {
    const EXPECTED: &'static str = "65 bytes of hex (`0x` and 130 hex digits)";
    const KIND: &'static str = "Signature";
    const PATTERN: &'static str = "^0x[0-9a-fA-F]{130}$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        read_fixed(text).map(|(bytes, capitals)| Self { bytes, capitals: Spelling(capitals) })
    }
}

traits!(Signature: debug, leaf, read, serialize, schema);
