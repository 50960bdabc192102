//! The one file that a gateway is started with.

mod toml;
mod secret;
mod application;
mod read;

use std::{fmt, net::SocketAddr, path::PathBuf, time::Duration};

use sendoff::{
    estimate::GasLimits,
    rate_limit::{Cost, Policy},
    value::Address,
};

use self::toml::{Source, Table};
pub use self::{
    application::{Application, Chain, Token, User},
    secret::{Digest, Variables},
    toml::Problem,
};

/// What a gateway is started with: a TOML file, and environment variables for secrets. `gateway.toml` beside this crate's
/// sources is an example with every key.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where health, readiness and metrics are served; nowhere where it is absent.
    pub admin: Option<SocketAddr>,
    /// Bounds on sizes and times.
    pub bounds: Bounds,
    /// Where rate windows are kept.
    pub store: Store,
    /// The environments by their names.
    pub environments: Vec<Environment>,
}

/// Bounds on what a caller may cost.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The longest body, in bytes.
    pub body_bytes: usize,
    /// How long the head of a request may take, and how long a connection may be without a request.
    pub head: Duration,
    /// How long a body may stall.
    pub body: Duration,
    /// How long a body may take in all.
    pub body_total: Duration,
    /// How long a caller may leave a reply unread.
    pub write: Duration,
    /// The most connections at once, of all environments together.
    pub connections: usize,
    /// The most connections at once from one address, or from one network of 64 bits of IPv6.
    pub connections_per_address: usize,
    /// The most requests at once, of all environments together.
    pub requests: usize,
    /// How long the gateway continues after a stop signal, with its readiness turned off.
    pub shutdown_delay: Duration,
    /// How long the running requests have once the gateway is told to stop.
    pub drain: Duration,
}

/// Where rate windows are kept.
#[derive(Clone, Debug)]
pub enum Store {
    /// In the memory of this process.
    Memory,
    /// In Redis or Valkey, shared by any number of processes.
    Redis(RedisStore),
}

/// Redis or Valkey.
#[derive(Clone)]
pub struct RedisStore {
    /// Its address, as the `redis` crate reads it.
    pub url: String,
    /// What all processes on it have in common, so that no caller can be found out from it.
    pub secret: String,
    /// The rule for calls that count while it does not answer.
    pub on_loss: OnStoreLoss,
    /// How long it may take to answer.
    pub timeout: Duration,
    /// The number of calls that a process takes at once; 1 means no batch.
    pub lease: u32,
}

impl fmt::Debug for RedisStore {
    /// Without the secret and the address, which may hold a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut store = f.debug_struct("RedisStore");
        store.field("on_loss", &self.on_loss).field("lease", &self.lease).finish_non_exhaustive()
    }
}

impl RedisStore {
    /// How many calls are taken at once under a policy; a batch is never above its limit.
    #[must_use]
    pub fn batch(&self, policy: &Policy) -> Option<Cost> {
        (self.lease > 1).then(|| policy.cost(self.lease.min(policy.limit())).ok()).flatten()
    }
}

/// The rule for calls that count while the store does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnStoreLoss {
    /// Each process counts for itself: the limit holds a process.
    Local,
    /// They are answered with 503.
    Refuse,
}

/// The rule for estimates while the bundler does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBundlerLoss {
    /// The file's gas limits are used instead.
    File,
    /// It is answered with 502 or 504.
    Refuse,
}

/// One environment: its address, its limit, its callers.
#[derive(Clone, Debug)]
pub struct Environment {
    /// Its name, which keeps its windows apart from the others'.
    pub name: String,
    /// Where it is served.
    pub listen: SocketAddr,
    /// A certificate chain and its key, both PEM.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Its limit; none where the file says `none`.
    pub policy: Option<Policy>,
    /// Whether replies of calls that count have the fields `RateLimit` and `RateLimit-Policy`.
    pub rate_limit_fields: bool,
    /// Who answers what the gateway does not.
    pub upstream: Option<Upstream>,
    /// Who estimates gas.
    pub bundler: Option<Bundler>,
    /// The folder of the playground.
    pub playground: Option<PathBuf>,
    /// The contracts.
    pub deployment: Deployment,
    /// Who may call.
    pub applications: Vec<Application>,
}

/// The wallet backend.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// The address that paths are put behind, without a slash at its end.
    pub url: String,
    /// How long it may take until its reply begins, and between two parts of it.
    pub timeout: Duration,
    /// The rule for the headers in which proxies name their callers.
    pub forwarded: Forwarded,
}

/// The rule for `forwarded`, `x-forwarded-for` and similar headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forwarded {
    /// They are dropped: anybody can write them.
    Drop,
    /// They are passed on, because a proxy in front of the gateway writes them.
    Keep,
}

/// An ERC-4337 bundler.
#[derive(Clone)]
pub struct Bundler {
    /// The address of its JSON-RPC; it may hold a key.
    pub url: String,
    /// How long it may take.
    pub timeout: Duration,
    /// The rule for estimates without it.
    pub on_loss: OnBundlerLoss,
    /// The EntryPoint that it is asked for.
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

/// What every operation of an environment has in common.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// The contract that starts jobs.
    pub job_manager: Address,
    /// The contract that pays.
    pub paymaster: Address,
    /// The gas limits, where no bundler gives others.
    pub gas_limits: GasLimits,
}

impl Config {
    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// Every problem of it, and of the variables that it names.
    pub fn read(text: &str, variables: Variables<'_>) -> Result<Self, Vec<Problem>> {
        let source = Source::new(text);
        let (document, errors) = ::toml::de::DeTable::parse_recoverable(text);
        for error in &errors {
            source.push(error.span().map_or(0, |span| span.start), "", format!("no TOML: {}", error.message()));
        }
        // What is left of a broken document has problems that it would not have whole.
        let config = errors.is_empty().then(|| read::config(Table::new(&source, "", 0, document.get_ref()), variables));
        match (config.flatten(), source.into_problems()) {
            (Some(config), problems) if problems.is_empty() => Ok(config),
            (_, problems) => Err(problems),
        }
    }
}
