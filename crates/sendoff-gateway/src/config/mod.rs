//! The configuration file of a gateway, read by serde.

mod application;
mod edge;
mod environment;
mod file;
mod listed;
mod secret;
mod users;
mod value;

use std::{collections::BTreeMap, fmt, net::SocketAddr, path::PathBuf, time::Duration};

use sendoff::{
    catalogue::CatalogueName,
    rate_limit::{Cost, Policy},
};
use serde::Deserialize;

pub use self::{
    application::{Application, Chain, Known, Offer, User},
    edge::{CallerHeader, Proxies, Traces},
    environment::{
        Bundler, Cors, Deployment, Environment, Forwarded, OnBundlerLoss, Origins, Upstream,
    },
    file::Problem,
    secret::{Digest, Key},
    users::{Claims, Introspection, Issuer, KeySet, KeySource},
};
pub(crate) use self::{
    environment::{Limit, read_origin},
    file::read,
    listed::{Listed, catalogue},
    value::some as optional,
};
use self::{
    listed::List,
    secret::{Named, Secret, Token},
    value::{Form, Listen, Ms, Whole, formed, ms_or, or, some, unlike},
};
use crate::limits::redis::Address;

/// A secret of fewer characters can be guessed.
const SHORT: usize = 16;

/// The configuration of a gateway: a TOML file, and environment variables for secrets. `gateway.toml` beside this crate's
/// sources is an example with every key.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "File")]
pub struct Config {
    /// The address for health, readiness and metrics. If it is absent, they are not served.
    pub admin: Option<SocketAddr>,
    /// `true` if other processes may listen on the same addresses, so that one can replace the other.
    pub reuse_port: bool,
    /// The proxies in front of the gateway, if it has some.
    pub proxies: Option<Proxies>,
    /// The collector of traces, if there is one.
    pub traces: Option<Traces>,
    /// Bounds on sizes and times.
    pub bounds: Bounds,
    /// The store of rate windows.
    pub store: Store,
    /// The database of applications.
    pub database: Database,
    /// The file of applications that fills a database in which nothing was changed yet.
    pub applications: Option<PathBuf>,
    /// Who may change the applications.
    pub admins: Vec<Admin>,
    /// The folder with the page of the dashboard.
    pub dashboard: Option<PathBuf>,
    /// What applications can enable.
    pub known: Known,
    /// The environments, by their names.
    pub environments: Vec<Environment>,
    /// Secrets that can be guessed, each with its key.
    pub warnings: Vec<String>,
}

impl Config {
    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// The first problem of the file, or of a variable or a file that it names.
    pub fn read(text: &str) -> Result<Self, Problem> {
        read(text)
    }
}

/// The keys of a configuration as they stand in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    admin: Option<Listen>,
    #[serde(default)]
    reuse_port: bool,
    proxies: Option<Proxies>,
    traces: Option<Traces>,
    body_bytes: Option<Whole<1, 1_048_576>>,
    // The HTTP library needs 8 KiB.
    head_bytes: Option<Whole<8_192, 1_048_576>>,
    head_ms: Option<Ms>,
    body_ms: Option<Ms>,
    body_total_ms: Option<Ms>,
    write_ms: Option<Ms>,
    connections: Option<Whole<1, 1_000_000>>,
    requests: Option<Whole<1, 1_000_000>>,
    requests_per_application: Option<Whole<1, 1_000_000>>,
    requests_per_user: Option<Whole<1, 1_000_000>>,
    shutdown_delay_ms: Option<Whole<0, 3_600_000>>,
    drain_ms: Option<Whole<0, 3_600_000>>,
    #[serde(default, deserialize_with = "some")]
    store: Option<StoreUrl>,
    store_secret: Option<Secret>,
    on_store_loss: Option<OnStoreLoss>,
    store_ms: Option<Ms>,
    store_replicas: Option<Whole<0, 16>>,
    lease: Option<Whole<1, 2_097_151>>,
    #[serde(default, deserialize_with = "some")]
    database: Option<Database>,
    applications: Option<PathBuf>,
    #[serde(default)]
    admins: Vec<AdminTable>,
    dashboard: Option<PathBuf>,
    #[serde(default)]
    list: BTreeMap<String, List>,
    environment: BTreeMap<environment::Name, Environment>,
}

impl TryFrom<File> for Config {
    type Error = String;

    fn try_from(mut file: File) -> Result<Self, String> {
        if file.environment.is_empty() {
            return Err("expected a table such as `[environment.production]`, found none".into());
        }
        if !file.admins.is_empty() && file.admin.is_none() {
            return Err("expected an address for `admins`, such as `admin = \"127.0.0.1:9090\"`, found none".into());
        }

        let (warnings, bounds, store) = (file.warnings(), file.bounds()?, file.store()?);
        let named = |(environment::Name(name), mut environment): (_, Environment)| {
            environment.name = name;
            environment
        };
        Ok(Self {
            admin: file.admin.map(|Listen(address)| address),
            reuse_port: file.reuse_port,
            proxies: file.proxies,
            traces: file.traces,
            bounds,
            store,
            database: file.database.unwrap_or(Database::Memory),
            applications: file.applications,
            admins: admins(file.admins)?,
            dashboard: file.dashboard,
            known: Known::new(file.list)?,
            environments: file.environment.into_iter().map(named).collect(),
            warnings,
        })
    }
}

