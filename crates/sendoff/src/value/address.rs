//! Addresses.

use alloc::{boxed::Box, string::String};

use primitive_types::H160;

use super::{Fault, by_meaning, bytes::fixed, text_value, to_hex};
use crate::document::schema;
use crate::keccak::keccak256;

/// An Ethereum address: `0x` and 40 hex digits, all lower case, all upper case, or mixed with a correct checksum.
///
/// Source: ERC-55 (the checksum). A mixed-case address with another checksum is refused: it was mistyped, or altered.
///
/// ```
/// use sendoff::value::Address;
///
/// let address: Address = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed".parse()?;
/// assert_eq!(address.to_checksum(), "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed");
/// assert!("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD".parse::<Address>().is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Address {
    text: Box<str>,
}

impl Address {
    /// The 20 bytes.
    #[must_use]
    pub fn to_h160(&self) -> H160 {
        H160(fixed(&self.text).unwrap_or_default())
    }

    /// The address in the mixed case of ERC-55.
    #[must_use]
    pub fn to_checksum(&self) -> String {
        let digest = checksum_digest(self.to_h160());
        let digits = to_hex(self.to_h160().as_bytes());
        let spelled = digits
            .chars()
            .skip(2)
            .enumerate()
            .map(|(at, c)| if is_capital(&digest, at) { c.to_ascii_uppercase() } else { c });
        "0x".chars().chain(spelled).collect()
    }

    /// The address, spelled in the mixed case of ERC-55.
    #[must_use]
    pub fn to_checksummed(&self) -> Self {
        Self { text: self.to_checksum().into() }
    }

    /// The address in lower case, as the service writes what it makes.
    #[must_use]
    pub fn to_lowercase(&self) -> Self {
        Self { text: self.text.to_ascii_lowercase().into() }
    }
}

impl From<H160> for Address {
    /// The address in lower case.
    fn from(value: H160) -> Self {
        Self { text: to_hex(value.as_bytes()).into() }
    }
}

impl Address {
    pub(super) fn meaning(text: &str) -> Result<H160, Fault> {
        let value = H160(fixed(text)?);
        let lower = text.bytes().skip(2).any(|digit| digit.is_ascii_lowercase());
        let upper = text.bytes().skip(2).any(|digit| digit.is_ascii_uppercase());
        if lower && upper && !is_checksummed(text, value) {
            return Err(Fault::format(", whose checksum is wrong"));
        }
        Ok(value)
    }
}

text_value!(Address: "an address (`0x` and 40 hex digits, in one letter case or with its ERC-55 checksum)", "^0x[0-9a-fA-F]{40}$");
by_meaning!(Address, to_h160);

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
#[derive(Clone, Debug)]
pub struct TokenAddress {
    text: Box<str>,
}

impl TokenAddress {
    /// The token's contract; none for the native token.
    #[must_use]
    pub fn contract(&self) -> Option<H160> {
        fixed(&self.text).ok().map(H160)
    }
}

impl TokenAddress {
    pub(super) fn meaning(text: &str) -> Result<Option<H160>, Fault> {
        if text.is_empty() { Ok(None) } else { Address::meaning(text).map(Some) }
    }
}

text_value!(TokenAddress: "a token's address, or empty text for the native token");
schema::of!(TokenAddress, |generator| or_empty(generator, <Self as super::Text>::EXPECTED));
by_meaning!(TokenAddress, contract);

/// Who pays the fee of a job in the user's place: an [`Address`], or the empty text for nobody.
///
/// On chain nobody is the zero address.
///
/// ```
/// use sendoff::value::FeePayerAddress;
///
/// assert!("".parse::<FeePayerAddress>()?.payer().is_none());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FeePayerAddress {
    text: Box<str>,
}

impl FeePayerAddress {
    /// Who pays; none for nobody, as which the zero address counts.
    #[must_use]
    pub fn payer(&self) -> Option<H160> {
        fixed(&self.text).ok().map(H160).filter(|payer| !payer.is_zero())
    }
}

impl From<H160> for FeePayerAddress {
    /// The payer in lower case; nobody for the zero address.
    fn from(value: H160) -> Self {
        Self { text: if value.is_zero() { "".into() } else { to_hex(value.as_bytes()).into() } }
    }
}

impl From<Option<Address>> for FeePayerAddress {
    fn from(address: Option<Address>) -> Self {
        Self { text: address.map_or_else(Box::default, |address| address.text) }
    }
}

impl FeePayerAddress {
    pub(super) fn meaning(text: &str) -> Result<Option<H160>, Fault> {
        TokenAddress::meaning(text)
    }
}

text_value!(FeePayerAddress: "a fee payer's address, or empty text for none");
schema::of!(FeePayerAddress, |generator| or_empty(generator, <Self as super::Text>::EXPECTED));
by_meaning!(FeePayerAddress, payer);

#[cfg(feature = "schema")]
fn or_empty(generator: &mut schemars::SchemaGenerator, expected: &str) -> schemars::Schema {
    let address = generator.subschema_for::<Address>();
    schemars::json_schema!({ "description": expected, "anyOf": [{ "const": "" }, address] })
}

/// ERC-55: the digest of the lower-case digits says which letters are capitals.
fn checksum_digest(address: H160) -> [u8; 32] {
    let mut digits = [0; 40];
    // Always fits: 40 digits for 20 bytes.
    let _ = hex::encode_to_slice(address, &mut digits);
    keccak256([&digits[..]])
}

fn is_checksummed(text: &str, address: H160) -> bool {
    let digest = checksum_digest(address);
    text.bytes()
        .skip(2)
        .enumerate()
        .all(|(at, digit)| !digit.is_ascii_alphabetic() || digit.is_ascii_uppercase() == is_capital(&digest, at))
}

/// Whether the `at`-th digit, if it is a letter, is a capital: the `at`-th digit of the digest is 8 or more.
fn is_capital(digest: &[u8; 32], at: usize) -> bool {
    let high_bit = if at.is_multiple_of(2) { 0x80 } else { 0x08 };
    digest.get(at / 2).is_some_and(|byte| byte & high_bit != 0)
}
