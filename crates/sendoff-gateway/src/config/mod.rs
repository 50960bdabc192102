//! The configuration file of a gateway, read by serde.

mod application;
mod edge;
mod environment;
mod file;
mod secret;
mod store;
mod users;
mod value;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use sendoff::catalogue::CatalogueName;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

pub(crate) use self::application::no_chains;
pub use self::application::{Clock, Holder, Key, Known, Sponsorship};
pub use self::edge::{Network, Proxies, Traces};
pub use self::environment::{
    Bundler, Cors, Deployment, Environment, Forwarded, Limit, OnBundlerLoss, Origin, Upstream,
};
pub(crate) use self::file::read;
pub use self::file::{Problem, read_file};
pub use self::secret::{Digest, Secret, Text, Token};
pub use self::store::{OnStoreLoss, RedisStore};
pub(crate) use self::store::{Others, Server};
pub use self::users::{Claims, Introspection, Issuer, KeySource};
pub use self::value::Identity;
pub(crate) use self::value::whole;
use self::value::{listen, ms, ms_within, unlike};

/// A secret of fewer characters can be guessed.
const SHORT: usize = 16;

/// The configuration of a gateway: a TOML file, and environment variables for secrets. `gateway.toml` beside this crate's
/// sources is an example with every key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The address for health, readiness and metrics. If it is absent, they are not served.
    #[serde(default, deserialize_with = "listen")]
    pub admin: Option<SocketAddr>,
    /// `true` if other processes may listen on the same addresses, so that one can replace the other.
    #[serde(default)]
    pub reuse_port: bool,
    /// The proxies in front of the gateway, if it has some.
    pub proxies: Option<Proxies>,
    /// The collector of traces, if there is one.
    pub traces: Option<Traces>,
    /// Bounds on sizes and times.
    #[serde(default)]
    pub bounds: Bounds,
    /// The shared store of rate windows; `None` for the memory of this process.
    pub store: Option<RedisStore>,
    /// The database of applications.
    #[serde(default)]
    pub database: Database,
    /// The file of applications that fills a database in which nothing was changed yet.
    pub applications: Option<PathBuf>,
    /// Who may change the applications.
    #[serde(default, deserialize_with = "Admin::all")]
    pub admins: Vec<Admin>,
    /// The folder with the page of the dashboard.
    pub dashboard: Option<PathBuf>,
    /// What applications can enable.
    #[serde(default)]
    pub known: Known,
    /// The environments, by their names.
    #[serde(rename = "environment", deserialize_with = "Environment::all")]
    pub environments: Vec<Environment>,
}

impl Config {
    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// The first problem of the file, or of a variable or a file that it names.
    pub fn read(text: &str) -> Result<Self, Problem> {
        let config: Self = read(text)?;
        if config.admin.is_none() && !config.admins.is_empty() {
            let message = "expected an address for `admins`, such as `admin = \
                           \"127.0.0.1:9090\"`, found none";
            return Err(Problem { line: 1, path: "admin".into(), message: message.into() });
        }
        Ok(config)
    }

    /// Secrets that can be guessed, each with its key.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let store = self.store.iter().map(|store| ("store.secret".into(), store.secret.len()));
        let tokens = self.admins.iter().filter_map(|Admin { name, token }| {
            Some((format!("admins: token of `{name}`"), token.length?))
        });
        let short = store.chain(tokens).filter(|(_, length)| *length < SHORT);
        let warning = |(key, length): (String, usize)| {
            format!(
                "{key}: expected a secret of {SHORT} characters or more, such as one of \
                 `openssl rand -hex 32`, found {length}: it can be guessed"
            )
        };
        short.map(warning).collect()
    }
}

