//! The connection to a store. It is opened, and replaced, while requests use the one before.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use redis::{
    Client, Cmd, Pipeline, RedisFuture, RedisResult, Value,
    aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig},
    cluster::ClusterClient,
    cluster_async::ClusterConnection,
    sentinel::Sentinel,
};
use tokio::{sync::watch, task::JoinHandle};

use super::Address;

/// A connection to a store.
#[derive(Clone)]
pub(super) enum Connection {
    /// To one server. It is opened by its first request.
    Server(ConnectionManager),
    /// To all nodes of a cluster.
    Cluster(ClusterConnection),
}

/// A connection, and the number of connections before it.
#[derive(Clone)]
pub(super) struct Numbered {
    pub(super) number: u64,
    opened: Instant,
    /// Or why there is none.
    pub(super) connection: Result<Connection, String>,
}

/// The connection in use.
pub(super) struct Line {
    address: Address,
    timeout: Duration,
    /// `None` before the first one.
    current: watch::Sender<Option<Numbered>>,
    opening: Mutex<Option<JoinHandle<()>>>,
}

/// How long it may take to find the master or all nodes of a cluster, some of which may not answer.
const OPENING: Duration = Duration::from_secs(3);

/// How often a cluster's client follows a slot to another node for one request.
const REDIRECTIONS: u32 = 2;

/// How long the connections of a cluster are kept, at least: most of them may be well, and it finds a new master itself.
const KEPT: Duration = Duration::from_secs(1);

impl Line {
    /// # Errors
    ///
    /// That of the library, for an address that it cannot use.
    pub(super) fn new(address: Address, timeout: Duration) -> RedisResult<Self> {
        match &address {
            Address::Server(server) => drop(Client::open(server.clone())?),
            Address::Cluster(nodes) => drop(ClusterClient::new(nodes.clone())?),
            Address::Sentinels { sentinels, .. } => drop(Sentinel::build(sentinels.clone())?),
        }
        Ok(Self { address, timeout, current: watch::Sender::new(None), opening: Mutex::new(None) })
    }

    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    /// The connection in use. The first request waits until it is open.
    pub(super) async fn current(self: &Arc<Self>) -> Option<Numbered> {
        let mut current = self.current.subscribe();
        if current.borrow().is_none() {
            self.open_after(None);
        }
        current.wait_for(Option::is_some).await.ok()?.clone()
    }

    /// Replaces the connection of this number, which failed. A silent connection would never end by itself, and another
    /// server may be the master meanwhile. Requests use the old one until the new one is open, because other nodes of a
    /// cluster may answer.
    pub(super) fn replace(self: &Arc<Self>, number: u64) {
        self.open_after(Some(number));
    }

    fn open_after(self: &Arc<Self>, number: Option<u64>) {
        let mut opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        let (is_current, is_new) = {
            let current = self.current.borrow();
            let current = current.as_ref();
            let is_new = current.is_some_and(|current| {
                matches!(current.connection, Ok(Connection::Cluster(_)))
                    && current.opened.elapsed() < KEPT
            });
            (current.map(|current| current.number) == number, is_new)
        };
        if !is_current || is_new || opening.as_ref().is_some_and(|opening| !opening.is_finished()) {
            return;
        }

        let (line, number) = (Arc::clone(self), number.map_or(0, |number| number.wrapping_add(1)));
        *opening = Some(tokio::spawn(async move {
            let opened =
                tokio::time::timeout(OPENING, Connection::open(&line.address, line.timeout)).await;
            let connection = match opened {
                Ok(opened) => opened.map_err(|error| error.to_string()),
                Err(_) => Err(format!("no connection in {} s", OPENING.as_secs())),
            };
            line.current.send_if_modified(|current| {
                let keeps = connection.is_err()
                    && current.as_ref().is_some_and(|current| current.connection.is_ok());
                if !keeps {
                    *current = Some(Numbered { number, opened: Instant::now(), connection });
                }
                !keeps
            });
        }));
    }
}

impl fmt::Debug for Line {
    /// Leaves out the address, which may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

impl Connection {
    async fn open(address: &Address, timeout: Duration) -> RedisResult<Self> {
        match address {
            Address::Server(server) => Self::to(Client::open(server.clone())?, timeout),
            Address::Cluster(nodes) => {
                let client = ClusterClient::builder(nodes.clone());
                let client = client.retries(REDIRECTIONS).min_retry_wait(5).max_retry_wait(50);
                let client =
                    client.connection_timeout(timeout).response_timeout(timeout).build()?;
                client.get_async_connection().await.map(Self::Cluster)
            }
            Address::Sentinels { sentinels, master, server, .. } => {
                let mut sentinels = Sentinel::build(sentinels.clone())?;
                Self::to(sentinels.async_master_for(master, Some(server)).await?, timeout)
            }
        }
    }

    fn to(client: Client, timeout: Duration) -> RedisResult<Self> {
        // The next request tries again.
        let config = ConnectionManagerConfig::new().set_number_of_retries(0);
        let config =
            config.set_connection_timeout(Some(timeout)).set_response_timeout(Some(timeout));
        ConnectionManager::new_lazy_with_config(client, config).map(Self::Server)
    }
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, command: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::Server(server) => server.req_packed_command(command),
            Self::Cluster(cluster) => cluster.req_packed_command(command),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        commands: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::Server(server) => server.req_packed_commands(commands, offset, count),
            Self::Cluster(cluster) => cluster.req_packed_commands(commands, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::Server(server) => server.get_db(),
            Self::Cluster(cluster) => cluster.get_db(),
        }
    }
}
