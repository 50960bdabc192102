//! Signatures of a digest: whether a key made one, and the call that checks a contract's signature.
//!
//! Behind the feature `signature`: elliptic curves are heavy.
//!
//! Source: SEC 1 and EIP-191 (recovery), EIP-2 (low `s`), ERC-1271 and ERC-6492 (contracts).

use core::fmt;

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use k256::elliptic_curve::point::AffineCoordinates as _;
use primitive_types::{H160, H256};

use crate::abi::{Flaw, Reader, Value, WORD, encode};
use crate::document::{answer, schema, written_as};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::keccak::keccak256;
use crate::value::{Address, HexBytes, Word, of_word};

/// Checks that the key of `signer` made a signature of a digest: 65 bytes `r`, `s` and `v`.
///
/// ```
/// use sendoff::user_op::{SignatureFlaw, check_signature};
/// use sendoff::value::{Address, HexBytes, Word};
///
/// let digest: Word = "0x6bd999b59e5f6bd92c8b50afb0c156fc5dd99876b51ae259ff5575a2b9cde4dc".parse()?;
/// let signature: HexBytes = concat!(
///     "0xa4dfdbae92c9168105861780c8c9f89e7a98502eece3b2750593644affb8c063",
///     "2197e1cb8a7cc880b54fcfec520399ce96acf369dc2522749351f9a5360e66c7",
///     "1b",
/// ).parse()?;
/// let signer: Address = "0x690c113844390c821cf1175c2894e24524f99602".parse()?;
/// assert_eq!(check_signature(digest, signature.as_slice(), &signer), Ok(()));
///
/// let other = "0xc1ef08afd7ab1faaccb6bc7ab4ab8e25818bdb3a".parse()?;
/// let flaw = check_signature(digest, signature.as_slice(), &other);
/// assert_eq!(flaw, Err(SignatureFlaw::Signer { found: Some(signer) }));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
///
/// # Errors
///
/// The first flaw, in the order of [`SignatureFlaw`].
pub fn check_signature(digest: Word, signature: &[u8], signer: &Address) -> Result<(), SignatureFlaw> {
    let [r @ .., v] = <&[u8; 65]>::try_from(signature).map_err(|_| SignatureFlaw::Length { found: signature.len() })?;
    let odd = match v {
        27 => false,
        28 => true,
        found => return Err(SignatureFlaw::V { found: *found }),
    };
    let signature = Signature::from_slice(r).map_err(|_| SignatureFlaw::Range)?;
    if signature.normalize_s() != signature {
        return Err(SignatureFlaw::HighS);
    }
    let key = VerifyingKey::recover_from_prehash(digest.as_ref(), &signature, RecoveryId::new(odd, false));
    let found = key.ok().map(|key| address(&key));
    if found.as_ref() == Some(signer) { Ok(()) } else { Err(SignatureFlaw::Signer { found }) }
}

/// Returns the last 20 bytes of the hash of the key's coordinates.
// Not of its SEC 1 encoding, whose bytes may not exist: that check brings 3.6 kB (gzip) of errors into a page.
fn address(key: &VerifyingKey) -> Address {
    let point = key.as_affine();
    let digest = H256(keccak256(&[&point.x()[..], &point.y()[..]]));
    Address::from(H160::from(digest)).to_checksummed()
}

/// The reason why a signature is refused. The first in this order is reported.
///
/// ```
/// use sendoff::user_op::{SignatureFlaw, check_signature};
/// use sendoff::value::Address;
///
/// let flaw = check_signature([0; 32].into(), &[1; 64], &Address::from([0; 20]));
/// assert_eq!(flaw, Err(SignatureFlaw::Length { found: 64 }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SignatureFlaw {
    /// The signature does not have 65 bytes. Another length means a contract's signature ([`SignatureCall`]).
    Length {
        /// The number of bytes.
        found: usize,
    },
    /// `v` is neither 27 nor 28.
    V {
        /// The last byte.
        found: u8,
    },
    /// `r` or `s` is zero, or not below the order of the curve.
    Range,
    /// `s` is in the upper half of its range. Contracts refuse this form of a signature (EIP-2).
    HighS,
    /// The signature was made by another key, or for another digest.
    Signer {
        /// The address of the key that made it for this digest, if there is one.
        found: Option<Address>,
    },
}

impl SignatureFlaw {
    /// The flaw's name in JSON, such as `high-s`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Length { .. } => "length",
            Self::V { .. } => "v",
            Self::Range => "range",
            Self::HighS => "high-s",
            Self::Signer { .. } => "signer",
        }
    }
}

