//! Requests to Redis with the core's script.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::sentinel::{Sentinel, SentinelNodeConnectionInfo};
use redis::{Client, ConnectionAddr, RedisError, RedisResult, ServerErrorKind, TlsMode};
use sendoff::rate_limit::redis::{RedisRequest, SCRIPT, SCRIPT_SHA1};
use tokio::sync::watch;
use tokio::time::{timeout, timeout_at};

use crate::config::{Others, RedisStore, Server};

/// A store, and the connection to it.
pub(crate) struct Redis {
    config: RedisStore,
    /// The connection in use; `None` before the first one.
    connection: watch::Sender<Option<Connection>>,
    /// The connection in use failed, or there is none: [`Self::ping`] replaces it.
    has_failed: AtomicBool,
}

#[derive(Clone)]
enum Connection {
    /// To one server. It is opened by its first request.
    Server(ConnectionManager),
    /// To all nodes of a cluster.
    Cluster(ClusterConnection),
}

/// The reason why the script returns no answer.
pub(crate) enum Fault {
    /// The store does not answer, or its answer is invalid.
    Store(String),
    /// The key of one caller contains something other than a window.
    Key(String),
}

/// How long it may take to find the master or all nodes of a cluster, some of which may not answer.
const OPENING: Duration = Duration::from_secs(3);

/// How often a cluster's client follows a slot to another node for one request.
const REDIRECTIONS: u32 = 2;

impl Redis {
    pub(crate) fn new(store: &RedisStore) -> Self {
        let (connection, has_failed) = (watch::Sender::new(None), AtomicBool::new(true));
        Self { config: store.clone(), connection, has_failed }
    }

    /// Asks whether the store answers, on a new connection if the one in use failed: a silent one would never end by itself,
    /// and another server may be the master meanwhile. Requests use the old one until then, because other nodes of a cluster
    /// may answer. A cluster says itself whether all of its slots have a master.
    ///
    /// # Errors
    ///
    /// A sentence if it does not.
    pub(crate) async fn ping(&self) -> Result<(), String> {
        let asked = self.ask().await;
        let answer = asked.inspect_err(|_| self.has_failed.store(true, Ordering::Relaxed))?;
        let slots = answer.lines().find_map(|line| line.strip_prefix("cluster_slots_fail:"));
        let is_whole = slots.is_none_or(|lost| lost == "0");
        is_whole.then_some(()).ok_or_else(|| "a part of the cluster has no master".to_owned())
    }

    async fn ask(&self) -> Result<String, String> {
        if self.has_failed.swap(false, Ordering::Relaxed) {
            let opened = timeout(OPENING, self.open()).await;
            let opened = opened.map_err(|_| format!("no connection in {} s", OPENING.as_secs()))?;
            self.connection.send_replace(Some(opened.map_err(|error| error.to_string())?));
        }
        let connection = self.connection.borrow().clone();
        let asked = async {
            match connection {
                Some(Connection::Server(mut server)) => {
                    redis::cmd("PING").query_async(&mut server).await
                }
                Some(Connection::Cluster(mut cluster)) => {
                    redis::cmd("CLUSTER").arg("INFO").query_async(&mut cluster).await
                }
                None => Ok(String::new()),
            }
        };
        let answer = timeout(self.config.timeout, asked).await.map_err(|_| self.silence())?;
        answer.map_err(|error| error.to_string())
    }

