//! Identifiers of jobs and NFTs.

use alloc::vec::Vec;

use primitive_types::U256;
use uuid::Uuid;

use super::digits::{Capitals, HexNumber, Spelling, capitalize, hex_digits, read_digits};
use super::number::{is_canonical_decimal, read_decimal, to_word, write_decimal};
use super::{ParseError, Text, Word, WriteText, conversions};
use crate::document::traits;

/// The identifier of a job: a hyphenated UUID of either case, of any version.
///
/// Source: RFC 9562. It becomes the nonce of the job's user operation.
///
/// ```
/// use sendoff::value::JobId;
///
/// let job: JobId = "B9E16100-446F-4050-84ED-A846D2BAE528".parse()?;
/// assert_eq!(job, "b9e16100-446f-4050-84ed-a846d2bae528".parse()?);
/// assert_eq!(job.nonce().to_string(), "0x00000000000000000000000000000000b9e16100446f405084eda846d2bae528");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId {
    uuid: Uuid,
    capitals: Spelling<Capitals>,
}

impl JobId {
    /// The UUID.
    #[must_use]
    pub const fn to_uuid(&self) -> Uuid {
        self.uuid
    }

    /// The nonce of the job's user operation: 16 zero bytes, then the bytes of the UUID in the order of the text.
    #[must_use]
    pub fn nonce(&self) -> Word {
        to_word(self.uuid.as_u128().into()).into()
    }
}

impl WriteText for JobId {
    fn write_text(&self, out: &mut Vec<u8>) {
        let mut text = [0; 36];
        self.uuid.hyphenated().encode_lower(&mut text);
        capitalize(text.iter_mut().filter(|byte| **byte != b'-'), self.capitals.0);
        out.extend_from_slice(&text);
    }
}

impl Text for JobId {
    const EXPECTED: &'static str = "a UUID (8-4-4-4-12 hex digits with hyphens)";
    const KIND: &'static str = "JobId";
    const PATTERN: &'static str = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let is_hyphen = |at: &usize| text.as_bytes().get(*at) == Some(&b'-');
        if text.len() != 36 || ![8, 13, 18, 23].iter().all(is_hyphen) {
            return Err(ParseError::FORMAT);
        }

        // With one more hyphen, the last place keeps a byte that is no digit.
        let mut digits = [0; 32];
        let places = digits.iter_mut().zip(text.bytes().filter(|byte| *byte != b'-'));
        places.for_each(|(place, digit)| *place = digit);
        let (bytes, [capitals]) = read_digits(&digits)?;
        Ok(Self { uuid: Uuid::from_bytes(bytes), capitals: Spelling(capitals) })
    }
}

traits!(JobId: debug, leaf, read, serialize, schema);

/// The identifier of an NFT: a hyphenated UUID, or an on-chain token id below 2^256, as a canonical decimal or as `0x`
/// and 1 to 64 hex digits.
///
/// The specification shows a UUID; the service's documents and SDKs use the token id. The service takes it as text, so
/// two ids are equal if their texts are equal without regard to letter case: `16` and `0x10` differ.
///
/// ```
/// use sendoff::value::NftId;
///
/// let token: NftId = "0x0F".parse()?;
/// assert_eq!(token, "0x0f".parse()?);
/// assert_ne!(token, "15".parse()?);
/// assert_eq!((token.to_string(), token.token_id()), ("0x0F".into(), Some(15.into())));
/// assert!("b9e16100-446f-4050-84ed-a846d2bae528".parse::<NftId>()?.token_id().is_none());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NftId {
    id: Id,
}

/// The identifier of an NFT, and its notation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Id {
    Uuid(JobId),
    Decimal(U256),
    /// With the number of digits.
    Hex(HexNumber, u8),
}

impl NftId {
    /// The UUID, if the identifier is one.
    #[must_use]
    pub const fn uuid(&self) -> Option<Uuid> {
        if let Id::Uuid(job) = &self.id { Some(job.to_uuid()) } else { None }
    }

    /// The on-chain token id, if the identifier is one.
    #[must_use]
    pub const fn token_id(&self) -> Option<U256> {
        match &self.id {
            Id::Uuid(_) => None,
            Id::Decimal(value) | Id::Hex(HexNumber { value, .. }, _) => Some(*value),
        }
    }
}

conversions! {
    /// The job in lower case.
    Uuid => JobId: |uuid| Self { uuid, capitals: Spelling(0) };
    /// The token id in decimal.
    U256 => NftId: |token_id| Self { id: Id::Decimal(token_id) };
    /// The UUID in lower case.
    Uuid => NftId: |uuid| Self { id: Id::Uuid(uuid.into()) };
}

impl WriteText for NftId {
    fn write_text(&self, out: &mut Vec<u8>) {
        match &self.id {
            Id::Uuid(uuid) => uuid.write_text(out),
            Id::Decimal(value) => write_decimal(*value, out),
            Id::Hex(number, _) => number.write(out),
        }
    }
}

impl Text for NftId {
    const EXPECTED: &'static str = "an NFT's id (a UUID, a decimal without leading zeros, or `0x` and 1 to 64 hex digits; below 2^256)";
    const KIND: &'static str = "NftId";
    const PATTERN: &'static str = "^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|0|[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$";

    fn parse(text: &str) -> Result<Self, ParseError> {
        let id = match hex_digits(text) {
            Some(digits) => {
                HexNumber::read(digits).map(|number| Id::Hex(number, number.digits()))?
            }
            None if is_canonical_decimal(text) => read_decimal(text).map(Id::Decimal)?,
            None => JobId::parse(text).map(Id::Uuid)?,
        };
        Ok(Self { id })
    }
}

traits!(NftId: debug, leaf, read, serialize, schema);
