//! The core's script, sent to Redis.

use std::{fmt, time::Duration};

use redis::{
    Client, RedisResult, ServerErrorKind,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use sendoff::rate_limit::redis::{Request, SCRIPT, SCRIPT_SHA1};

use crate::config::RedisStore;

/// A connection that is made when it is first needed, and again when it was lost.
#[derive(Clone)]
pub(crate) struct Redis {
    connection: ConnectionManager,
    timeout: Duration,
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

impl Redis {
    pub(crate) fn new(store: &RedisStore) -> RedisResult<Self> {
        // It is the next request that tries again.
        let config = ConnectionManagerConfig::new().set_number_of_retries(0);
        let config = config.set_connection_timeout(Some(store.timeout)).set_response_timeout(Some(store.timeout));
        let connection = ConnectionManager::new_lazy_with_config(Client::open(store.url.as_str())?, config)?;
        Ok(Self { connection, timeout: store.timeout })
    }

    /// Runs the script: one round trip, or two where the store does not know it yet.
    pub(crate) async fn run(&self, request: &Request) -> Result<Vec<i64>, String> {
        let run = async {
            match self.send("EVALSHA", SCRIPT_SHA1, request).await {
                Err(error) if error.kind() == ServerErrorKind::NoScript.into() => {
                    self.send("EVAL", SCRIPT, request).await
                }
                answer => answer,
            }
        };
        match tokio::time::timeout(self.timeout, run).await {
            Ok(answer) => answer.map_err(|error| error.to_string()),
            Err(_) => Err(format!("no answer in {} ms", self.timeout.as_millis())),
        }
    }

    async fn send(&self, command: &str, script: &str, request: &Request) -> RedisResult<Vec<i64>> {
        let mut command = redis::cmd(command);
        command.arg(script).arg(1).arg(request.key()).arg(request.arguments().as_slice());
        command.query_async(&mut self.connection.clone()).await
    }
}
