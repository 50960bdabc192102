//! Requests to Redis with the core's script.

mod address;
mod line;

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use redis::{RedisError, RedisResult, ServerErrorKind};
use sendoff::rate_limit::redis::{RedisRequest, SCRIPT, SCRIPT_SHA1};

pub(crate) use self::address::Address;
use self::line::{Connection, Line, Numbered};
use crate::{config::RedisStore, parts::Parts};

/// A connection that is opened at first use, and again after a failure.
pub(crate) struct Redis {
    timeout: Duration,
    line: Arc<Line>,
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
    /// # Errors
    ///
    /// A sentence if the store's address cannot be used.
    pub(crate) fn new(store: &RedisStore) -> Result<Self, String> {
        let unusable = |why: &dyn fmt::Display| format!("the store cannot be used: {why}");
        let address = Address::read(&store.url)
            .map_err(|expected| unusable(&format_args!("expected {expected}")))?;
        let line = Line::new(address, store.timeout).map_err(|error| unusable(&error))?;
        Ok(Self { timeout: store.timeout, line: Arc::new(line) })
    }

    /// Its parts, each of which can be lost alone.
    pub(crate) fn parts(&self) -> Parts {
        Parts::of(self.line.address())
    }

    /// How long an answer may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Asks whether the store answers. A cluster says itself whether all of its slots have a master.
    ///
    /// # Errors
    ///
    /// A sentence if it does not.
    pub(crate) async fn ping(&self) -> Result<(), String> {
        let asked = async {
            let current = self.line.current().await.ok_or("no connection")?;
            let mut connection = current.connection?;
            let answer = if matches!(self.line.address(), Address::Cluster(_)) {
                redis::cmd("CLUSTER").arg("INFO").query_async::<String>(&mut connection).await
            } else {
                redis::cmd("PING").query_async(&mut connection).await
            };
            let answer = answer.map_err(|error| {
                self.line.replace(current.number);
                error.to_string()
            })?;
            let slots = answer.lines().find_map(|line| line.strip_prefix("cluster_slots_fail:"));
            let is_whole = slots.is_none_or(|lost| lost == "0");
            is_whole.then_some(()).ok_or_else(|| "a part of the cluster has no master".to_owned())
        };
        let silence = || format!("no answer in {} ms", self.timeout.as_millis());
        tokio::time::timeout(self.timeout, asked).await.unwrap_or_else(|_| Err(silence()))
    }

    /// Runs the script, with one round trip, or two if the server does not have the script yet. What the script grants must
    /// have arrived at this number of replicas. Gives up at `until`.
    pub(crate) async fn run(
        &self,
        request: &RedisRequest,
        replicas: u32,
        until: Instant,
    ) -> Result<Vec<i64>, Fault> {
        let silence = || Fault::Store(format!("no answer in {} ms", self.timeout.as_millis()));
        let current =
            tokio::time::timeout_at(until.into(), self.line.current()).await.ok().flatten();
        let Numbered { number, connection, .. } = current.ok_or_else(silence)?;
        let answer = match connection {
            Ok(mut connection) => {
                let run = run(&mut connection, request, replicas, until);
                tokio::time::timeout_at(until.into(), run).await.unwrap_or_else(|_| Err(silence()))
            }
            Err(why) => Err(Fault::Store(why)),
        };
        if let Err(Fault::Store(_)) = answer {
            self.line.replace(number);
        }
        answer
    }
}

async fn run(
    connection: &mut Connection,
    request: &RedisRequest,
    replicas: u32,
    until: Instant,
) -> Result<Vec<i64>, Fault> {
    let answer = match send(connection, "EVALSHA", SCRIPT_SHA1, request, replicas, until).await {
        Err(error) if error.kind() == ServerErrorKind::NoScript.into() => {
            send(connection, "EVAL", SCRIPT, request, replicas, until).await
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

/// Returns the script's answer, and how many replicas have what it wrote.
async fn send(
    connection: &mut Connection,
    command: &str,
    script: &str,
    request: &RedisRequest,
    replicas: u32,
    until: Instant,
) -> RedisResult<(Vec<i64>, u32)> {
    let mut command = redis::cmd(command);
    command.arg(script).arg(1).arg(request.key()).arg(request.arguments());
    if replicas == 0 {
        return Ok((command.query_async(connection).await?, 0));
    }
    // 0 would mean for ever.
    let left = until.saturating_duration_since(Instant::now()).as_millis().max(1);
    let left = u64::try_from(left).unwrap_or(u64::MAX);
    redis::pipe()
        .add_command(command)
        .cmd("WAIT")
        .arg(replicas)
        .arg(left)
        .query_async(connection)
        .await
}

/// `true` for an error that the script raises.
fn is_about_key(error: &RedisError) -> bool {
    let errors = error.clone().into_server_errors();
    errors.is_some_and(|errors| errors.first().is_some_and(|(_, error)| error.code() == "SENDOFF"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::OnStoreLoss;

    #[tokio::test]
    async fn debug_shows_neither_the_address_nor_a_secret() {
        for url in [
            "redis://:canary@127.0.0.1",
            "redis+cluster://:canary@127.0.0.1",
            "redis+sentinel://:canary@127.0.0.1/m?sentinel_password=canary",
        ] {
            let (url, secret, timeout) = (url.into(), "canary".into(), Duration::from_secs(1));
            let store = RedisStore {
                url,
                secret,
                on_loss: OnStoreLoss::Refuse,
                timeout,
                lease: 1,
                replicas: 0,
            };
            let redis = Redis::new(&store).unwrap();
            assert_eq!(format!("{redis:?}"), "Redis { timeout: 1s, .. }");
            assert_eq!(format!("{:?}", redis.line), "Line { timeout: 1s, .. }");
        }
    }
}
