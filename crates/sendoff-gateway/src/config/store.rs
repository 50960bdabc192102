//! The shared store of rate windows: one Redis or Valkey, a cluster, or sentinels, which know the server.

use std::fmt;
use std::time::Duration;

use redis::{ConnectionInfo, IntoConnectionInfo};
use sendoff::rate_limit::{Cost, Policy};
use serde::Deserialize;

use super::secret::{Secret, Text};
use super::value::{default, millis, ms, unlike, whole};

/// The shared store of rate windows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RedisStore {
    /// Its address. With sentinels, its host is the name by which they know the master.
    pub(crate) url: Server,
    /// The secret that all processes on the store share. It keys the hash of scopes, so the store does not reveal callers.
    pub secret: Secret,
    /// The rule for calls that count while it does not answer.
    pub on_loss: OnStoreLoss,
    /// How long it may take to answer.
    #[serde(rename = "ms", default = "millis::<250>", deserialize_with = "ms")]
    pub timeout: Duration,
    /// The number of calls that a process leases at once; 1 means no lease.
    #[serde(default = "default::<1, _>", deserialize_with = "whole::<1, 2_097_151, _, _>")]
    pub lease: u32,
    /// The number of replicas that must have a call before it passes.
    #[serde(default, deserialize_with = "whole::<0, 16, _, _>")]
    pub replicas: u32,
    /// The other servers, if the store is not one server.
    pub(crate) others: Option<Others>,
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

/// The other servers of a store.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Others {
    /// Nodes of the same cluster. Any of them knows all of it.
    Nodes(Vec<Server>),
    /// The sentinels of the master.
    Sentinels(Vec<Server>),
}

/// The address of a server.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Text")]
pub(crate) struct Server(pub(crate) ConnectionInfo);

impl fmt::Debug for Server {
    /// Leaves out the address, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl TryFrom<Text> for Server {
    type Error = String;

    fn try_from(text: Text) -> Result<Self, String> {
        let url = text.without_password()?;
        let server = url.into_connection_info();
        let expected = "an address such as `redis://127.0.0.1:6379`";
        let server = server.map_err(|_| unlike(expected, url))?;
        if url.contains('#') {
            return Err(
                "expected an address whose certificate is checked, found one with a `#`".into()
            );
        }
        Ok(Self(server))
    }
}
