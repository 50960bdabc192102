//! Signatures of JSON Web Tokens (RFC 7518), checked by ring. Only algorithms with a public key are
//! there, so a public key is never used as a secret.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::error::Unspecified;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaPublicKeyComponents, UnparsedPublicKey,
    VerificationAlgorithm,
};

/// The provider for `jsonwebtoken`.
pub(super) static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: verifier,
    key_utils: KeyUtils::new_unimplemented(),
};

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Ok(Box::new(Check { algorithm: *algorithm, key: key.clone() }))
}

/// A key with the algorithm of a token.
struct Check {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for Check {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for Check {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let rsa = |parameters| {
            let DecodingKeyKind::RsaModulusExponent { n, e } = self.key.kind() else {
                return Err(Unspecified);
            };
            let key = RsaPublicKeyComponents { n: without_zeros(n), e: without_zeros(e) };
            key.verify(parameters, message, signature)
        };
        let other = |algorithm: &'static dyn VerificationAlgorithm| {
            let key = self.key.try_get_as_bytes().map_err(|_| Unspecified)?;
            UnparsedPublicKey::new(algorithm, key).verify(message, signature)
        };
        let checked = match self.algorithm {
            Algorithm::RS256 => rsa(&RSA_PKCS1_2048_8192_SHA256),
            Algorithm::RS384 => rsa(&RSA_PKCS1_2048_8192_SHA384),
            Algorithm::RS512 => rsa(&RSA_PKCS1_2048_8192_SHA512),
            Algorithm::PS256 => rsa(&RSA_PSS_2048_8192_SHA256),
            Algorithm::PS384 => rsa(&RSA_PSS_2048_8192_SHA384),
            Algorithm::PS512 => rsa(&RSA_PSS_2048_8192_SHA512),
            Algorithm::ES256 => other(&ECDSA_P256_SHA256_FIXED),
            Algorithm::ES384 => other(&ECDSA_P384_SHA384_FIXED),
            Algorithm::EdDSA => other(&ED25519),
            // HMAC, and algorithms of later versions.
            _ => Err(Unspecified),
        };
        checked.map_err(|Unspecified| signature::Error::new())
    }
}

/// A number without the zeros before it, which some issuers write.
fn without_zeros(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    number.get(zeros..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::crypto::verify;

    use super::*;

    /// RFC 7515, A.2.
    const RSA: (&str, &str) = (
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
    );
    const RSA_KEY: &str = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
    /// RFC 7515, A.3.
    const EC: (&str, &str) = (
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
    );
    /// RFC 8037, A.4.
    const ED: (&str, &str) = (
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
    );

    #[test]
    fn signatures_of_other_algorithms_and_keys_are_refused() {
        let _installed = PROVIDER.install_default();
        let rsa = DecodingKey::from_rsa_components(RSA_KEY, "AQAB").unwrap();
        let point = [
            "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ];
        let ec = DecodingKey::from_ec_components(point[0], point[1]).unwrap();
        let ed =
            DecodingKey::from_ed_components("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo").unwrap();
        let secret = DecodingKey::from_secret(b"secret");

        let algorithms = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 EdDSA HS256";
        let algorithms = algorithms.split(' ').map(|name| name.parse().unwrap());

        let own = [
            (&rsa, RSA, Algorithm::RS256),
            (&ec, EC, Algorithm::ES256),
            (&ed, ED, Algorithm::EdDSA),
        ];
        for (at, (_, (message, signature), _)) in own.iter().enumerate() {
            for key in [&rsa, &ec, &ed, &secret] {
                for algorithm in algorithms.clone() {
                    let is_valid =
                        verify(signature, message.as_bytes(), key, algorithm).unwrap_or(false);
                    let is_own = std::ptr::eq(key, own[at].0) && algorithm == own[at].2;
                    assert_eq!(is_valid, is_own, "{algorithm:?} {:?}", own[at].2);
                }
            }
            let other = format!("{message} ");
            assert!(!verify(signature, other.as_bytes(), own[at].0, own[at].2).unwrap());
        }

        // Some issuers write a zero before the modulus. A short modulus is refused.
        let zero = DecodingKey::from_rsa_raw_components(
            &[&[0], rsa_modulus(&rsa)].concat(),
            &[0, 1, 0, 1],
        );
        assert!(verify(RSA.1, RSA.0.as_bytes(), &zero, Algorithm::RS256).unwrap());

        let short = DecodingKey::from_rsa_raw_components(&[0xff; 128], &[1, 0, 1]);
        assert!(!verify(RSA.1, RSA.0.as_bytes(), &short, Algorithm::RS256).unwrap());
    }

    fn rsa_modulus(key: &DecodingKey) -> &[u8] {
        match key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, .. } => n,
            DecodingKeyKind::SecretOrDer(_) => &[],
        }
    }
}
