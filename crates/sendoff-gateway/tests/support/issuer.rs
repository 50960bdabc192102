//! An issuer of JSON Web Tokens: a server of HTTP with its public keys, and the private keys.

use std::{
    io::Write as _,
    sync::{Arc, Mutex, MutexGuard},
    time::{SystemTime, UNIX_EPOCH},
};

use base64ct::{Base64UrlUnpadded, Encoding as _};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _},
};
use serde_json::{Value, json};

use super::backend::{Backend, replied};

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
        let (curve, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let document = EcdsaKeyPair::generate_pkcs8(curve, &random).expect("a key");
        let pair = EcdsaKeyPair::from_pkcs8(curve, document.as_ref(), &random).expect("a key");
        Self { id: id.to_owned(), pair }
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
        let signature = self.pair.sign(&SystemRandom::new(), message.as_bytes());
        format!("{message}.{}", encoded(signature.expect("a signature")))
    }

    /// A token with these claims.
    pub(crate) fn token(&self, claims: &Value) -> String {
        let header = json!({ "alg": "ES256", "typ": "JWT", "kid": self.id });
        self.sign(&header.to_string(), &claims.to_string())
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
#[derive(Clone)]
pub(crate) struct Issuer {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
pub(crate) struct State {
    keys: Value,
    /// How often they were read.
    pub(crate) requests: usize,
    /// Whether it answers 500.
    pub(crate) is_broken: bool,
}

impl Issuer {
    pub(crate) fn start(signers: &[&Signer]) -> Self {
        let state = Arc::<Mutex<State>>::default();
        let served = Arc::clone(&state);
        let backend = Backend::start(move |_, stream| {
            let mut state = served.lock().expect("no panic");
            state.requests += 1;
            let status = if state.is_broken { "500 Oops" } else { "200 OK" };
            let _closed = stream.write_all(replied(status, &state.keys.to_string()).as_bytes());
        });
        let issuer = Self { url: format!("{}/jwks.json", backend.url), state };
        issuer.publish(signers);
        issuer
    }

    /// Replaces its public keys.
    pub(crate) fn publish(&self, signers: &[&Signer]) {
        // Keys for other uses and of other types are ignored.
        let others = [
            json!({ "kty": "oct", "kid": "secret", "k": "c2VjcmV0" }),
            json!({ "kty": "RSA", "use": "enc", "kid": "to-encrypt", "n": "AQAB", "e": "AQAB" }),
            json!({ "kty": "AKP", "kid": "of-tomorrow", "alg": "ML-DSA-65", "pub": "AA" }),
        ];
        let own = signers.iter().map(|signer| signer.jwk());
        let keys: Vec<_> = others.into_iter().chain(own).collect();
        self.state().keys = json!({ "keys": keys });
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }
}