impl fmt::Display for SignatureFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found } => write!(f, "expected a signature of 65 bytes, found {found}"),
            Self::V { found } => write!(f, "expected v to be 27 or 28, found {found}"),
            Self::Range => {
                f.write_str("expected r and s from 1 to the order of the curve less 1, found one out of this range")
            }
            Self::HighS => f.write_str("expected s in the lower half of its range, found the upper half"),
            Self::Signer { found: Some(found) } => {
                write!(f, "expected a signature of the signer, found one of {found}")
            }
            Self::Signer { found: None } => {
                f.write_str("expected a signature of the signer, found one that no key made")
            }
        }
    }
}

impl core::error::Error for SignatureFlaw {}

/// The answer of `checkSignature`.
pub(crate) struct SignatureCheck(pub(crate) Result<(), SignatureFlaw>);

impl SignatureCheck {
    fn flaw(&self) -> Option<&SignatureFlaw> {
        self.0.as_ref().err()
    }

    fn found(&self) -> Option<&Address> {
        if let Some(SignatureFlaw::Signer { found }) = self.flaw() { found.as_ref() } else { None }
    }
}

written_as!(SignatureCheck, |check| {
    "ok" => check.0.is_ok(),
    "reason" => check.flaw().map(SignatureFlaw::as_str),
    "found" => check.found(),
});

schema::of!(SignatureCheck, |generator| {
    let made = schema::Fields::new(generator)
        .constant("ok", "`true` if the signer's key made the signature.", true)
        .open("The signer's key made the signature.");
    let reasons = schemars::json_schema!({ "enum": ["length", "v", "range", "high-s", "signer"] });
    let flawed = schema::Fields::new(generator)
        .constant("ok", "`true` if the signer's key made the signature.", false)
        .shaped("reason", "The first flaw of the signature.", reasons)
        .optional::<Address>("found", "With `signer`: the address of the key that made the signature.")
        .open("The signer's key did not make the signature, or its form is wrong.");
    schemars::json_schema!({ "description": "The check of a signature.", "oneOf": [made, flawed] })
});

answer! {
    /// The call (`eth_call`) that checks a contract's signature: `{to, data, answer, deploy?}` in JSON.
    ///
    /// The contract's answer is valid for the block in which it is asked. An account checks the signature of an
    /// operation in `validateUserOp`; whether `isValidSignature` is the same check depends on the account.
    ///
    /// ```
    /// use sendoff::user_op::SignatureCall;
    /// use sendoff::value::{Address, HexBytes};
    ///
    /// let account = Address::from([0x11; 20]);
    /// let call = SignatureCall::new([0xab; 32].into(), &[1, 2, 3], account)?;
    /// assert_eq!(call.to, account);
    /// assert_eq!(call.data.to_vec()[..4], [0x16, 0x26, 0xba, 0x7e]);
    /// assert!(call.deploy.is_none());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct SignatureCall {
        /// The contract.
        "to" => pub to: Address,
        /// The call of `isValidSignature(bytes32,bytes)`.
        "data" => pub data: HexBytes,
        /// The contract's answer if it accepts the signature. Any other answer, a revert or no answer refuses it.
        "answer" => pub answer: Word,
        /// The call to make first, in the same `eth_call`, if the contract has no code yet (ERC-6492).
        "deploy" => "Option::is_none" pub deploy: Option<DeployCall>,
    }
}

answer! {
    /// The call that deploys a contract.
    ///
    /// ```
    /// use sendoff::user_op::DeployCall;
    ///
    /// let line = |call: &DeployCall| format!("call {} with {}", call.to, call.data);
    /// ```
    pub struct DeployCall {
        /// The factory.
        "to" => pub to: Address,
        /// The data of the call.
        "data" => pub data: HexBytes,
    }
}

impl SignatureCall {
    /// `isValidSignature(bytes32,bytes)`. It is also the answer for a valid signature.
    const IS_VALID_SIGNATURE: [u8; 4] = [0x16, 0x26, 0xba, 0x7e];

    /// The end of a signature that ERC-6492 wraps: `0x6492`, sixteen times.
    const WRAPPED: [u8; WORD] = [
        0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92,
        0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92,
    ];

    /// Returns the call for a digest, a contract's signature of it, and the contract. A signature that ERC-6492 wraps
    /// is unwrapped.
    ///
    /// # Errors
    ///
    /// `format` at `signature` if it ends as a wrapped signature and does not decode.
    pub fn new(digest: Word, signature: &[u8], account: Address) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let call = Self::read(digest, signature, account, &mut issues);
        issues.or(call)
    }

    fn read(digest: Word, signature: &[u8], account: Address, issues: &mut Issues) -> Option<Self> {
        let (deploy, signature) = match signature.strip_suffix(&Self::WRAPPED) {
            None => (None, signature),
            Some(wrapped) => {
                let (deploy, signature) = unwrapped(wrapped)
                    .map_err(|message| {
                        issues.push(&Path::Field(&Path::Root, "signature"), IssueCode::Format, message);
                    })
                    .ok()?;
                (Some(deploy), signature)
            }
        };
        let digest = Value::Uint(of_word(&digest.into()));
        let mut answer = [0; WORD];
        if let Some(selector) = answer.first_chunk_mut() {
            *selector = Self::IS_VALID_SIGNATURE;
        }
        Some(Self {
            to: account,
            data: [&Self::IS_VALID_SIGNATURE[..], &encode(&[digest, Value::Bytes(signature)])]
                .concat()
                .as_slice()
                .into(),
            answer: answer.into(),
            deploy,
        })
    }
}

