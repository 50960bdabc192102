//! Identifiers of jobs and NFTs.

use alloc::boxed::Box;

use primitive_types::{H256, U256};
use uuid::Uuid;

use super::{Fault, by_meaning, hex_digits, is_canonical_decimal, quantity::parse_hex, text_value};

/// The identifier of a job: a hyphenated UUID of either case, of any version.
///
/// Source: RFC 9562. It becomes the nonce of the job's user operation.
///
/// ```
/// use sendoff::value::JobId;
///
/// let job: JobId = "B9E16100-446F-4050-84ED-A846D2BAE528".parse()?;
/// assert_eq!(job, "b9e16100-446f-4050-84ed-a846d2bae528".parse()?);
/// assert_eq!(format!("{:x}", job.nonce()), "00000000000000000000000000000000b9e16100446f405084eda846d2bae528");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct JobId {
    text: Box<str>,
}

impl JobId {
    /// The UUID.
    #[must_use]
    pub fn to_uuid(&self) -> Uuid {
        Self::meaning(&self.text).unwrap_or_default()
    }

    /// The nonce of the job's user operation: 16 zero bytes, then the bytes of the UUID in the order of the text.
    #[must_use]
    pub fn nonce(&self) -> H256 {
        H256(U256::from(self.to_uuid().as_u128()).to_big_endian())
    }
}

impl From<Uuid> for JobId {
    /// The job in lower case.
    fn from(value: Uuid) -> Self {
        let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
        Self { text: (&*value.hyphenated().encode_lower(&mut text)).into() }
    }
}

impl JobId {
    pub(super) fn meaning(text: &str) -> Result<Uuid, Fault> {
        hyphenated(text).ok_or(Fault::FORMAT)
    }
}

text_value!(JobId: "a UUID (8-4-4-4-12 hex digits with hyphens)", "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$");
by_meaning!(JobId, to_uuid);

/// The identifier of an NFT: a hyphenated UUID, or an on-chain token id below 2^256, as a canonical decimal or as `0x`
/// and 1 to 64 hex digits.
///
/// The specification shows a UUID; the service's documents and SDKs use the token id.
///
/// ```
/// use sendoff::value::NftId;
///
/// let token: NftId = "0x0F".parse()?;
/// assert_eq!(token, "15".parse()?);
/// assert_eq!(token.to_string(), "0x0F");
/// assert!("b9e16100-446f-4050-84ed-a846d2bae528".parse::<NftId>()?.token_id().is_none());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NftId {
    text: Box<str>,
}

/// What an NFT is identified by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NftIdValue {
    Uuid(Uuid),
    TokenId(U256),
}

impl NftId {
    /// The UUID, where it is one.
    #[must_use]
    pub fn uuid(&self) -> Option<Uuid> {
        if let Some(NftIdValue::Uuid(uuid)) = self.value() { Some(uuid) } else { None }
    }

    /// The on-chain token id, where it is one.
    #[must_use]
    pub fn token_id(&self) -> Option<U256> {
        if let Some(NftIdValue::TokenId(token_id)) = self.value() { Some(token_id) } else { None }
    }

    fn value(&self) -> Option<NftIdValue> {
        Self::meaning(&self.text).ok()
    }
}

impl NftId {
    fn meaning(text: &str) -> Result<NftIdValue, Fault> {
        if let Some(uuid) = hyphenated(text) {
            return Ok(NftIdValue::Uuid(uuid));
        }
        match hex_digits(text) {
            Some("") => Err(Fault::FORMAT),
            Some(digits) => match parse_hex(digits) {
                Some(word) => Ok(NftIdValue::TokenId(U256::from_big_endian(&word))),
                None if digits.trim_start_matches('0').len() > 64 => Err(Fault::RANGE),
                None => Err(Fault::FORMAT),
            },
            None if is_canonical_decimal(text) => parse_decimal(text).map(NftIdValue::TokenId).ok_or(Fault::RANGE),
            None => Err(Fault::FORMAT),
        }
    }
}

text_value!(NftId: "an NFT's id (a UUID, a decimal without leading zeros, or `0x` and 1 to 64 hex digits; below 2^256)", "^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$");
by_meaning!(NftId, value);

/// The uuid crate reads four notations; only the hyphenated one has 36 characters.
fn hyphenated(text: &str) -> Option<Uuid> {
    (text.len() == uuid::fmt::Hyphenated::LENGTH).then(|| Uuid::try_parse(text).ok()).flatten()
}

/// A canonical decimal below 2^256.
pub(super) fn parse_decimal(digits: &str) -> Option<U256> {
    const MAX_DIGITS: usize = 78;
    (digits.len() <= MAX_DIGITS).then(|| U256::from_dec_str(digits).ok()).flatten()
}
