//! Correct callers. Each of their calls has an id and an outcome.

use crate::support::prelude::*;

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
    calls: Arc<Calls>,
    callers: JoinSet<()>,
}

#[derive(Default)]
struct Calls {
    ends: Mutex<HashMap<String, End>>,
    slowest: Mutex<Duration>,
    is_over: AtomicBool,
    number: AtomicUsize,
}

impl Load {
    /// Starts `callers` callers, each with a pause between two calls. They make at most `most` calls in all.
    pub(crate) fn start(
        target: &Arc<Mutex<Target>>,
        callers: usize,
        pause: Duration,
        most: usize,
    ) -> Self {
        let calls = Arc::<Calls>::default();
        let mut set = JoinSet::new();
        for _ in 0..callers {
            let (target, calls) = (Arc::clone(target), Arc::clone(&calls));
            set.spawn(async move {
                // Each caller has its own connections.
                let client = client();
                loop {
                    let number = calls.number.fetch_add(1, Ordering::Relaxed);
                    if calls.is_over.load(Ordering::Relaxed) || number >= most {
                        return;
                    }
                    let (url, token) = {
                        let target = target.lock().expect("no panic");
                        (target.urls[number % target.urls.len()].clone(), target.token.clone())
                    };
                    let id = format!("good-{number}");
                    let began = Instant::now();
                    let end = call(&client, &url, &token, &id).await;
                    calls.ends.lock().expect("no panic").insert(id, end);
                    {
                        let mut slowest = calls.slowest.lock().expect("no panic");
                        *slowest = (*slowest).max(began.elapsed());
                    }
                    sleep(pause).await;
                }
            });
        }
        Self { calls, callers: set }
    }

    /// The number of calls that have ended.
    pub(crate) fn ended(&self) -> usize {
        self.calls.ends.lock().expect("no panic").len()
    }

    /// Waits until all calls were made, and returns their ends and the slowest one's time.
    pub(crate) async fn all(self) -> (HashMap<String, End>, Duration) {
        self.callers.join_all().await;
        let ends = self.calls.ends.lock().expect("no panic").clone();
        (ends, *self.calls.slowest.lock().expect("no panic"))
    }

    /// Starts no further calls, and waits for the running ones.
    pub(crate) async fn over(self) -> (HashMap<String, End>, Duration) {
        self.calls.is_over.store(true, Ordering::Relaxed);
        self.all().await
    }
}

async fn call(client: &reqwest::Client, url: &str, token: &str, id: &str) -> End {
    let request = client.post(format!("{url}{TRANSFER}")).bearer_auth(token);
    let request = request.header("x-request-id", id);
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