/// Limits on the resources that callers may use.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bounds {
    /// The maximum length of a body, in bytes.
    #[serde(deserialize_with = "whole::<1, 1_048_576, _, _>")]
    pub body_bytes: usize,
    /// The maximum length of the head of a request, in bytes. The HTTP library needs 8 KiB.
    #[serde(deserialize_with = "whole::<8_192, 1_048_576, _, _>")]
    pub head_bytes: usize,
    /// How long the head of a request may take, and how long a connection may be without a request.
    #[serde(rename = "head_ms", deserialize_with = "ms")]
    pub head: Duration,
    /// How long a body may stall.
    #[serde(rename = "body_ms", deserialize_with = "ms")]
    pub body: Duration,
    /// How long a whole body may take.
    #[serde(rename = "body_total_ms", deserialize_with = "ms")]
    pub body_total: Duration,
    /// How long a caller may leave a reply unread.
    #[serde(rename = "write_ms", deserialize_with = "ms")]
    pub write: Duration,
    /// The maximum number of simultaneous connections, for all environments together.
    #[serde(deserialize_with = "whole::<1, 1_000_000, _, _>")]
    pub connections: usize,
    /// The maximum number of simultaneous requests, for all environments together.
    #[serde(deserialize_with = "whole::<1, 1_000_000, _, _>")]
    pub requests: usize,
    /// How long the gateway still accepts connections after a stop signal. It reports itself as not ready meanwhile.
    #[serde(rename = "shutdown_delay_ms", deserialize_with = "ms_within::<0, 3_600_000, _>")]
    pub shutdown_delay: Duration,
    /// How long running requests may continue when the gateway stops.
    #[serde(rename = "drain_ms", deserialize_with = "ms_within::<0, 3_600_000, _>")]
    pub drain: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            head_bytes: 32 << 10,
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            body_total: Duration::from_secs(60),
            write: Duration::from_secs(10),
            connections: 4_096,
            requests: 1_024,
            shutdown_delay: Duration::from_millis(500),
            drain: Duration::from_secs(10),
        }
    }
}

impl Bounds {
    /// The maximum number of simultaneous requests of one application: a quarter of all, so that three of them leave room.
    #[must_use]
    pub fn per_application(&self) -> usize {
        self.requests.div_ceil(4)
    }

    /// The maximum number of simultaneous requests of one user of an application: a quarter of the application's.
    #[must_use]
    pub fn per_user(&self) -> usize {
        self.per_application().div_ceil(4)
    }
}

/// The database of applications.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Text")]
pub enum Database {
    /// SQLite in the memory of this process. Its changes end with it.
    #[default]
    Memory,
    /// SQLite in this file, for one process at a time.
    File(PathBuf),
    /// PostgreSQL at this address, for any number of processes.
    Postgres(Secret),
}

impl TryFrom<Text> for Database {
    type Error = String;

    fn try_from(text: Text) -> Result<Self, String> {
        let found = text.without_password()?;
        let wrong = || {
            let expected = "the path of a file such as `gateway.db`, an address such as \
                            `postgres://127.0.0.1:5432/sendoff`, or `{ env = \"NAME\" }` with one";
            unlike(expected, found)
        };
        if found.is_empty() || found.starts_with("sqlite:") {
            return Err(wrong());
        }
        if !found.contains("://") {
            return Ok(Self::File(found.into()));
        }
        let url = reqwest::Url::parse(found).ok();
        let url = url.filter(|url| matches!(url.scheme(), "postgres" | "postgresql"));
        url.map(|_| Self::Postgres(text.text.clone())).ok_or_else(wrong)
    }
}

/// A person or a program that may use the admin API.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Admin {
    /// The name in the audit log.
    pub name: CatalogueName,
    /// The token.
    pub token: Token,
}

impl Admin {
    /// Reads the admins of a file, whose names and tokens differ.
    fn all<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        let all = Vec::<Self>::deserialize(deserializer)?;
        for (at, Self { name, token }) in all.iter().enumerate() {
            let is_same = |one: &Self| one.name == *name || one.token.digest == token.digest;
            if all.iter().take(at).any(is_same) {
                let message = format!("the name or the token of `{name}` is used twice");
                return Err(D::Error::custom(message));
            }
        }
        Ok(all)
    }
}
