//! Users whose tokens are not in the file: those of an issuer of JSON Web Tokens, and those that a
//! server knows.

use std::path::PathBuf;
use std::time::Duration;

use jsonwebtoken::{Algorithm, AlgorithmFamily};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::secret::Secret;
use super::value::{default, http_url, millis, ms, ms_within, public, read_as, whole};

/// An issuer of JSON Web Tokens (RFC 7519) for users.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issuer {
    /// The claim `iss` of its tokens.
    #[serde(rename = "issuer", deserialize_with = "filled")]
    pub name: String,
    /// The value that the claim `aud` must contain.
    #[serde(deserialize_with = "filled")]
    pub audience: String,
    /// The algorithms of its signatures. All of them have a public key.
    #[serde(deserialize_with = "algorithms")]
    pub algorithms: Vec<Algorithm>,
    /// Its public keys, as a JSON Web Key Set (RFC 7517).
    pub keys: KeySource,
    /// How long a request for the keys may take.
    #[serde(rename = "ms", default = "millis::<2_000>", deserialize_with = "ms")]
    pub timeout: Duration,
    /// How long the keys are used before they are read again.
    #[serde(rename = "refresh_ms", default = "millis::<300_000>", deserialize_with = "ms")]
    pub refresh: Duration,
    /// The least time between two reads for a key that is not there.
    #[serde(rename = "retry_ms", default = "millis::<10_000>", deserialize_with = "ms")]
    pub retry: Duration,
    /// How far its clock may differ from the gateway's.
    #[serde(
        rename = "skew_ms",
        default = "millis::<30_000>",
        deserialize_with = "ms_within::<0, 300_000, _>"
    )]
    pub skew: Duration,
    /// The claims about a user.
    #[serde(deserialize_with = "Claims::checked")]
    pub claims: Claims,
}

/// The place of a key set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum KeySource {
    /// An address.
    Url(String),
    /// A file.
    File(PathBuf),
}

impl TryFrom<String> for KeySource {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_url = text.contains("://");
        if is_url { public(text).map(Self::Url) } else { Ok(Self::File(text.into())) }
    }
}

/// A server that knows the users of opaque tokens (RFC 7662).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Introspection {
    /// Its address.
    #[serde(deserialize_with = "http_url")]
    pub url: String,
    /// The value of `authorization` in requests to it.
    pub authorization: Option<Secret>,
    /// How long it may take.
    #[serde(rename = "ms", default = "millis::<1_000>", deserialize_with = "ms")]
    pub timeout: Duration,
    /// The maximum number of requests to it at once.
    #[serde(default = "default::<64, _>", deserialize_with = "whole::<1, 1_000_000, _, _>")]
    pub requests: usize,
    /// The number of tokens whose answers are kept, and the number of unknown tokens.
    #[serde(default = "default::<10_000, _>", deserialize_with = "whole::<1, 1_000_000, _, _>")]
    pub cache: usize,
    /// How long an answer about a known token is kept.
    #[serde(rename = "keep_ms", default = "millis::<60_000>", deserialize_with = "ms")]
    pub keep: Duration,
    /// How long a token is known as unknown.
    #[serde(rename = "keep_unknown_ms", default = "millis::<5_000>", deserialize_with = "ms")]
    pub keep_unknown: Duration,
    /// The claims about a user.
    #[serde(deserialize_with = "Claims::checked")]
    pub claims: Claims,
}

/// The claims that contain a user's wallet and application.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// The claim with the user's smart wallet.
    #[serde(deserialize_with = "filled")]
    pub wallet: String,
    /// The applications whose users are named here. Others are refused.
    pub applications: Vec<String>,
    /// The claim with the application; `None` if there is only one.
    pub application: Option<String>,
}

impl Claims {
    fn checked<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let claims = Self::deserialize(deserializer)?;
        let problem = match (&*claims.applications, &claims.application) {
            ([], _) => "applications: expected some such as `[\"shop\"]`, found none",
            ([_, _, ..], None) => {
                "application: expected the claim that contains the application, such as `azp`, found none"
            }
            _ => return Ok(claims),
        };
        Err(D::Error::custom(problem))
    }
}

fn filled<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    read_as(deserializer, |text| match text.is_empty() {
        true => Err("expected a text that is not empty, found an empty one".into()),
        false => Ok(text),
    })
}

fn algorithms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Algorithm>, D::Error> {
    let all = Vec::deserialize(deserializer)?;
    // The issuer would have to share their secret.
    let has_secret = |algorithm: &&Algorithm| algorithm.family() == AlgorithmFamily::Hmac;
    let found = match all.iter().find(has_secret) {
        Some(found) => format!("`{found:?}`"),
        None if all.is_empty() => "none".into(),
        None => return Ok(all),
    };
    let expected = "expected some with a public key, such as `[\"ES256\"]`";
    Err(D::Error::custom(format!("{expected}, found {found}")))
}
