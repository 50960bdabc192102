//! An environment of the file: its address, its limit, its backend, its contracts.

use std::{collections::HashSet, fmt, net::SocketAddr, path::PathBuf, time::Duration};

use sendoff::{
    estimate::GasLimits,
    rate_limit::{Midnight, Policy, SharedLimiter},
    value::{Address, Quantity, Quantity128},
};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, IgnoredAny},
};

use super::{
    Introspection, Issuer,
    secret::SecretUrl,
    value::{Form, HttpUrl, Listen, Ms, PemFile, Whole, formed, leads_to, ms_or, unlike},
};

/// An environment: its address, its limit, and who knows its users.
#[derive(Clone, Debug, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct Environment {
    /// Its name, which separates its rate windows from those of other environments.
    #[serde(skip)]
    pub name: String,
    /// Its address.
    #[serde(deserialize_with = "listen")]
    pub listen: SocketAddr,
    /// A certificate chain and its key, both PEM.
    #[serde(default, deserialize_with = "pem_files")]
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Its limit; `None` if the file has `none`.
    #[serde(deserialize_with = "limit")]
    pub policy: Option<Policy>,
    /// `true` if replies to calls that count have the fields `RateLimit` and `RateLimit-Policy`.
    #[serde(default)]
    pub rate_limit_fields: bool,
    /// The backend for the operations that the gateway does not answer itself.
    #[serde(skip)]
    pub upstream: Option<Upstream>,
    #[serde(rename = "upstream")]
    upstream_url: Option<HttpUrl>,
    upstream_ms: Option<Ms>,
    upstream_idle_ms: Option<Ms>,
    upstream_ca: Option<PemFile>,
    #[serde(default, deserialize_with = "pem_files")]
    upstream_tls: Option<(PathBuf, PathBuf)>,
    forwarded: Option<Forwarded>,
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

impl<'de> Deserialize<'de> for Environment {
    /// Reads the keys, and then what they are together.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut read = Self::deserialize(deserializer)?;
        read.upstream = read.upstream().map_err(D::Error::custom)?;
        let mut names = HashSet::new();
        match read.issuers.iter().find(|issuer| !names.insert(&issuer.name)) {
            Some(Issuer { name, .. }) => Err(D::Error::custom(format!(
                "jwt: expected each issuer once, found `{name}` again"
            ))),
            None => Ok(read),
        }
    }
}

fn listen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SocketAddr, D::Error> {
    Listen::deserialize(deserializer).map(|Listen(address)| address)
}

fn limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Policy>, D::Error> {
    formed(deserializer).map(|Limit(policy)| policy)
}

fn pem_files<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<(PathBuf, PathBuf)>, D::Error> {
    Tls::deserialize(deserializer).map(|tls| Some((tls.certificate.0, tls.key.0)))
}

impl Environment {
    /// The backend of its keys.
    fn upstream(&self) -> Result<Option<Upstream>, String> {
        let Some(HttpUrl(url)) = &self.upstream_url else {
            let given = [
                ("upstream_ms", self.upstream_ms.is_some()),
                ("upstream_idle_ms", self.upstream_idle_ms.is_some()),
                ("upstream_ca", self.upstream_ca.is_some()),
                ("upstream_tls", self.upstream_tls.is_some()),
                ("forwarded", self.forwarded.is_some()),
            ];
            return match given.iter().find(|(_, is_given)| *is_given) {
                Some((key, _)) => Err(format!(
                    "{key}: expected a backend beside it, such as `upstream = \"http://127.0.0.1:8081\"`, found none"
                )),
                None => Ok(None),
            };
        };
        if leads_to(url, self.listen) {
            return Err(
                "upstream: expected the address of a backend, found that of this environment"
                    .into(),
            );
        }
        Ok(Some(Upstream {
            url: url.clone(),
            timeout: ms_or(self.upstream_ms, Duration::from_secs(30)),
            idle: ms_or(self.upstream_idle_ms, Duration::from_secs(4)),
            ca: self.upstream_ca.clone().map(|PemFile(path)| path),
            tls: self.upstream_tls.clone(),
            forwarded: self.forwarded.unwrap_or(Forwarded::Drop),
        }))
    }
}

/// The name of an environment, which is part of keys in the store, of logs and of metrics.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Name(pub(super) String);

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        SharedLimiter::new(Policy::PRODUCTION, &name, b"").map_err(|error| error.to_string())?;
        if name == "admin" {
            return Err(
                "expected a name other than `admin`, which is the address for health and metrics"
                    .into(),
            );
        }
        Ok(Self(name))
    }
}

/// A certificate chain and its key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tls {
    certificate: PemFile,
    key: PemFile,
}

/// A limit: `production`, `none`, or a policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit(pub(crate) Option<Policy>);

/// The table of a policy.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyTable {
    limit: u32,
    window_ms: u64,
    #[serde(default)]
    day_offset_minutes: i16,
    #[serde(default)]
    midnight: Midnight,
    hold_ms: Option<u64>,
}

impl Form for Limit {
    const EXPECTED: &'static str = "`production`, `none`, or `{ limit = 300, window_ms = 60000 }`";
    type Table = PolicyTable;

    fn of_text(text: &str) -> Result<Self, String> {
        match text {
            "production" => Ok(Self(Some(Policy::PRODUCTION))),
            "none" => Ok(Self(None)),
            _ => Err(unlike(Self::EXPECTED, text)),
        }
    }