/// `(address factory, bytes factoryData, bytes signature)`: the deployment, and the signature itself.
fn unwrapped(wrapped: &[u8]) -> Result<(DeployCall, &[u8]), alloc::string::String> {
    let flaw = Flaw::default();
    let mut reader = Reader::new(wrapped, 0, 3, &flaw);
    let to = reader.address().into();
    let (data, _) = reader.bytes();
    let (signature, at) = reader.bytes();
    reader.end();

    let signature = wrapped.get(at..at.saturating_add(signature.len()));
    flaw.or(signature.map(|signature| (DeployCall { to, data: data.into() }, signature)), wrapped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::to_json;
    use alloc::{format, string::ToString};

    #[test]
    fn constants_match_their_definitions() {
        let selector = keccak256(&[&b"isValidSignature(bytes32,bytes)"[..]]);
        assert_eq!(selector[..4], SignatureCall::IS_VALID_SIGNATURE);
        assert_eq!(SignatureCall::WRAPPED, *[[0x64, 0x92]; 16].as_flattened());
    }

    #[test]
    fn a_signature_of_no_key_has_no_address() {
        // r = 5 is no x coordinate of the curve.
        let mut signature = [0; 65];
        (signature[31], signature[63], signature[64]) = (5, 1, 27);
        let flaw = check_signature([1; 32].into(), &signature, &Address::from(H160::zero()));
        assert_eq!(flaw, Err(SignatureFlaw::Signer { found: None }));
        assert_eq!(to_json(&SignatureCheck(flaw)), r#"{"ok":false,"reason":"signer"}"#);
    }

    #[test]
    fn flaws_say_what_was_expected_and_found() {
        let other = Address::from(H160([0x11; 20]));
        for (flaw, said) in [
            (SignatureFlaw::Length { found: 64 }, "expected a signature of 65 bytes, found 64".to_string()),
            (SignatureFlaw::V { found: 1 }, "expected v to be 27 or 28, found 1".to_string()),
            (
                SignatureFlaw::Signer { found: Some(other) },
                format!("expected a signature of the signer, found one of {other}"),
            ),
            (
                SignatureFlaw::Signer { found: None },
                "expected a signature of the signer, found one that no key made".to_string(),
            ),
            (SignatureFlaw::HighS, "expected s in the lower half of its range, found the upper half".to_string()),
            (
                SignatureFlaw::Range,
                "expected r and s from 1 to the order of the curve less 1, found one out of this range".to_string(),
            ),
        ] {
            assert_eq!(flaw.to_string(), said);
        }
    }

    #[test]
    fn a_wrapped_signature_is_unwrapped_for_the_contract() {
        let (digest, account) = (Word::from([0xab; 32]), Address::from(H160([0x11; 20])));
        let plain = SignatureCall::new(digest, &[1, 2, 3], account).unwrap();
        assert_eq!(
            plain.data.to_string(),
            [
                "0x1626ba7e",
                &"ab".repeat(32),
                "0000000000000000000000000000000000000000000000000000000000000040",
                "0000000000000000000000000000000000000000000000000000000000000003",
                "0102030000000000000000000000000000000000000000000000000000000000",
            ]
            .concat()
        );
        assert_eq!(plain.answer.to_string(), format!("0x1626ba7e{}", "0".repeat(56)));

        let factory = H160([0x22; 20]);
        let wrapped = encode(&[Value::Address(factory), Value::Bytes(&[7; 40]), Value::Bytes(&[1, 2, 3])]);
        let wrapped = [&wrapped[..], &SignatureCall::WRAPPED].concat();
        let call = SignatureCall::new(digest, &wrapped, account).unwrap();
        let deploy = DeployCall { to: factory.into(), data: [7; 40].as_slice().into() };
        assert_eq!(call, SignatureCall { deploy: Some(deploy), ..plain });

        let error = SignatureCall::new(digest, &wrapped[32..], account).unwrap_err();
        assert_eq!((error.issues()[0].path.as_str(), error.issues()[0].code), ("signature", IssueCode::Format));
    }
}
