//! An environment of the file: its address, its limit, its backend, its contracts.

use std::collections::{BTreeMap, HashSet};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use sendoff::estimate::GasLimits;
use sendoff::rate_limit::{Policy, SharedLimiter};
use sendoff::value::Address;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::secret::{Secret, secret_url};
use super::value::{
    Identity, TextOr, default, http_url, leads_to, listen, millis, ms, pem, unlike, whole,
};
use super::{Introspection, Issuer};

/// An environment: its address, its limit, and who knows its users.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// Its name, which separates its rate windows from those of other environments.
    #[serde(skip)]
    pub name: String,
    /// Its address.
    #[serde(deserialize_with = "listen")]
    pub listen: SocketAddr,
    /// Its certificate.
    pub tls: Option<Identity>,
    /// Its limit.
    pub policy: Limit,
    /// `true` if replies to calls that count have the fields `RateLimit` and `RateLimit-Policy`.
    #[serde(default)]
    pub rate_limit_fields: bool,
    /// The backend for the operations that the gateway does not answer itself.
    pub upstream: Option<Upstream>,
    /// The bundler that estimates gas.
    pub bundler: Option<Bundler>,
    /// The pages of other origins that may call.
    pub cors: Option<Cors>,
    /// The folder of the playground.
    pub playground: Option<PathBuf>,
    /// The contracts.
    pub deployment: Deployment,
    /// The issuers of JSON Web Tokens for its users.
    #[serde(default, rename = "jwt")]
    pub issuers: Vec<Issuer>,
    /// The server that knows the users of other tokens.
    pub introspection: Option<Introspection>,
}

impl Environment {
    /// Reads the environments of a file.
    pub(super) fn all<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        let tables = BTreeMap::<String, Self>::deserialize(deserializer)?;
        if tables.is_empty() {
            let message = "expected a table such as `[environment.production]`, found none";
            return Err(D::Error::custom(message));
        }
        let named = |(name, table)| {
            let environment = Self { name, ..table };
            let checked = environment.check().map_err(|why| format!("{}: {why}", environment.name));
            checked.map(|()| environment).map_err(D::Error::custom)
        };
        tables.into_iter().map(named).collect()
    }

    /// Checks its name, which is part of keys in the store, of logs and of metrics, and rules between its keys.
    fn check(&self) -> Result<(), String> {
        if let Err(error) = SharedLimiter::new(Policy::PRODUCTION, &self.name, b"") {
            let issues = error.into_issues().into_iter();
            return Err(issues.map(|issue| issue.message).collect());
        }
        if self.name == "admin" {
            return Err("expected a name other than `admin`, which is the address for health \
                        and metrics"
                .into());
        }
        if self.upstream.as_ref().is_some_and(|upstream| leads_to(&upstream.url, self.listen)) {
            return Err("upstream.url: expected the address of a backend, found that of this \
                        environment"
                .into());
        }
        let mut names = HashSet::new();
        match self.issuers.iter().find(|issuer| !names.insert(&issuer.name)) {
            Some(Issuer { name, .. }) => {
                Err(format!("jwt: expected each issuer once, found `{name}` again"))
            }
            None => Ok(()),
        }
    }
}

/// A limit: `production`, `none`, or a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "TextOr<Policy>")]
pub struct Limit(pub Option<Policy>);

impl TryFrom<TextOr<Policy>> for Limit {
    type Error = String;

    fn try_from(found: TextOr<Policy>) -> Result<Self, String> {
        match found {
            TextOr::Text(text) if text == "production" => Ok(Self(Some(Policy::PRODUCTION))),
            TextOr::Text(text) if text == "none" => Ok(Self(None)),
            TextOr::Text(text) => {
                let expected = "`production`, `none`, or `{ limit = 300, windowMs = 60000 }`";
                Err(unlike(expected, &text))
            }
            TextOr::Other(policy) => Ok(Self(Some(policy))),
        }
    }
}

impl Serialize for Limit {
    /// Writes the word, or the document of the core.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(policy) => policy.serialize(serializer),
            None => serializer.serialize_str("none"),
        }
    }
}

/// The wallet backend.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    /// The address before the paths.
    #[serde(deserialize_with = "http_url")]
    pub url: String,
    /// How long it may take until its reply begins, and between two parts of a reply.
    #[serde(rename = "ms", default = "millis::<30_000>", deserialize_with = "ms")]
    pub timeout: Duration,
    /// How long a connection to it may be idle and be used again; less than the time after which it closes one.
    #[serde(rename = "idle_ms", default = "millis::<4_000>", deserialize_with = "ms")]
    pub idle: Duration,
    /// The certificates of its authorities, PEM, instead of those of this machine.
    #[serde(default, deserialize_with = "pem")]
    pub ca: Option<PathBuf>,
    /// The certificate that the gateway shows it.
    pub tls: Option<Identity>,
    /// The rule for the headers in which proxies name their callers.
    #[serde(default)]
    pub forwarded: Forwarded,
}

/// The rule for `forwarded`, `x-forwarded-for` and similar headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Forwarded {
    /// They are dropped, because any caller can write them.
    #[default]
    Drop,
    /// They are forwarded, because a proxy in front of the gateway writes them.
    Keep,
}

/// An ERC-4337 bundler.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundler {
    /// The address of its JSON-RPC, which may contain a key.
    #[serde(deserialize_with = "secret_url")]
    pub url: Secret,
    /// How long it may take.
    #[serde(rename = "ms", default = "millis::<2_000>", deserialize_with = "ms")]
    pub timeout: Duration,
    /// The rule for estimates while it does not answer.
    pub on_loss: OnBundlerLoss,
    /// The EntryPoint in requests to it.
    pub entry_point: Address,
}

/// The rule for estimates while the bundler does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnBundlerLoss {
    /// The file's gas limits are used instead.
    File,
    /// The reply is 502 or 504.
    Refuse,
}

/// The contracts and gas limits that all operations of an environment share.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deployment {
    /// The contract that starts jobs.
    pub job_manager: Address,
    /// The contract that pays the fees.
    pub paymaster: Address,
    /// The gas limits, unless a bundler returns others.
    pub gas_limits: GasLimits,
}

/// The pages that may call, and how long a browser may keep the answer to a preflight.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cors {
    /// The pages of every application that has no list of its own.
    pub origins: Vec<Origin>,
    /// In seconds.
    #[serde(default = "default::<600, _>", deserialize_with = "whole::<0, 86_400, _, _>")]
    pub max_age: u32,
}

/// An origin of pages (RFC 6454) as browsers write it, such as `https://app.example`: with neither a path nor a default port, and in lower
/// case. `*` is every origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(inline, description = "")]
pub struct Origin(String);

impl Origin {
    /// Every origin.
    pub(crate) const EVERY: &str = "*";

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Origin {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == Self::EVERY {
            return Ok(Self(text));
        }
        let written = reqwest::Url::parse(&text).ok().map(|url| url.origin().ascii_serialization());
        match written {
            Some(origin) if origin == text => Ok(Self(origin)),
            Some(origin) if origin != "null" => {
                Err(format!("expected an origin as browsers write it, `{origin}`, found `{text}`"))
            }
            _ => Err(unlike("`*` or an origin such as `https://app.example`", &text)),
        }
    }
}
