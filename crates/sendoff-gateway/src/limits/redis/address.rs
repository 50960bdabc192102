//! The address of a store: of one server, of a cluster, or of sentinels, which know the server.

use redis::{
    ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisConnectionInfo, TlsMode,
    sentinel::SentinelNodeConnectionInfo,
};
use reqwest::Url;

/// Where the windows are.
#[derive(Clone)]
pub(crate) enum Address {
    /// In one server.
    Server(ConnectionInfo),
    /// In the masters of a cluster. Any of its nodes knows all of them.
    Cluster(Vec<ConnectionInfo>),
    /// In the server that sentinels know as the master of this name.
    Sentinels {
        sentinels: Vec<ConnectionInfo>,
        master: String,
        server: SentinelNodeConnectionInfo,
        has_password: bool,
    },
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
    pub(crate) fn read(text: &str) -> Result<Self, Expected> {
        let (scheme, rest) = text.split_once("://").unwrap_or_default();
        match scheme {
            "redis+cluster" => Self::cluster("redis", rest).ok_or(CLUSTER),
            "rediss+cluster" => Self::cluster("rediss", rest).ok_or(CLUSTER),
            "redis+sentinel" => Self::sentinels("redis", rest).ok_or(SENTINELS),
            "rediss+sentinel" => Self::sentinels("rediss", rest).ok_or(SENTINELS),
            _ => text.into_connection_info().map(Self::Server).map_err(|_| SERVER),
        }
    }

    /// `true` if it contains a password.
    pub(crate) fn has_password(&self) -> bool {
        let has = |info: &ConnectionInfo| info.redis_settings().password().is_some();
        match self {
            Self::Server(server) => has(server),
            Self::Cluster(nodes) => nodes.iter().any(has),
            Self::Sentinels { sentinels, has_password, .. } => {
                *has_password || sentinels.iter().any(has)
            }
        }
    }

    /// `[user:password@]host[:port],…`
    fn cluster(scheme: &str, rest: &str) -> Option<Self> {
        let (user, hosts) = authority(rest.strip_suffix('/').unwrap_or(rest))?;
        hosts
            .split(',')
            .map(|host| server(scheme, user, host))
            .collect::<Option<_>>()
            .map(Self::Cluster)
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
        let has_password = of_master.redis_settings().password().is_some();
        let mut server = SentinelNodeConnectionInfo::default()
            .set_redis_connection_info(of_master.redis_settings().clone());
        if matches!(of_master.addr(), ConnectionAddr::TcpTls { .. }) {
            server = server.set_tls_mode(TlsMode::Secure);
        }
        Some(Self::Sentinels { sentinels, master: master.into(), server, has_password })
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
        assert!(address.has_password());
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
        assert!(address.has_password());
        let Address::Sentinels { sentinels, master, server, .. } = address else { panic!() };
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

    #[test]
    fn other_texts_are_refused_with_what_was_expected() {
        for (text, expected) in [
            ("", SERVER),
            ("127.0.0.1:6379", SERVER),
            ("redis://[", SERVER),
            ("redis+other://127.0.0.1", SERVER),
            ("redis+cluster://", CLUSTER),
            ("redis+cluster://a,", CLUSTER),
            ("redis+cluster://,a", CLUSTER),
            ("redis+cluster://a/1", CLUSTER),
            ("redis+cluster://a?pass=x", CLUSTER),
            ("redis+cluster://a:70000", CLUSTER),
            ("redis+cluster://x/y@a", CLUSTER),
            ("rediss+cluster://a#insecure", CLUSTER),
            ("redis+sentinel://", SENTINELS),
            ("redis+sentinel://a", SENTINELS),
            ("redis+sentinel://a/", SENTINELS),
            ("redis+sentinel://a,/m", SENTINELS),
            ("redis+sentinel://a/m/1", SENTINELS),
            ("redis+sentinel://a/m?db=1", SENTINELS),
            ("redis+sentinel://a/two words", SENTINELS),
            ("rediss+sentinel://a/m#insecure", SENTINELS),
        ] {
            assert_eq!(Address::read(text).err(), Some(expected), "{text}");
        }
    }
}