impl File {
    /// Secrets that can be guessed.
    fn warnings(&self) -> Vec<String> {
        let store = self.store_secret.iter().map(|Secret(secret)| secret.chars().count());
        let mut lengths: Vec<_> = store.map(|length| ("store_secret".to_owned(), length)).collect();
        for AdminTable { name, token } in &self.admins {
            lengths
                .extend(token.length.map(|length| (format!("admins: token of `{name}`"), length)));
        }
        lengths.retain(|(_, length)| *length < SHORT);
        let warning = |(key, length): (String, usize)| {
            format!(
                "{key}: expected a secret of {SHORT} characters or more, such as one of `openssl rand -hex 32`, found {length}: it \
                 can be guessed"
            )
        };
        lengths.into_iter().map(warning).collect()
    }

    fn bounds(&self) -> Result<Bounds, String> {
        let default = Bounds::default();
        let requests = or(self.requests, default.requests);
        // A quarter for an application at most, so that three of them leave room.
        let quarter = requests.div_ceil(4);
        let requests_per_application = or(self.requests_per_application, quarter);
        let requests_per_user = or(self.requests_per_user, requests_per_application.div_ceil(4));

        for (key, found, most) in [
            ("requests_per_application", requests_per_application, quarter),
            ("requests_per_user", requests_per_user, requests_per_application),
        ] {
            if found > most {
                return Err(format!("{key}: expected an integer from 1 to {most}, found {found}"));
            }
        }
        Ok(Bounds {
            body_bytes: or(self.body_bytes, default.body_bytes),
            head_bytes: or(self.head_bytes, default.head_bytes),
            head: ms_or(self.head_ms, default.head),
            body: ms_or(self.body_ms, default.body),
            body_total: ms_or(self.body_total_ms, default.body_total),
            write: ms_or(self.write_ms, default.write),
            connections: or(self.connections, default.connections),
            requests,
            requests_per_application,
            requests_per_user,
            shutdown_delay: ms_or(self.shutdown_delay_ms, default.shutdown_delay),
            drain: ms_or(self.drain_ms, default.drain),
        })
    }

    fn store(&mut self) -> Result<Store, String> {
        let Some(StoreUrl(Some(url))) = self.store.take() else { return Ok(Store::Memory) };
        let missing =
            |key, example| format!("expected `{key} = {example}` beside `store`, found none");
        let secret = self.store_secret.take();
        let Secret(secret) =
            secret.ok_or_else(|| missing("store_secret", "{ env = \"STORE_SECRET\" }"))?;
        let on_loss = self.on_store_loss.ok_or_else(|| missing("on_store_loss", "\"refuse\""))?;
        Ok(Store::Redis(RedisStore {
            url,
            secret,
            on_loss,
            timeout: ms_or(self.store_ms, Duration::from_millis(250)),
            lease: or(self.lease, 1),
            replicas: or(self.store_replicas, 0),
        }))
    }
}

/// Limits on the resources that callers may use.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The maximum length of a body, in bytes.
    pub body_bytes: usize,
    /// The maximum length of the head of a request, in bytes.
    pub head_bytes: usize,
    /// How long the head of a request may take, and how long a connection may be without a request.
    pub head: Duration,
    /// How long a body may stall.
    pub body: Duration,
    /// How long a whole body may take.
    pub body_total: Duration,
    /// How long a caller may leave a reply unread.
    pub write: Duration,
    /// The maximum number of simultaneous connections, for all environments together.
    pub connections: usize,
    /// The maximum number of simultaneous requests, for all environments together.
    pub requests: usize,
    /// The maximum number of simultaneous requests of one application.
    pub requests_per_application: usize,
    /// The maximum number of simultaneous requests of one user of an application.
    pub requests_per_user: usize,
    /// How long the gateway still accepts connections after a stop signal. It reports itself as not ready meanwhile.
    pub shutdown_delay: Duration,
    /// How long running requests may continue when the gateway stops.
    pub drain: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        let (seconds, requests) = (Duration::from_secs, 1_024);
        Self {
            body_bytes: 1 << 20,
            head_bytes: 32 << 10,
            head: seconds(10),
            body: seconds(10),
            body_total: seconds(60),
            write: seconds(10),
            connections: 4_096,
            requests,
            requests_per_application: requests / 4,
            requests_per_user: requests / 16,
            shutdown_delay: Duration::from_millis(500),
            drain: seconds(10),
        }
    }
}

/// The store of rate windows.
#[derive(Clone, Debug)]
pub enum Store {
    /// The memory of this process.
    Memory,
    /// Redis or Valkey, shared by any number of processes.
    Redis(RedisStore),
}

impl Store {
    /// The shared store, if it is one.
    #[must_use]
    pub const fn redis(&self) -> Option<&RedisStore> {
        match self {
            Self::Memory => None,
            Self::Redis(store) => Some(store),
        }
    }
}

