//! The file descriptors of the process: one for each connection, and one for each request.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::config::{Config, Environment};

/// The maximum number of simultaneous connections to the admin address.
pub(crate) const ADMIN: usize = 64;

/// The maximum number of simultaneous requests to the admin API. They can wait for the database; health, readiness and metrics
/// have the other connections.
pub(crate) const ADMIN_REQUESTS: usize = 8;

/// The maximum number of idle connections to one backend or bundler.
pub(crate) const IDLE_PER_HOST: usize = 32;

/// For everything else: standard streams, listeners, the store, the runtime, DNS lookups, the admin address.
const RESERVED: usize = 128;

/// Raises the soft limit of file descriptors as far as the bounds need it.
///
/// # Errors
///
/// A sentence if the hard limit is lower.
pub(crate) fn raise(Config { bounds, environments, .. }: &Config) -> Result<(), String> {
    let hosts = |environment: &Environment| {
        usize::from(environment.upstream.is_some())
            .saturating_add(environment.bundler.is_some().into())
    };
    let hosts: usize = environments.iter().map(hosts).sum();
    let reserved = IDLE_PER_HOST.saturating_mul(hosts).saturating_add(RESERVED);
    let wanted = bounds.connections.saturating_add(bounds.requests).saturating_add(reserved);
    let limit = getrlimit(Resource::Nofile);
    let count = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
    if limit.current.is_none_or(|current| count(current) >= wanted) {
        return Ok(());
    }

    let raised = Rlimit { current: u64::try_from(wanted).ok(), maximum: limit.maximum };
    setrlimit(Resource::Nofile, raised).map_err(|_| {
        let found = limit.maximum.map_or(usize::MAX, count);
        format!(
            "expected {wanted} file descriptors for `connections` ({}), `requests` ({}) and {reserved} others, found {found} \
             (ulimit -n): raise the limit, or lower the keys",
            bounds.connections, bounds.requests
        )
    })
}
