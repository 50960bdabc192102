//! The public keys of an issuer. They are read when they are first needed, again from time to time,
//! and again if a token names a key that is not there. If they cannot be read, the last ones stay.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::body::Bytes;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

use super::{Asked, Asker, Before, Problem};
use crate::backend::fetch;
use crate::config;
use crate::limits::store::lock;

/// The keys of one issuer.
pub(super) struct Keys {
    pub(super) config: config::Issuer,
    asker: Asker,
    state: Mutex<State>,
    /// Held while the keys are read.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// The keys, and when they were read.
    keys: Option<(Arc<[Key]>, Instant)>,
    /// When the last attempt to read them ended.
    tried: Option<Instant>,
}

impl State {
    /// The key with an id for an algorithm. A token without an id has the only key for its algorithm.
    fn pick(&self, id: Option<&str>, algorithm: Algorithm) -> Asked<Arc<DecodingKey>> {
        let (keys, _) = self.keys.as_ref().ok_or(Problem::Unavailable)?;
        let is_it = |key: &&Key| id.is_none() || key.jwk.common.key_id.as_deref() == id;
        let mut fitting = keys.iter().filter(|key| key.is_for(algorithm)).filter(is_it);
        match (fitting.next(), fitting.next()) {
            (Some(first), second) if id.is_some() || second.is_none() => Ok(Arc::clone(&first.key)),
            _ => Err(Problem::Key),
        }
    }
}

/// A public key with its limits.
struct Key {
    jwk: Jwk,
    key: Arc<DecodingKey>,
}

/// The maximum length of a key set, in bytes.
const SET_BYTES: usize = 256 << 10;

impl Keys {
    /// The keys of an issuer, which are not read yet.
    ///
    /// # Errors
    ///
    /// A sentence if their file is no key set.
    pub(super) fn new(config: config::Issuer, asker: Asker) -> Result<Self, String> {
        if let config::KeySource::File(path) = &config.keys {
            parse(&content(path)?)?;
        }
        let (state, reading) = (Mutex::default(), tokio::sync::Mutex::default());
        Ok(Self { config, asker, state, reading })
    }

    /// The key for a token's header, after the keys were read if they must be and may be.
    pub(super) async fn find(
        self: &Arc<Self>,
        id: Option<&str>,
        algorithm: Algorithm,
        before: Before<'_>,
    ) -> Asked<Arc<DecodingKey>> {
        let (found, is_old, may_try) = {
            let state = lock(&self.state);
            let is_old = |(_, read): &(_, Instant)| read.elapsed() >= self.config.refresh;
            let is_old = state.keys.as_ref().is_some_and(is_old);
            (state.pick(id, algorithm), is_old, self.may_try(&state))
        };
        match found {
            Ok(key) => {
                if is_old && may_try && self.reading.try_lock().is_ok() {
                    let keys = Arc::clone(self);
                    tokio::spawn(async move { keys.read().await });
                }
                Ok(key)
            }
            Err(_) if may_try || self.reading.try_lock().is_err() => {
                before()?;
                self.read().await;
                lock(&self.state).pick(id, algorithm)
            }
            Err(problem) => Err(problem),
        }
    }

    /// `true` if the last attempt is long enough ago.
    fn may_try(&self, state: &State) -> bool {
        state.tried.is_none_or(|tried| tried.elapsed() >= self.config.retry)
    }

    /// Reads the keys, unless they were just read. Callers that come meanwhile wait for the same attempt.
    async fn read(&self) {
        let before = lock(&self.state).tried;
        let _reading = self.reading.lock().await;
        {
            let state = lock(&self.state);
            if state.tried != before || !self.may_try(&state) {
                return;
            }
        }

        let read = self.fetched().await;
        let outcome = if read.is_ok() { "answered" } else { "failed" };
        self.asker.count("keys", outcome);
        let mut state = lock(&self.state);
        let now = Instant::now();
        state.tried = Some(now);
        match read {
            Ok(keys) => state.keys = Some((keys.into(), now)),
            Err(why) => {
                let (environment, is_known) = (&self.asker.environment, state.keys.is_some());
                tracing::warn!(environment, why, is_known, "the keys of an issuer cannot be read");
            }
        }
    }

    async fn fetched(&self) -> Result<Vec<Key>, String> {
        let text = match &self.config.keys {
            config::KeySource::File(path) => content(path)?,
            config::KeySource::Url(url) => {
                let request = self.asker.client.get(&**url).timeout(self.config.timeout);
                fetch(request.header("accept", "application/json").send().await, SET_BYTES).await?
            }
        };
        parse(&text)
    }
}

fn content(path: &Path) -> Result<Bytes, String> {
    fs::read(path).map(Bytes::from).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a key set, without keys that are for something other than signatures with a public key.
fn parse(text: &[u8]) -> Result<Vec<Key>, String> {
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<Value>,
    }
    // The message of an error can contain a part of the document.
    let set: Set =
        serde_json::from_slice(text).map_err(|_| "it is no JSON Web Key Set".to_owned())?;
    let keys: Vec<_> = set.keys.into_iter().filter_map(Key::read).collect();
    if keys.is_empty() { Err("it has no public key for signatures".into()) } else { Ok(keys) }
}

impl Key {
    fn read(value: Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(value).ok()?;
        let common = &jwk.common;
        let is_to_verify =
            common.public_key_use.as_ref().is_none_or(|of| *of == PublicKeyUse::Signature)
                && common
                    .key_operations
                    .as_ref()
                    .is_none_or(|all| all.contains(&KeyOperations::Verify));
        let key = DecodingKey::from_jwk(&jwk).ok()?;
        let is_public = key.family() != AlgorithmFamily::Hmac;
        (is_to_verify && is_public).then(|| Self { jwk, key: Arc::new(key) })
    }

    fn is_for(&self, algorithm: Algorithm) -> bool {
        let curve = match algorithm {
            Algorithm::ES256 => Some(EllipticCurve::P256),
            Algorithm::ES384 => Some(EllipticCurve::P384),
            Algorithm::EdDSA => Some(EllipticCurve::Ed25519),
            _ => None,
        };
        let own = match &self.jwk.algorithm {
            AlgorithmParameters::EllipticCurve(parameters) => Some(&parameters.curve),
            AlgorithmParameters::OctetKeyPair(parameters) => Some(&parameters.curve),
            _ => None,
        };
        let is_named = |named| Algorithm::try_from(named) == Ok(algorithm);
        self.key.family() == algorithm.family()
            && own == curve.as_ref()
            && self.jwk.common.key_algorithm.is_none_or(is_named)
    }
}