/// Redis or Valkey.
#[derive(Clone)]
pub struct RedisStore {
    /// Its address: that of a server as the `redis` crate reads it, `redis+cluster://HOST,…`, or
    /// `redis+sentinel://HOST,…/NAME`.
    pub url: String,
    /// The secret that all processes on the store share. It keys the hash of scopes, so the store does not reveal callers.
    pub secret: String,
    /// The rule for calls that count while it does not answer.
    pub on_loss: OnStoreLoss,
    /// How long it may take to answer.
    pub timeout: Duration,
    /// The number of calls that a process leases at once; 1 means no lease.
    pub lease: u32,
    /// The number of replicas that must have a call before it passes.
    pub replicas: u32,
}

impl fmt::Debug for RedisStore {
    /// Omits the secret and the address, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut store = f.debug_struct("RedisStore");
        store.field("on_loss", &self.on_loss).field("lease", &self.lease).finish_non_exhaustive()
    }
}

impl RedisStore {
    /// The number of calls of a lease under a policy, at most the policy's limit; `None` without leases.
    #[must_use]
    pub fn batch(&self, policy: &Policy) -> Option<Cost> {
        (self.lease > 1).then(|| policy.cost(self.lease.min(policy.limit())).ok()).flatten()
    }
}

/// The rule for calls that count while the store does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnStoreLoss {
    /// Each process counts for itself, so the limit applies to each process.
    Local,
    /// The reply is 503.
    Refuse,
}

/// The address of a store; `None` for the memory of this process.
struct StoreUrl(Option<String>);

impl StoreUrl {
    /// The address, and whether it contains a password.
    fn of(url: &str) -> Result<(Self, bool), String> {
        let address = Address::read(url).map_err(|expected| unlike(expected, url))?;
        if url.contains('#') {
            return Err(
                "expected an address whose certificate is checked, found one with a `#`".into()
            );
        }
        Ok((Self(Some(url.to_owned())), address.has_password()))
    }
}

impl Form for StoreUrl {
    const EXPECTED: &'static str =
        "`memory`, an address such as `redis://127.0.0.1:6379`, or `{ env = \"NAME\" }` with one";
    type Table = Named;

    fn of_text(text: &str) -> Result<Self, String> {
        if text == "memory" {
            return Ok(Self(None));
        }
        match Self::of(text)? {
            (_, true) => Err(PASSWORD.into()),
            (url, false) => Ok(url),
        }
    }

    fn of_table(named: Named) -> Result<Self, String> {
        Self::of(&Secret::of_table(named)?.0).map(|(url, _)| url)
    }
}

/// The problem of an address in the file that contains a password.
const PASSWORD: &str =
    "expected an address with a password as `{ env = \"NAME\" }`, found a password in the file";

/// The database of applications.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    /// SQLite in the memory of this process. Its changes end with it.
    Memory,
    /// SQLite in this file, for one process at a time.
    File(PathBuf),
    /// PostgreSQL at this address, for any number of processes.
    Postgres(String),
}

impl fmt::Debug for Database {
    /// Omits the address, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("Memory"),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Postgres(_) => f.write_str("Postgres(…)"),
        }
    }
}

impl Database {
    /// The database, and whether its address contains a password.
    fn of(text: &str) -> Result<(Self, bool), String> {
        if text.is_empty() || text.starts_with("sqlite:") {
            return Err(unlike(Self::EXPECTED, text));
        }
        if !text.contains("://") {
            return Ok((Self::File(text.into()), false));
        }
        let url = reqwest::Url::parse(text).ok();
        let url = url.filter(|url| matches!(url.scheme(), "postgres" | "postgresql"));
        let url = url.ok_or_else(|| unlike(Self::EXPECTED, text))?;
        Ok((Self::Postgres(text.to_owned()), url.password().is_some()))
    }
}

impl Form for Database {
    const EXPECTED: &'static str = "the path of a file such as `gateway.db`, an address such as \
                                    `postgres://127.0.0.1:5432/sendoff`, or `{ env = \"NAME\" }` with one";
    type Table = Named;

    fn of_text(text: &str) -> Result<Self, String> {
        match Self::of(text)? {
            (_, true) => Err(PASSWORD.into()),
            (database, false) => Ok(database),
        }
    }

    fn of_table(named: Named) -> Result<Self, String> {
        Self::of(&Secret::of_table(named)?.0).map(|(database, _)| database)
    }
}

/// A person or a program that may use the admin API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admin {
    /// The name in the audit log.
    pub name: String,
    /// The digest of the token.
    pub token: Digest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdminTable {
    name: CatalogueName,
    #[serde(deserialize_with = "formed")]
    token: Token,
}

/// The admins of a file, whose names and tokens differ.
fn admins(tables: Vec<AdminTable>) -> Result<Vec<Admin>, String> {
    let mut admins = Vec::<Admin>::new();
    for AdminTable { name, token: Token { digest: token, .. } } in tables {
        let name = name.as_str().to_owned();
        if admins.iter().any(|other| other.name == name || other.token == token) {
            return Err(format!("admins: the name or the token of `{name}` is used twice"));
        }
        admins.push(Admin { name, token });
    }
    Ok(admins)
}
