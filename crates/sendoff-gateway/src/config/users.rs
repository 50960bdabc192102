//! Users whose tokens are not in the file: those of an issuer of JSON Web Tokens, and those that a
//! server knows.

use std::{path::PathBuf, time::Duration};

use axum::http::HeaderValue;
use jsonwebtoken::Algorithm;
use serde::Deserialize;

use super::{
    edge::HeaderText,
    secret::Secret,
    value::{Form, HttpUrl, Ms, Whole, formed, ms_or, or},
};

/// An issuer of JSON Web Tokens (RFC 7519) for users.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "IssuerTable")]
pub struct Issuer {
    /// The claim `iss` of its tokens.
    pub name: String,
    /// The value that the claim `aud` must contain.
    pub audience: String,
    /// The algorithms of its signatures. All of them have a public key.
    pub algorithms: Vec<Algorithm>,
    /// Its public keys.
    pub keys: KeySet,
    /// How far its clock may differ from the gateway's.
    pub skew: Duration,
    /// The claims about a user.
    pub claims: Claims,
}

/// The public keys of an issuer, as a JSON Web Key Set (RFC 7517).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeySet {
    /// Where it is.
    pub source: KeySource,
    /// How long a request for it may take.
    pub timeout: Duration,
    /// How long it is used before it is read again.
    pub refresh: Duration,
    /// The least time between two reads for a key that is not in it.
    pub retry: Duration,
}

/// The place of a key set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// An address.
    Url(String),
    /// A file.
    File(PathBuf),
}

/// A server that knows the users of opaque tokens (RFC 7662).
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "IntrospectionTable")]
pub struct Introspection {
    /// Its address, which may contain a secret.
    pub url: String,
    /// The value of `authorization` in requests to it.
    pub authorization: Option<HeaderValue>,
    /// How long it may take.
    pub timeout: Duration,
    /// The maximum number of requests to it at once.
    pub requests: usize,
    /// The number of tokens whose answers are kept, and the number of unknown tokens.
    pub cache: usize,
    /// How long an answer about a known token is kept.
    pub keep: Duration,
    /// How long a token is known as unknown.
    pub keep_unknown: Duration,
    /// The claims about a user.
    pub claims: Claims,
}

impl std::fmt::Debug for Introspection {
    /// Omits the address and the header.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Introspection").field("claims", &self.claims).finish_non_exhaustive()
    }
}

/// The claims that contain a user's wallet and application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// The claim with the user's smart wallet.
    pub wallet: String,
    /// The applications whose users are named here. Others are refused.
    pub applications: Vec<String>,
    /// The claim with the application; `None` if there is only one.
    pub application: Option<String>,
}

/// An issuer as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IssuerTable {
    issuer: String,
    audience: String,
    algorithms: Vec<Algorithm>,
    #[serde(deserialize_with = "formed")]
    keys: KeySource,
    ms: Option<Ms>,
    refresh_ms: Option<Ms>,
    retry_ms: Option<Ms>,
    skew_ms: Option<Whole<0, 300_000>>,
    wallet_claim: String,
    applications: Vec<String>,
    application_claim: Option<String>,
}

impl TryFrom<IssuerTable> for Issuer {
    type Error = String;

    fn try_from(table: IssuerTable) -> Result<Self, String> {
        let seconds = Duration::from_secs;
        if table.algorithms.is_empty() {
            return Err("algorithms: expected some such as `[\"ES256\"]`, found none".into());
        }
        // The issuer would have to share their secret.
        let has_secret = |algorithm: &&Algorithm| {
            matches!(algorithm, Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512)
        };
        if let Some(found) = table.algorithms.iter().find(has_secret) {
            return Err(format!(
                "algorithms: expected those with a public key such as `ES256`, found `{found:?}`"
            ));
        }
        Ok(Self {
            name: filled("issuer", table.issuer)?,
            audience: filled("audience", table.audience)?,
            algorithms: table.algorithms,
            keys: KeySet {
                source: table.keys,
                timeout: ms_or(table.ms, seconds(2)),
                refresh: ms_or(table.refresh_ms, seconds(300)),
                retry: ms_or(table.retry_ms, seconds(10)),
            },
            skew: ms_or(table.skew_ms, seconds(30)),
            claims: claims(table.wallet_claim, table.applications, table.application_claim)?,
        })
    }
}

/// A server of introspection as it stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IntrospectionTable {
    url: HttpUrl,
    authorization: Option<Secret>,
    ms: Option<Ms>,
    requests: Option<Whole<1, 1_000_000>>,
    cache: Option<Whole<1, 1_000_000>>,
    keep_ms: Option<Ms>,
    keep_unknown_ms: Option<Ms>,
    wallet_claim: String,
    applications: Vec<String>,
    application_claim: Option<String>,
}

impl TryFrom<IntrospectionTable> for Introspection {
    type Error = String;

    fn try_from(table: IntrospectionTable) -> Result<Self, String> {
        let authorization = table.authorization.map(|Secret(text)| HeaderText::of_text(&text));
        let HttpUrl(url) = table.url;
        Ok(Self {
            url,
            authorization: authorization.transpose()?.map(|HeaderText(value)| value),
            timeout: ms_or(table.ms, Duration::from_secs(1)),
            requests: or(table.requests, 64),
            cache: or(table.cache, 10_000),
            keep: ms_or(table.keep_ms, Duration::from_secs(60)),
            keep_unknown: ms_or(table.keep_unknown_ms, Duration::from_secs(5)),
            claims: claims(table.wallet_claim, table.applications, table.application_claim)?,
        })
    }
}

/// `{ file = "PATH" }`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyFile {
    file: PathBuf,
}

impl Form for KeySource {
    const EXPECTED: &'static str =
        "an address such as `https://login.example/jwks.json`, or `{ file = \"jwks.json\" }`";
    type Table = KeyFile;

    fn of_text(text: &str) -> Result<Self, String> {
        HttpUrl::try_from(text.to_owned()).map(|HttpUrl(url)| Self::Url(url))
    }

    fn of_table(KeyFile { file }: KeyFile) -> Result<Self, String> {
        Ok(Self::File(file))
    }
}

fn claims(
    wallet: String,
    applications: Vec<String>,
    application: Option<String>,
) -> Result<Claims, String> {
    if applications.is_empty() {
        return Err("applications: expected some such as `[\"shop\"]`, found none".into());
    }
    if applications.len() > 1 && application.is_none() {
        return Err("application_claim: expected the claim that contains the application, such as `azp`, found none".into());
    }
    let application = application.map(|claim| filled("application_claim", claim)).transpose()?;
    Ok(Claims { wallet: filled("wallet_claim", wallet)?, applications, application })
}

fn filled(key: &str, text: String) -> Result<String, String> {
    if text.is_empty() {
        return Err(format!("{key}: expected a text that is not empty, found an empty one"));
    }
    Ok(text)
}