    fn of_table(table: PolicyTable) -> Result<Self, String> {
        let policy = Policy::new(table.limit, Duration::from_millis(table.window_ms));
        let policy = policy.and_then(|policy| {
            policy.with_midnight(table.midnight).with_day_offset_minutes(table.day_offset_minutes)
        });
        let policy = policy.and_then(|policy| match table.hold_ms {
            Some(hold) => policy.with_hold(Duration::from_millis(hold)),
            None => Ok(policy),
        });
        policy.map(|policy| Self(Some(policy))).map_err(|error| error.to_string())
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(Some(policy)) = self else { return serializer.serialize_str("none") };
        let table = PolicyTable {
            limit: policy.limit(),
            window_ms: u64::try_from(policy.window().as_millis()).unwrap_or(u64::MAX),
            day_offset_minutes: policy.day_offset_minutes(),
            midnight: policy.midnight(),
            hold_ms: u64::try_from(policy.hold().as_millis()).ok(),
        };
        table.serialize(serializer)
    }
}

/// The wallet backend.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// The address before the paths, without a slash at its end.
    pub url: String,
    /// How long it may take until its reply begins, and between two parts of a reply.
    pub timeout: Duration,
    /// How long a connection to it may be idle and be used again; less than the time after which it closes one.
    pub idle: Duration,
    /// The certificates of its authorities, PEM, instead of those of this machine.
    pub ca: Option<PathBuf>,
    /// The certificate chain and its key that the gateway shows it, both PEM.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The rule for the headers in which proxies name their callers.
    pub forwarded: Forwarded,
}

/// The rule for `forwarded`, `x-forwarded-for` and similar headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Forwarded {
    /// They are dropped, because any caller can write them.
    Drop,
    /// They are forwarded, because a proxy in front of the gateway writes them.
    Keep,
}

/// An ERC-4337 bundler.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundler {
    /// The address of its JSON-RPC, which may contain a key.
    #[serde(deserialize_with = "secret_url")]
    pub url: String,
    /// How long it may take.
    #[serde(rename = "ms", default = "two_seconds", deserialize_with = "ms")]
    pub timeout: Duration,
    /// The rule for estimates while it does not answer.
    pub on_loss: OnBundlerLoss,
    /// The EntryPoint in requests to it.
    pub entry_point: Address,
}

pub(super) fn secret_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    formed(deserializer).map(|SecretUrl(url)| url)
}

pub(super) const fn two_seconds() -> Duration {
    Duration::from_secs(2)
}

pub(super) fn ms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    Ms::deserialize(deserializer).map(Whole::to_ms)
}

impl fmt::Debug for Bundler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundler")
            .field("timeout", &self.timeout)
            .field("on_loss", &self.on_loss)
            .finish_non_exhaustive()
    }
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
    #[serde(with = "GasTable")]
    pub gas_limits: GasLimits,
}

#[derive(Deserialize)]
#[serde(remote = "GasLimits", deny_unknown_fields)]
struct GasTable {
    #[serde(rename = "call")]
    call_gas_limit: Quantity128,
    #[serde(rename = "verification")]
    verification_gas_limit: Quantity128,
    #[serde(rename = "pre_verification")]
    pre_verification_gas: Quantity,
    #[serde(rename = "paymaster_verification")]
    paymaster_verification_gas_limit: Quantity128,
    #[serde(rename = "paymaster_post_op")]
    paymaster_post_op_gas_limit: Quantity128,
}

/// The pages that may call, and how long a browser may keep the answer to a preflight.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cors {
    /// The pages of every application that has no list of its own.
    #[serde(deserialize_with = "formed")]
    pub origins: Origins,
    /// In seconds.
    #[serde(default = "ten_minutes", deserialize_with = "max_age")]
    pub max_age: u32,
}

const fn ten_minutes() -> u32 {
    600
}

fn max_age<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    Whole::<0, 86_400>::deserialize(deserializer).map(Whole::to)
}

/// Origins of pages (RFC 6454).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origins {
    /// Every origin.
    Every,
    /// These, such as `https://app.example`.
    These(Vec<String>),
}

impl Origins {
    /// `true` if pages of this origin may call.
    #[must_use]
    pub fn contain(&self, origin: &str) -> bool {
        match self {
            Self::Every => true,
            Self::These(origins) => origins.iter().any(|known| known == origin),
        }
    }
}

impl Form for Origins {
    const EXPECTED: &'static str = "`*`, or an array of origins such as `https://app.example`";
    type Table = IgnoredAny;

    fn of_text(text: &str) -> Result<Self, String> {
        if text == "*" { Ok(Self::Every) } else { Err(unlike(Self::EXPECTED, text)) }
    }

    fn of_table(_: IgnoredAny) -> Result<Self, String> {
        Err(format!("expected {}, found a table", Self::EXPECTED))
    }

    fn of_list(items: Vec<String>) -> Result<Self, String> {
        items.iter().map(|text| read_origin(text)).collect::<Result<_, _>>().map(Self::These)
    }
}

impl Serialize for Origins {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Every => serializer.serialize_str("*"),
            Self::These(origins) => origins.serialize(serializer),
        }
    }
}

/// Reads an origin as browsers write it: with neither a path nor a default port, and in lower case.
///
/// # Errors
///
/// A sentence with what was expected.
pub(crate) fn read_origin(text: &str) -> Result<String, String> {
    let written = reqwest::Url::parse(text).ok().map(|url| url.origin().ascii_serialization());
    match written {
        Some(origin) if origin == text => Ok(origin),
        Some(origin) if origin != "null" => {
            Err(format!("expected an origin as browsers write it, `{origin}`, found `{text}`"))
        }
        _ => Err(unlike("an origin such as `https://app.example`", text)),
    }
}
