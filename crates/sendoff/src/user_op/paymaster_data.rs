//! The data for the service's paymaster: how long it pays, and the client's signature for it.
//!
//! Source: the live service's public SDK and examples.

use alloc::vec::Vec;

use primitive_types::U256;

use crate::abi::{self, DecodeError, Reader, WORD, encode};
use crate::document::document;
use crate::error::{Error, IssueCode};
use crate::keccak::keccak256;
use crate::value::{Address, JobId, Signature, Word, bounded};

bounded! {
    /// A time in seconds since the epoch, below 2^48.
    ///
    /// ```
    /// use sendoff::user_op::Seconds;
    ///
    /// assert_eq!(Seconds::new(1_747_710_819).map(Seconds::value), Ok(1_747_710_819));
    /// assert!(Seconds::new(1 << 48).is_err());
    /// ```
    pub struct Seconds: "seconds since the epoch, an integer below 2^48", 0, (1 << 48) - 1
}

impl Seconds {
    /// Returns the time as `uint48`.
    const fn to_bytes(self) -> [u8; 6] {
        let [_, _, bytes @ ..] = self.0.to_be_bytes();
        bytes
    }
}

document! {
    /// A client's permission that the paymaster pays for a job. The client signs its hash.
    ///
    /// ```
    /// use sendoff::user_op::PaymasterGrant;
    ///
    /// let grant: PaymasterGrant = r#"{
    ///     "jobId": "d2dc3ccf-d197-484d-b3d2-8e24071ff909",
    ///     "clientSWA": "0x56d3678abcb9015664fce58d52004164d75f4ef8",
    ///     "validUntil": 8127376758384,
    ///     "validAfter": 18201871
    /// }"#.parse()?;
    /// assert_eq!(grant.hash().to_string(), "0xf612a05a1a3ec7085ba7d2c565ab35f4b10ae70ef66817597f987d71aa6351f8");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct PaymasterGrant: "a paymaster grant, an object" {
        /// The job that the paymaster pays for.
        "jobId" => pub job_id: JobId,
        /// The client that pays.
        "clientSWA" => pub client_swa: Address,
        /// The end of the permission.
        "validUntil" => pub valid_until: Seconds,
        /// The start of the permission.
        "validAfter" => pub valid_after: Seconds,
    }
}

impl PaymasterGrant {
    /// Returns the hash that the client signs as an EIP-191 personal message: the Keccak-256 hash of the job's nonce,
    /// the client and both times, packed into 64 bytes.
    #[must_use]
    pub fn hash(&self) -> Word {
        let (until, after) = (self.valid_until.to_bytes(), self.valid_after.to_bytes());
        keccak256(&[self.job_id.nonce().as_ref(), self.client_swa.as_ref(), &until, &after]).into()
    }
}

document! {
    /// The data for the service's paymaster: the ABI encoding of `(address, uint48, uint48, bytes)`, 256 bytes.
    ///
    /// ```
    /// use sendoff::user_op::PaymasterData;
    ///
    /// let data: PaymasterData = format!(r#"{{
    ///     "clientSWA": "0x56d3678abcb9015664fce58d52004164d75f4ef8",
    ///     "validUntil": 8127376758384,
    ///     "validAfter": 18201871,
    ///     "signature": "0x{}"
    /// }}"#, "11".repeat(65)).parse()?;
    /// assert_eq!(data.encode().len(), 256);
    /// assert_eq!(PaymasterData::decode(&data.encode())?, data);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct PaymasterData: "paymaster data, an object" {
        /// The client that pays.
        "clientSWA" => pub client_swa: Address,
        /// The end of the permission.
        "validUntil" => pub valid_until: Seconds,
        /// The start of the permission.
        "validAfter" => pub valid_after: Seconds,
        /// The client's signature of [`PaymasterGrant::hash`].
        "signature" => pub signature: Signature,
    }
}

impl PaymasterData {
    /// Returns the 256 bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        encode(&[
            abi::Item::Address(self.client_swa.to_h160()),
            abi::Item::Uint(U256::from(self.valid_until.value())),
            abi::Item::Uint(U256::from(self.valid_after.value())),
            abi::Item::Bytes(&self.signature.to_bytes()),
        ])
    }

    /// Decodes paymaster data. Accepts only what [`PaymasterData::encode`] writes.
    ///
    /// # Errors
    ///
    /// One issue of code `format`, with the byte and what was expected there.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let flaw = DecodeError::default();
        let data = decode(bytes, &flaw);
        flaw.or(data, bytes).map_err(|message| Error::one(IssueCode::Format, message))
    }
}

fn decode(bytes: &[u8], flaw: &DecodeError) -> Option<PaymasterData> {
    let mut data = Reader::new(bytes, 0, 4, flaw);
    let client_swa = data.address().into();
    let (valid_until, valid_after) = (seconds(&mut data), seconds(&mut data));
    let (signature, at) = data.bytes();
    data.end();

    let Ok(signature) = <[u8; 65]>::try_from(signature) else {
        flaw.keep(at.saturating_sub(WORD), "the length of a signature of 65 bytes");
        return None;
    };
    let (valid_until, valid_after) = (valid_until?, valid_after?);
    Some(PaymasterData { client_swa, valid_until, valid_after, signature: signature.into() })
}

fn seconds(data: &mut Reader<'_>) -> Option<Seconds> {
    let seconds = u64::try_from(data.uint()).ok().and_then(|time| Seconds::new(time).ok());
    if seconds.is_none() {
        data.before("a time below 2^48");
    }
    seconds
}
