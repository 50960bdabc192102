//! The signature of a digest: whether a key made it.
//!
//! Behind the feature `signature`: elliptic curves are heavy.
//!
//! Source: SEC 1 and EIP-191 (recovery), EIP-2 (low `s`).

use alloc::vec::Vec;
use core::fmt;

use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use k256::elliptic_curve::point::AffineCoordinates as _;
use primitive_types::{H160, H256};

#[cfg(feature = "schema")]
use crate::document::{Choice, Table};
use crate::document::{Is, Row, Texts, Write, escape, traits, write_field, write_key};
use crate::keccak::keccak256;
use crate::value::{Address, Word};

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
pub fn check_signature(
    digest: Word,
    signature: &[u8],
    signer: &Address,
) -> Result<(), SignatureFlaw> {
    let [r @ .., v] = <&[u8; 65]>::try_from(signature)
        .map_err(|_| SignatureFlaw::Length { found: signature.len() })?;
    let odd = match v {
        27 => false,
        28 => true,
        found => return Err(SignatureFlaw::V { found: *found }),
    };

    let signature = Signature::from_slice(r).map_err(|_| SignatureFlaw::Range)?;
    if signature.normalize_s() != signature {
        return Err(SignatureFlaw::HighS);
    }
    let key = VerifyingKey::recover_from_prehash(
        digest.as_ref(),
        &signature,
        RecoveryId::new(odd, false),
    );

    let found = key.ok().map(|key| address(&key));
    if found.as_ref() == Some(signer) { Ok(()) } else { Err(SignatureFlaw::Signer { found }) }
}

/// Returns the last 20 bytes of the hash of the key's coordinates.
// Not of its SEC 1 encoding, whose bytes may not exist: that check brings 3.6 kB (gzip) of errors
// into a page.
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SignatureFlaw {
    /// The signature does not have 65 bytes. Another length means a contract's signature
    /// ([`SignatureCall`](super::SignatureCall)).
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
    const NAMES: [&'static str; 5] = ["length", "v", "range", "high-s", "signer"];

    /// The flaw's name in JSON, such as `high-s`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        let [length, v, range, high_s, signer] = Self::NAMES;
        match self {
            Self::Length { .. } => length,
            Self::V { .. } => v,
            Self::Range => range,
            Self::HighS => high_s,
            Self::Signer { .. } => signer,
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

/// By whether the signer's key made the signature.
#[cfg(feature = "schema")]
static CHECK: Choice = Choice::answer(
    "ok",
    Is::Flag,
    &[
        ("true", &Table::answer("The signer's key made the signature.", &[OK])),
        (
            "false",
            &Table::answer(
                "The signer's key did not make the signature, or its form is wrong.",
                &[OK, REASON, FOUND],
            ),
        ),
    ],
    "The check of a signature.",
);

const OK: Row = Row::of::<bool>("ok", "`true` if the signer's key made the signature.");
const REASON: Row = Row::plain(
    "reason",
    Is::Keyword(&Texts::new("", "", &SignatureFlaw::NAMES)),
    "The first flaw of the signature.",
);
const FOUND: Row = Row::of::<Option<Address>>(
    "found",
    "With `signer`: the address of the key that made the signature.",
);

/// Row by row: by values the module for signatures would have the writer of all of them.
impl Write for SignatureCheck {
    fn write(&self, out: &mut Vec<u8>) {
        let flaw = self.0.as_ref().err();

        out.push(b'{');
        write_field(OK.key, &flaw.is_none(), out);
        if let Some(flaw) = flaw {
            write_key(REASON.key, out);
            escape(flaw.as_str(), out);
        }
        if let Some(SignatureFlaw::Signer { found: Some(found) }) = flaw {
            write_field(FOUND.key, found, out);
        }
        out.push(b'}');
    }
}

traits!(SignatureCheck: schema(|generator| Is::Choice(&CHECK).schema(generator)));

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::ToString};

    #[test]
    fn flaws_say_what_was_expected_and_found() {
        let found = Some(Address::from(H160([0x11; 20])));
        let signer = "a signature of the signer";

        for (flaw, expected, found) in [
            (SignatureFlaw::Length { found: 64 }, "a signature of 65 bytes", "64"),
            (SignatureFlaw::V { found: 1 }, "v to be 27 or 28", "1"),
            (
                SignatureFlaw::Signer { found },
                signer,
                "one of 0x1111111111111111111111111111111111111111",
            ),
            (SignatureFlaw::Signer { found: None }, signer, "one that no key made"),
            (SignatureFlaw::HighS, "s in the lower half of its range", "the upper half"),
            (
                SignatureFlaw::Range,
                "r and s from 1 to the order of the curve less 1",
                "one out of this range",
            ),
        ] {
            assert_eq!(flaw.to_string(), format!("expected {expected}, found {found}"));
        }
    }
}
