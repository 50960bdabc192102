//! Requests to Redis with the core's script.

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use redis::{
    Client, RedisResult, ServerErrorKind,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use sendoff::rate_limit::redis::{RedisRequest, SCRIPT, SCRIPT_SHA1};

use crate::config::RedisStore;

/// A connection that is opened at first use, and again after a failure.
pub(crate) struct Redis {
    client: Client,
    timeout: Duration,
    line: Mutex<Line>,
}

/// The current connection, and the number of connections before it.
#[derive(Clone)]
struct Line {
    number: u64,
    connection: ConnectionManager,
}

/// The reason why the script returns no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The store does not answer, or its answer is invalid.
    Store(String),
    /// The key of one caller contains something other than a window.
    Key(String),
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

impl Redis {
    pub(crate) fn new(store: &RedisStore) -> RedisResult<Self> {
        let client = Client::open(store.url.as_str())?;
        let connection = connection(&client, store.timeout)?;
        Ok(Self { client, timeout: store.timeout, line: Mutex::new(Line { number: 0, connection }) })
    }

    /// How long an answer may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Runs the script, with one round trip, or two if the store does not have the script yet. Gives up at `until`.
    pub(crate) async fn run(&self, request: &RedisRequest, until: Instant) -> Result<Vec<i64>, Fault> {
        let Line { number, mut connection } = self.line().clone();
        let run = async {
            match send(&mut connection, "EVALSHA", SCRIPT_SHA1, request).await {
                Err(error) if error.kind() == ServerErrorKind::NoScript.into() => {
                    send(&mut connection, "EVAL", SCRIPT, request).await
                }
                answer => answer,
            }
        };
        let why = match tokio::time::timeout_at(until.into(), run).await {
            Ok(Ok(numbers)) => return Ok(numbers),
            Ok(Err(error)) if error.code() == Some("SENDOFF") => return Err(Fault::Key(error.to_string())),
            Ok(Err(error)) => error.to_string(),
            Err(_) => format!("no answer in {} ms", self.timeout.as_millis()),
        };
        self.replace(number);
        Err(Fault::Store(why))
    }

    /// Replaces a connection that failed. A silent connection would never end by itself, and a failover may have moved the
    /// address to another store.
    fn replace(&self, number: u64) {
        let mut line = self.line();
        if line.number == number
            && let Ok(connection) = connection(&self.client, self.timeout)
        {
            *line = Line { number: number.wrapping_add(1), connection };
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that is opened by the first request.
fn connection(client: &Client, timeout: Duration) -> RedisResult<ConnectionManager> {
    // The next request tries again.
    let config = ConnectionManagerConfig::new().set_number_of_retries(0);
    let config = config.set_connection_timeout(Some(timeout)).set_response_timeout(Some(timeout));
    ConnectionManager::new_lazy_with_config(client.clone(), config)
}

async fn send(
    connection: &mut ConnectionManager,
    command: &str,
    script: &str,
    request: &RedisRequest,
) -> RedisResult<Vec<i64>> {
    let mut command = redis::cmd(command);
    command.arg(script).arg(1).arg(request.key()).arg(request.arguments());
    command.query_async(connection).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::OnStoreLoss;

    #[tokio::test]
    async fn debug_shows_neither_the_address_nor_a_secret() {
        let (url, secret) = ("redis://:canary@127.0.0.1".to_owned(), "canary".to_owned());
        let store = RedisStore { url, secret, on_loss: OnStoreLoss::Refuse, timeout: Duration::from_secs(1), lease: 1 };
        assert_eq!(format!("{:?}", Redis::new(&store).unwrap()), "Redis { timeout: 1s, .. }");
    }
}
