//! Correct callers. Each of their calls has an id and an outcome.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{task::JoinSet, time::sleep};

use crate::support::client;

/// The outcome of a call for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum End {
    /// A whole reply.
    Answered(u16),
    /// The connection broke: the call may have been carried out.
    Broken,
    /// There was no connection, so the call was not carried out.
    Unconnected,
    /// Neither a reply nor an end of the connection, for longer than all time limits of the gateway together.
    Hung,
}

/// The gateways and the token of calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    pub(crate) urls: Vec<String>,
    pub(crate) token: String,
}

/// Callers that call until `over`.
pub(crate) struct Load {
    ends: Arc<Mutex<HashMap<String, End>>>,
    slowest: Arc<Mutex<Duration>>,
    is_over: Arc<AtomicBool>,
    callers: JoinSet<()>,
}

/// Longer than a body, the store, the backend and a reply may take together in these tests.
const PATIENCE: Duration = Duration::from_secs(20);

impl Load {
    /// Starts `callers` callers, each with a pause between two calls. They make at most `most` calls in all.
    pub(crate) fn start(
        target: &Arc<Mutex<Target>>,
        callers: usize,
        pause: Duration,
        most: usize,
    ) -> Self {
        let (ends, is_over, number) = (
            Arc::<Mutex<HashMap<_, _>>>::default(),
            Arc::<AtomicBool>::default(),
            Arc::<AtomicUsize>::default(),
        );
        let slowest = Arc::<Mutex<Duration>>::default();
        let mut set = JoinSet::new();
        for _ in 0..callers {
            let (target, ends, is_over) =
                (Arc::clone(target), Arc::clone(&ends), Arc::clone(&is_over));
            let (number, slowest) = (Arc::clone(&number), Arc::clone(&slowest));
            set.spawn(async move {
                // Each caller has its own connections.
                let client = client();
                loop {
                    let number = number.fetch_add(1, Ordering::Relaxed);
                    if is_over.load(Ordering::Relaxed) || number >= most {
                        return;
                    }
                    let (url, token) = {
                        let target = target.lock().expect("no panic");
                        (target.urls[number % target.urls.len()].clone(), target.token.clone())
                    };
                    let id = format!("good-{number}");
                    let began = Instant::now();
                    let end = call(&client, &url, &token, &id).await;
                    ends.lock().expect("no panic").insert(id, end);
                    {
                        let mut slowest = slowest.lock().expect("no panic");
                        *slowest = (*slowest).max(began.elapsed());
                    }
                    sleep(pause).await;
                }
            });
        }
        Self { ends, slowest, is_over, callers: set }
    }

    /// The number of calls that have ended.
    pub(crate) fn ended(&self) -> usize {
        self.ends.lock().expect("no panic").len()
    }

    /// Waits until all calls were made.
    pub(crate) async fn all(self) -> (HashMap<String, End>, Duration) {
        self.callers.join_all().await;
        let ends = self.ends.lock().expect("no panic").clone();
        let slowest = *self.slowest.lock().expect("no panic");
        (ends, slowest)
    }

    /// Starts no further calls, and waits for the running ones.
    pub(crate) async fn over(self) -> (HashMap<String, End>, Duration) {
        self.is_over.store(true, Ordering::Relaxed);
        self.all().await
    }
}

async fn call(client: &reqwest::Client, url: &str, token: &str, id: &str) -> End {
    let request = client
        .post(format!("{url}/api/v1/nft/transfer"))
        .bearer_auth(token)
        .header("x-request-id", id);
    let answered = async {
        let response = request.body("{}").send().await?;
        let status = response.status().as_u16();
        response.bytes().await.map(|_| status)
    };
    match tokio::time::timeout(PATIENCE, answered).await {
        Ok(Ok(status)) => End::Answered(status),
        Ok(Err(error)) if error.is_connect() => End::Unconnected,
        Ok(Err(_)) => End::Broken,
        Err(_) => End::Hung,
    }
}
