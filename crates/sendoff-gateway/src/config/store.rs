//! The shared store of rate windows: one Redis or Valkey, a cluster, or sentinels, which know the server.

use std::fmt;
use std::time::Duration;

use redis::sentinel::SentinelNodeConnectionInfo;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisConnectionInfo, TlsMode};
use reqwest::Url;
use sendoff::rate_limit::{Cost, Policy};
use serde::Deserialize;

use super::secret::{Secret, Text};
use super::value::{default, millis, ms, unlike, whole};

/// The shared store of rate windows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RedisStore {
    /// Its address: that of a server as the `redis` crate reads it, `redis+cluster://HOST,…`, or
    /// `redis+sentinel://HOST,…/NAME`.
    pub(crate) url: Address,
    /// The secret that all processes on the store share. It keys the hash of scopes, so the store does not reveal callers.
    pub secret: Secret,
    /// The rule for calls that count while it does not answer.
    pub on_loss: OnStoreLoss,
    /// How long it may take to answer.
    #[serde(rename = "ms", default = "millis::<250>", deserialize_with = "ms::<1, _>")]
    pub timeout: Duration,
    /// The number of calls that a process leases at once; 1 means no lease.
    #[serde(default = "default::<1, _>", deserialize_with = "whole::<1, 2_097_151, _, _>")]
    pub lease: u32,
    /// The number of replicas that must have a call before it passes.
    #[serde(default, deserialize_with = "whole::<0, 16, _, _>")]
    pub replicas: u32,
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

/// Where the windows are.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Text")]
pub(crate) enum Address {
    /// In one server.
    Server(ConnectionInfo),
    /// In the masters of a cluster. Any of its nodes knows all of them.
    Cluster(Vec<ConnectionInfo>),
    /// In the server that sentinels know as the master of this name.
    Sentinels { sentinels: Vec<ConnectionInfo>, master: String, server: SentinelNodeConnectionInfo },
}

impl fmt::Debug for Address {
    /// Leaves out the address, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl TryFrom<Text> for Address {
    type Error = String;

    fn try_from(text: Text) -> Result<Self, String> {
        let url = text.without_password()?;
        let address = Self::read(url).map_err(|expected| unlike(expected, url))?;
        if url.contains('#') {
            return Err(
                "expected an address whose certificate is checked, found one with a `#`".into()
            );
        }
        Ok(address)
    }
}

/// The expected form of an address, for a message.
type Expected = &'static str;

const SERVER: Expected = "an address such as `redis://127.0.0.1:6379`";
const CLUSTER: Expected =
    "addresses of a cluster such as `redis+cluster://10.0.0.1:6379,10.0.0.2:6379`";
const SENTINELS: Expected = "addresses of sentinels and the name of a master such as `redis+sentinel://10.0.0.1:26379,10.0.0.2:26379/mymaster`";

/// The port of a sentinel.
const SENTINEL_PORT: u16 = 26_379;

impl Address {
    /// # Errors
    ///
    /// What was expected.
    fn read(text: &str) -> Result<Self, Expected> {
        let (scheme, rest) = text.split_once("://").unwrap_or_default();
        match scheme {
            "redis+cluster" | "rediss+cluster" => Self::cluster(scheme, rest).ok_or(CLUSTER),
            "redis+sentinel" | "rediss+sentinel" => Self::sentinels(scheme, rest).ok_or(SENTINELS),
            _ => text.into_connection_info().map(Self::Server).map_err(|_| SERVER),
        }
    }

    /// `[user:password@]host[:port],…`
    fn cluster(scheme: &str, rest: &str) -> Option<Self> {
        let (user, hosts) = authority(rest.strip_suffix('/').unwrap_or(rest))?;
        let nodes = hosts.split(',').map(|host| server(scheme, user, host));
        nodes.collect::<Option<_>>().map(Self::Cluster)
    }

    /// `[user:password@]host[:port],…/name[?sentinel_username=…&sentinel_password=…]`; the user is that of the master.
    fn sentinels(scheme: &str, rest: &str) -> Option<Self> {
        let (hosts, master) = rest.split_once('/')?;
        let (user, hosts) = authority(hosts)?;
        let (master, query) = master.split_once('?').unwrap_or((master, ""));
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if master.is_empty() || !master.chars().all(is_name) {
            return None;
        }

        let mut credentials = RedisConnectionInfo::default();
        for (key, value) in Url::parse(&format!("redis://host?{query}")).ok()?.query_pairs() {
            credentials = match &*key {
                "sentinel_username" => credentials.set_username(value),
                "sentinel_password" => credentials.set_password(value),
                _ => return None,
            };
        }
        let sentinel = |host: &str| {
            let port = Url::parse(&format!("redis://{host}")).ok()?.port();
            let host = if port.is_some() { host.into() } else { format!("{host}:{SENTINEL_PORT}") };
            Some(server(scheme, "", &host)?.set_redis_settings(credentials.clone()))
        };
        let sentinels = hosts.split(',').map(sentinel).collect::<Option<Vec<_>>>()?;

        // The master has the credentials of the address; its host and port are those that the
        // sentinels know.
        let of_master = server(scheme, user, "host")?;
        let mut server = SentinelNodeConnectionInfo::default()
            .set_redis_connection_info(of_master.redis_settings().clone());
        if matches!(of_master.addr(), ConnectionAddr::TcpTls { .. }) {
            server = server.set_tls_mode(TlsMode::Secure);
        }
        Some(Self::Sentinels { sentinels, master: master.into(), server })
    }
}

