//! The configuration file of a gateway.

mod toml;
mod secret;
mod cors;
mod application;
mod database;
mod deployment;
mod proxies;
mod read;
mod store;
mod traces;
mod url;
mod users;

use std::{fmt, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use sendoff::{
    estimate::GasLimits,
    rate_limit::{Cost, Policy},
    value::Address,
};

pub(crate) use self::cors::read_origin;
use self::toml::{Source, Table};
pub use self::{
    application::{Application, Chain, Known, Offer, User},
    cors::{Cors, Origins},
    database::{Admin, Database},
    proxies::{CallerHeader, Proxies},
    secret::{Digest, Key, Variables},
    toml::Problem,
    traces::Traces,
    users::{Claims, Introspection, Issuer, KeySet, KeySource},
};

/// The configuration of a gateway: a TOML file, and environment variables for secrets. `gateway.toml` beside this crate's
/// sources is an example with every key.
#[derive(Clone, Debug)]
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
    /// The database of applications, if they are not in the file.
    pub database: Option<Database>,
    /// Who may change it.
    pub admins: Vec<Admin>,
    /// The folder with the page of the dashboard.
    pub dashboard: Option<PathBuf>,
    /// What the applications of the database can enable.
    pub known: Known,
    /// The environments by their names.
    pub environments: Vec<Environment>,
    /// What works and is probably not meant, each with its line and path.
    pub warnings: Vec<String>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnStoreLoss {
    /// Each process counts for itself, so the limit applies to each process.
    Local,
    /// The reply is 503.
    Refuse,
}

/// The rule for estimates while the bundler does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBundlerLoss {
    /// The file's gas limits are used instead.
    File,
    /// The reply is 502 or 504.
    Refuse,
}

/// An environment: its address, its limit, its callers.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Its name, which separates its rate windows from those of other environments.
    pub name: String,
    /// Its address.
    pub listen: SocketAddr,
    /// A certificate chain and its key, both PEM.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Its limit; `None` if the file has `none`.
    pub policy: Option<Policy>,
    /// `true` if replies to calls that count have the fields `RateLimit` and `RateLimit-Policy`.
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
    /// The applications that may call.
    pub applications: Vec<Arc<Application>>,
    /// The issuers of JSON Web Tokens for its users.
    pub issuers: Vec<Issuer>,
    /// The server that knows the users of other tokens.
    pub introspection: Option<Introspection>,
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
    /// The rule for the headers in which proxies name their callers.
    pub forwarded: Forwarded,
}

/// The rule for `forwarded`, `x-forwarded-for` and similar headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarded {
    /// They are dropped, because any caller can write them.
    Drop,
    /// They are forwarded, because a proxy in front of the gateway writes them.
    Keep,
}

/// An ERC-4337 bundler.
#[derive(Clone)]
pub struct Bundler {
    /// The address of its JSON-RPC, which may contain a key.
    pub url: String,
    /// How long it may take.
    pub timeout: Duration,
    /// The rule for estimates while it does not answer.
    pub on_loss: OnBundlerLoss,
    /// The EntryPoint in requests to it.
    pub entry_point: Address,
}

impl fmt::Debug for Bundler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundler")
            .field("timeout", &self.timeout)
            .field("on_loss", &self.on_loss)
            .finish_non_exhaustive()
    }
}

/// The contracts and gas limits that all operations of an environment share.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// The contract that starts jobs.
    pub job_manager: Address,
    /// The contract that pays the fees.
    pub paymaster: Address,
    /// The gas limits, unless a bundler returns others.
    pub gas_limits: GasLimits,
}

impl Environment {
    /// The limit of one of its applications; `None` if it has none.
    #[must_use]
    pub fn policy_of(&self, application: &Application) -> Option<Policy> {
        application.policy.unwrap_or(self.policy)
    }
}

impl Config {
    /// A sentence about each environment whose applications are in the file although there is a database of them.
    pub(crate) fn applications_beside_a_database(&self) -> Vec<String> {
        let beside = |environment: &&Environment| {
            self.database.is_some() && !environment.applications.is_empty()
        };
        let sentence = |environment: &Environment| {
            format!(
                "environment.{}.application: expected none beside a `database`, found {}: `sendoff-gateway import` takes them over",
                environment.name,
                environment.applications.len()
            )
        };
        self.environments.iter().filter(beside).map(sentence).collect()
    }

    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// All problems of the file and of the variables that it names.
    pub fn read(text: &str, variables: Variables<'_>) -> Result<Self, Vec<Problem>> {
        let (config, warnings) = document(text, |file| read::config(file, variables))?;
        Ok(Self { warnings, ..config })
    }
}

/// The applications of a file, each with its environment: what `export` writes and `import` takes.
#[derive(Clone, Debug)]
pub struct Applications(pub Vec<(String, Arc<Application>)>);

impl Applications {
    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// All problems of the file and of the variables that it names.
    pub fn read(text: &str, variables: Variables<'_>) -> Result<Self, Vec<Problem>> {
        Ok(Self(document(text, |file| read::applications(file, variables))?.0))
    }
}

/// Reads a text of TOML, with its warnings, or finds all of its problems.
fn document<T>(
    text: &str,
    read: impl FnOnce(Table<'_>) -> Option<T>,
) -> Result<(T, Vec<String>), Vec<Problem>> {
    let source = Source::new(text);
    let (document, errors) = ::toml::de::DeTable::parse_recoverable(text);
    for error in &errors {
        source.push(
            error.span().map_or(0, |span| span.start),
            "",
            format!("not TOML: {}", error.message()),
        );
    }
    // The readable part of broken TOML would show problems that the whole file does not have.
    let read = errors.is_empty().then(|| read(Table::new(&source, "", 0, document.get_ref())));
    let warnings = source.warnings();
    match (read.flatten(), source.into_problems()) {
        (Some(read), problems) if problems.is_empty() => Ok((read, warnings)),
        (_, problems) => Err(problems),
    }
}
