//! Bytes written in hex.

use alloc::{boxed::Box, string::String, vec::Vec};

use primitive_types::H256;

use super::{Fault, by_meaning, hex_digits, text_value};

/// Bytes of any number in hex: `0x`, then an even number of digits of either case; `0x` alone is none.
///
/// Source: the `bytes` of Ethereum's execution-apis, which asks for lower case; upper-case digits are accepted and kept.
///
/// ```
/// use sendoff::value::HexBytes;
///
/// let bytes: HexBytes = "0xDEADbeef".parse()?;
/// assert_eq!((bytes.len(), bytes.to_vec()), (4, vec![0xde, 0xad, 0xbe, 0xef]));
/// assert_eq!(bytes.to_string(), "0xDEADbeef");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HexBytes {
    text: Box<str>,
}

impl HexBytes {
    /// How many bytes they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.digits().len() / 2
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.digits().is_empty()
    }

    /// The bytes.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        let mut bytes = alloc::vec![0; self.len()];
        // `hex::decode` goes by an iterator and takes twice as long. The digits were read: they are hex.
        let _ = hex::decode_to_slice(self.digits(), &mut bytes);
        bytes
    }

    /// The same bytes in lower case.
    #[must_use]
    pub fn to_lowercase(&self) -> Self {
        Self { text: self.text.to_ascii_lowercase().into() }
    }

    fn digits(&self) -> &str {
        self.text.get(2..).unwrap_or_default()
    }
}

impl From<&[u8]> for HexBytes {
    fn from(bytes: &[u8]) -> Self {
        Self { text: to_hex(bytes).into() }
    }
}

impl HexBytes {
    pub(super) fn meaning(text: &str) -> Result<(), Fault> {
        let digits = hex_digits(text).ok_or(Fault::FORMAT)?;
        if digits.len().is_multiple_of(2) { Ok(()) } else { Err(Fault::format(", which has an odd number of digits")) }
    }
}

text_value!(HexBytes: "hex bytes (`0x` and an even number of hex digits)", "^0x([0-9a-fA-F]{2})*$");

impl PartialEq for HexBytes {
    fn eq(&self, other: &Self) -> bool {
        self.text.eq_ignore_ascii_case(&other.text)
    }
}

impl Eq for HexBytes {}

impl core::hash::Hash for HexBytes {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        for digit in self.text.bytes() {
            state.write_u8(digit.to_ascii_lowercase());
        }
    }
}

/// [`HexBytes`] of exactly 32 bytes.
///
/// ```
/// use sendoff::value::Word;
///
/// let hash: Word = format!("0x{}", "ab".repeat(32)).parse()?;
/// assert_eq!(hash.to_h256().as_bytes()[0], 0xab);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Word {
    text: Box<str>,
}

impl Word {
    /// The 32 bytes.
    #[must_use]
    pub fn to_h256(&self) -> H256 {
        Self::meaning(&self.text).unwrap_or_default()
    }
}

impl From<H256> for Word {
    fn from(value: H256) -> Self {
        Self { text: to_hex(value.as_bytes()).into() }
    }
}

impl Word {
    pub(super) fn meaning(text: &str) -> Result<H256, Fault> {
        fixed(text).map(H256)
    }
}

text_value!(Word: "32 bytes of hex (`0x` and 64 hex digits)", "^0x[0-9a-fA-F]{64}$");
by_meaning!(Word, to_h256);

/// [`HexBytes`] of exactly 65 bytes: an ECDSA signature over secp256k1 as r, s and v.
///
/// ```
/// use sendoff::value::Signature;
///
/// let signature: Signature = format!("0x{}1b", "11".repeat(64)).parse()?;
/// assert_eq!(signature.to_bytes()[64], 27);
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Signature {
    text: Box<str>,
}

impl Signature {
    /// The 65 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 65] {
        Self::meaning(&self.text).unwrap_or([0; 65])
    }
}

impl From<[u8; 65]> for Signature {
    fn from(value: [u8; 65]) -> Self {
        Self { text: to_hex(&value).into() }
    }
}

impl Signature {
    pub(super) fn meaning(text: &str) -> Result<[u8; 65], Fault> {
        fixed(text)
    }
}

text_value!(Signature: "65 bytes of hex (`0x` and 130 hex digits)", "^0x[0-9a-fA-F]{130}$");
by_meaning!(Signature, to_bytes);

/// Exactly `N` bytes of hex.
pub(super) fn fixed<const N: usize>(text: &str) -> Result<[u8; N], Fault> {
    let mut bytes = [0; N];
    let digits = text.strip_prefix("0x").ok_or(Fault::FORMAT)?;
    hex::decode_to_slice(digits, &mut bytes).map_err(|error| match error {
        hex::FromHexError::InvalidHexCharacter { .. } => Fault::FORMAT,
        _ => Fault::format(", which has another length"),
    })?;
    Ok(bytes)
}

/// Bytes in lower-case hex with their prefix. Each digit is written once: `hex::encode` goes by characters, which
/// takes several times as long.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    let mut text = alloc::vec![b'0'; bytes.len().saturating_mul(2).saturating_add(2)];
    if let Some((prefix, digits)) = text.split_at_mut_checked(2) {
        prefix.copy_from_slice(b"0x");
        let _ = hex::encode_to_slice(bytes, digits);
    }
    String::from_utf8(text).unwrap_or_default()
}