/// The user with its `@`, and the hosts.
fn authority(text: &str) -> Option<(&str, &str)> {
    let (user, hosts) = text.split_at(text.rfind('@').map_or(0, |at| at.saturating_add(1)));
    (!hosts.contains(['/', '?', '#'])).then_some((user, hosts))
}

fn server(scheme: &str, user: &str, host: &str) -> Option<ConnectionInfo> {
    // The user may contain anything that a URL escapes, so a slash there is another host.
    let is_plain = !user.contains(['/', '?', '#']) && !host.is_empty();
    let (scheme, _) = scheme.split_once('+')?;
    is_plain.then(|| format!("{scheme}://{user}{host}").into_connection_info().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(servers: &[ConnectionInfo]) -> Vec<String> {
        servers.iter().map(|server| server.addr().to_string()).collect()
    }

    #[test]
    fn a_cluster_has_nodes_and_one_password() {
        let address = Address::read("redis+cluster://u:p%40@10.0.0.1,[::1]:7001/").ok().unwrap();
        let Address::Cluster(nodes) = address else { panic!() };
        // The library writes an address of IPv6 without its brackets.
        assert_eq!(hosts(&nodes), ["10.0.0.1:6379", "::1:7001"]);
        for node in &nodes {
            let settings = node.redis_settings();
            assert_eq!((settings.username(), settings.password()), (Some("u"), Some("p@")));
        }
        let Ok(Address::Cluster(nodes)) = Address::read("rediss+cluster://redis.example") else {
            panic!()
        };
        assert!(matches!(nodes[0].addr(), ConnectionAddr::TcpTls { insecure: false, .. }));
    }

    #[test]
    fn sentinels_have_a_master_and_their_own_password() {
        let address = Address::read(
            "redis+sentinel://:p@10.0.0.1,10.0.0.2:5000/my.master?sentinel_password=q%26",
        );
        let address = address.ok().unwrap();
        let Address::Sentinels { sentinels, master, server } = address else { panic!() };
        assert_eq!(hosts(&sentinels), ["10.0.0.1:26379", "10.0.0.2:5000"]);
        assert!(
            sentinels.iter().all(|sentinel| sentinel.redis_settings().password() == Some("q&"))
        );
        assert_eq!(master, "my.master");
        assert!(!format!("{server:?}").contains("Secure"));
        let Ok(Address::Sentinels { sentinels, server, .. }) =
            Address::read("rediss+sentinel://a.example/m")
        else {
            panic!()
        };
        assert!(matches!(sentinels[0].addr(), ConnectionAddr::TcpTls { insecure: false, .. }));
        assert!(format!("{server:?}").contains("Secure"));
    }

    /// Another test of files has the addresses of one server.
    #[test]
    fn a_password_is_not_in_the_file() {
        for (url, has_password) in [
            ("redis+cluster://u:p@10.0.0.1", true),
            ("redis+cluster://u@10.0.0.1:7000", false),
            ("redis+sentinel://:p@10.0.0.1/m", true),
            ("redis+sentinel://10.0.0.1/m?sentinel_password=q", true),
            ("redis+sentinel://10.0.0.1:26379,10.0.0.2/m?sentinel_username=q", false),
        ] {
            let found = Address::try_from(Text::new(url, true));
            assert_eq!(found.is_err(), has_password, "{url}: {found:?}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_what_was_expected() {
        for (expected, texts) in [
            (SERVER, ["", "127.0.0.1:6379", "redis://[", "redis+other://127.0.0.1"].as_slice()),
            (CLUSTER, &["redis+cluster://", "redis+cluster://a,", "redis+cluster://,a"]),
            (CLUSTER, &["redis+cluster://a/1", "redis+cluster://a?pass=x"]),
            (CLUSTER, &["redis+cluster://a:70000", "redis+cluster://x/y@a"]),
            (CLUSTER, &["rediss+cluster://a#insecure"]),
            (SENTINELS, &["redis+sentinel://", "redis+sentinel://a", "redis+sentinel://a/"]),
            (SENTINELS, &["redis+sentinel://a,/m", "redis+sentinel://a/m/1"]),
            (SENTINELS, &["redis+sentinel://a/m?db=1", "redis+sentinel://a/two words"]),
            (SENTINELS, &["rediss+sentinel://a/m#insecure"]),
        ] {
            for text in texts {
                assert_eq!(Address::read(text).err(), Some(expected), "{text}");
            }
        }
    }
}
