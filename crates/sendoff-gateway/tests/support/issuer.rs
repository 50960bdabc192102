//! An issuer of JSON Web Tokens: a server of HTTP with its public keys, and the private keys.

use std::{
    io::Write as _,
    net::TcpStream,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use base64ct::{Base64UrlUnpadded, Encoding as _};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::{Value, json};

use super::backend::{Backend, Received};

/// The audience of its tokens.
pub(crate) const AUDIENCE: &str = "https://wallet.example";
/// Its name.
pub(crate) const NAME: &str = "https://login.example";

/// A key pair for ES256.
pub(crate) struct Signer {
    pub(crate) id: String,
    pair: EcdsaKeyPair,
}

impl Signer {
    pub(crate) fn new(id: &str) -> Self {
        let random = SystemRandom::new();
        let document =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
        let pair =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random);
        Self { id: id.to_owned(), pair: pair.expect("a key") }
    }

    /// Its public key: `0x04` and the two coordinates.
    pub(crate) fn public(&self) -> &[u8] {
        self.pair.public_key().as_ref()
    }

    /// Its public key as a JSON Web Key.
    pub(crate) fn jwk(&self) -> Value {
        let (x, y) = (encoded(&self.public()[1..33]), encoded(&self.public()[33..]));
        json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": x, "y": y })
    }

    /// A token with these texts as header and claims.
    pub(crate) fn sign(&self, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", encoded(header), encoded(claims));
        let signature =
            self.pair.sign(&SystemRandom::new(), message.as_bytes()).expect("a signature");
        format!("{message}.{}", encoded(signature))
    }

    /// A token with these claims.
    pub(crate) fn token(&self, claims: &Value) -> String {
        self.sign(
            &json!({ "alg": "ES256", "typ": "JWT", "kid": self.id }).to_string(),
            &claims.to_string(),
        )
    }
}

/// The claims of a user of the application `shop`.
pub(crate) fn claims(wallet: &str) -> Value {
    let now = now();
    json!({ "iss": NAME, "aud": AUDIENCE, "iat": now, "exp": now + 300, "wallet": wallet, "azp": "shop" })
}

/// The seconds since the epoch.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

/// Bytes in base64url without padding.
pub(crate) fn encoded(bytes: impl AsRef<[u8]>) -> String {
    Base64UrlUnpadded::encode_string(bytes.as_ref())
}

/// The server with the public keys.
pub(crate) struct Issuer {
    pub(crate) url: String,
    keys: Arc<Mutex<Value>>,
    requests: Arc<AtomicUsize>,
    is_broken: Arc<AtomicBool>,
}

impl Issuer {
    pub(crate) fn start(signers: &[&Signer]) -> Self {
        let (keys, requests) = (Arc::<Mutex<Value>>::default(), Arc::<AtomicUsize>::default());
        let is_broken = Arc::<AtomicBool>::default();
        let backend = {
            let (keys, requests, is_broken) =
                (Arc::clone(&keys), Arc::clone(&requests), Arc::clone(&is_broken));
            Backend::start(move |_: &Received, stream: &mut TcpStream| {
                requests.fetch_add(1, Ordering::Relaxed);
                let body = keys.lock().expect("no panic").to_string();
                let reply = if is_broken.load(Ordering::Relaxed) {
                    "HTTP/1.1 500 Oops\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".to_owned()
                } else {
                    format!(
                        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                        body.len()
                    )
                };
                let _closed = stream.write_all(reply.as_bytes());
            })
        };
        let issuer = Self { url: format!("{}/jwks.json", backend.url), keys, requests, is_broken };
        issuer.publish(signers);
        issuer
    }

    /// Replaces its public keys.
    pub(crate) fn publish(&self, signers: &[&Signer]) {
        let keys: Vec<_> = signers.iter().map(|signer| signer.jwk()).collect();
        // Keys for other uses and of other types are ignored.
        let others = [
            json!({ "kty": "oct", "kid": "secret", "k": "c2VjcmV0" }),
            json!({ "kty": "RSA", "use": "enc", "kid": "to-encrypt", "n": "AQAB", "e": "AQAB" }),
            json!({ "kty": "AKP", "kid": "of-tomorrow", "alg": "ML-DSA-65", "pub": "AA" }),
        ];
        let keys: Vec<_> = others.into_iter().chain(keys).collect();
        *self.keys.lock().expect("no panic") = json!({ "keys": keys });
    }

    /// Whether it answers 500 from now on.
    pub(crate) fn breaks(&self, is_broken: bool) {
        self.is_broken.store(is_broken, Ordering::Relaxed);
    }

    /// How often its keys were read.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }
}
