//! Signatures of JSON Web Tokens (RFC 7518), checked by ring. Only algorithms with a public key are there, so a public key is
//! never used as a secret.

use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind,
    crypto::{CryptoProvider, JwtVerifier, KeyUtils},
    errors::{Error, ErrorKind},
    signature::{self, Verifier},
};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384,
    RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512,
    RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

/// The provider for `jsonwebtoken`.
pub(super) static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

enum Scheme {
    Rsa(&'static RsaParameters),
    Other(&'static dyn VerificationAlgorithm),
}

fn scheme(algorithm: Algorithm) -> Option<Scheme> {
    Some(match algorithm {
        Algorithm::RS256 => Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Scheme::Rsa(&RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Scheme::Rsa(&RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Scheme::Rsa(&RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Scheme::Rsa(&RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => Scheme::Other(&ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Scheme::Other(&ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Scheme::Other(&ED25519),
        // HMAC, and algorithms of later versions.
        _ => return None,
    })
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    let scheme = scheme(*algorithm).ok_or(ErrorKind::UnsupportedAlgorithm)?;
    Ok(Box::new(Check { algorithm: *algorithm, scheme, key: key.clone() }))
}

/// A key with the algorithm of a token.
struct Check {
    algorithm: Algorithm,
    scheme: Scheme,
    key: DecodingKey,
}

impl JwtVerifier for Check {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for Check {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let is_valid = match (&self.scheme, self.key.kind()) {
            (Scheme::Rsa(parameters), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                let key = RsaPublicKeyComponents { n: without_zeros(n), e: without_zeros(e) };
                key.verify(parameters, message, signature).is_ok()
            }
            (Scheme::Other(algorithm), DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(*algorithm, key).verify(message, signature).is_ok()
            }
            _ => false,
        };
        if is_valid { Ok(()) } else { Err(signature::Error::new()) }
    }
}

/// A number without the zeros before it, which some issuers write.
fn without_zeros(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    number.get(zeros..).unwrap_or_default()
}