    /// A new connection.
    async fn open(&self) -> RedisResult<Connection> {
        let RedisStore { url, others, timeout, .. } = &self.config;
        let (Server(server), timeout) = (url, *timeout);
        let client = match others {
            None => Client::open(server.clone())?,
            Some(Others::Nodes(nodes)) => {
                // All nodes have the user and the password of the first.
                let settings = server.redis_settings();
                let of = |Server(node): &Server| node.clone().set_redis_settings(settings.clone());
                let nodes = [url].into_iter().chain(nodes).map(of);
                let client = ClusterClient::builder(nodes).retries(REDIRECTIONS);
                let client = client.min_retry_wait(5).max_retry_wait(50);
                let client = client.connection_timeout(timeout).response_timeout(timeout);
                return client.build()?.get_async_connection().await.map(Connection::Cluster);
            }
            Some(Others::Sentinels(sentinels)) => {
                // The sentinels say host and port.
                let mut master = SentinelNodeConnectionInfo::default()
                    .set_redis_connection_info(server.redis_settings().clone());
                if matches!(server.addr(), ConnectionAddr::TcpTls { .. }) {
                    master = master.set_tls_mode(TlsMode::Secure);
                }
                let address = server.addr().to_string();
                let (name, _port) = address.rsplit_once(':').unwrap_or_default();
                let sentinels = sentinels.iter().map(|Server(sentinel)| sentinel.clone());
                let mut sentinels = Sentinel::build(sentinels.collect())?;
                sentinels.async_master_for(name, Some(&master)).await?
            }
        };
        // The next request tries again.
        let config = ConnectionManagerConfig::new().set_number_of_retries(0);
        let config =
            config.set_connection_timeout(Some(timeout)).set_response_timeout(Some(timeout));
        ConnectionManager::new_lazy_with_config(client, config).map(Connection::Server)
    }

    fn silence(&self) -> String {
        format!("no answer in {} ms", self.config.timeout.as_millis())
    }

    /// Runs the script, with one round trip, or two if the server does not have the script yet. What the script grants must
    /// have arrived at this number of replicas. Gives up at `until`.
    pub(crate) async fn run(
        &self,
        request: &RedisRequest,
        replicas: u32,
        until: Instant,
    ) -> Result<Vec<i64>, Fault> {
        let answer = timeout_at(until.into(), async {
            // The first request waits until there is a connection.
            let connection =
                self.connection.subscribe().wait_for(Option::is_some).await.ok()?.clone()?;
            Some(match connection {
                Connection::Server(mut server) => run(&mut server, request, replicas, until).await,
                Connection::Cluster(mut cluster) => {
                    run(&mut cluster, request, replicas, until).await
                }
            })
        });
        let answer = answer.await.ok().flatten();
        let answer = answer.unwrap_or_else(|| Err(Fault::Store(self.silence())));
        if let Err(Fault::Store(_)) = answer {
            self.has_failed.store(true, Ordering::Relaxed);
        }
        answer
    }
}

async fn run(
    connection: &mut impl ConnectionLike,
    request: &RedisRequest,
    replicas: u32,
    until: Instant,
) -> Result<Vec<i64>, Fault> {
    // The script's answer, and how many replicas have what it wrote.
    let mut send = async |command, script| -> RedisResult<(Vec<i64>, u32)> {
        let mut command = redis::cmd(command);
        command.arg(script).arg(1).arg(request.key()).arg(request.arguments());
        if replicas == 0 {
            return Ok((command.query_async(connection).await?, 0));
        }
        // 0 would mean for ever.
        let left = until.saturating_duration_since(Instant::now()).as_millis().max(1);
        let left = u64::try_from(left).unwrap_or(u64::MAX);
        let mut both = redis::pipe();
        both.add_command(command).cmd("WAIT").arg(replicas).arg(left).query_async(connection).await
    };
    let answer = match send("EVALSHA", SCRIPT_SHA1).await {
        Err(error) if error.kind() == ServerErrorKind::NoScript.into() => {
            send("EVAL", SCRIPT).await
        }
        answer => answer,
    };
    match answer {
        Ok((numbers, confirmed))
            if confirmed >= replicas || numbers.get(1).is_none_or(|granted| *granted <= 0) =>
        {
            Ok(numbers)
        }
        Ok((_, confirmed)) => {
            Err(Fault::Store(format!("{confirmed} of {replicas} replicas have a call")))
        }
        Err(error) if is_about_key(&error) => Err(Fault::Key(error.to_string())),
        Err(error) => Err(Fault::Store(error.to_string())),
    }
}

/// `true` for an error that the script raises.
fn is_about_key(error: &RedisError) -> bool {
    let errors = error.clone().into_server_errors();
    errors.is_some_and(|errors| errors.first().is_some_and(|(_, error)| error.code() == "SENDOFF"))
}
