//! Several gateways that share one Redis and one backend.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a panic is a failure of the test"
)]

mod failover;
mod load;
#[path = "../support/mod.rs"]
mod support;

use std::{
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use reqwest::{Response, StatusCode};
use support::{Gateway, TOKEN, client, config, redis::Redis};

/// The limit of production. Windows are shorter than in production, unless `SENDOFF_WINDOW_MS` is set.
const LIMIT: usize = 1_500;
const PROCESSES: usize = 4;
const CONNECTIONS: usize = 32;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_1501_calls_1500_pass_and_one_gets_retry_after() {
    let (redis, backend) = (Redis::start(), Backend::start().await);
    let window_ms =
        std::env::var("SENDOFF_WINDOW_MS").map_or(15_000, |ms| ms.parse().expect("milliseconds"));
    let cluster = Cluster::start(&redis, &backend, window_ms, r#"store.on_loss = "refuse""#);

    let mut answers = cluster.call(LIMIT + 1).await;
    answers.sort_by_key(|answer| answer.status);
    let refusal = answers.pop().expect("1501 answers");
    assert!(answers.iter().all(|answer| answer.status == StatusCode::OK));
    assert_eq!((answers.len(), backend.calls()), (LIMIT, LIMIT));
    assert_eq!(refusal.status, StatusCode::TOO_MANY_REQUESTS);
    let seconds = refusal.retry_after.expect("retry-after");
    assert!((1..=window_ms.div_ceil(1_000)).contains(&seconds), "{seconds}");

    // All four gateways refuse further calls.
    assert!(
        cluster
            .call(2 * PROCESSES)
            .await
            .iter()
            .all(|answer| answer.status == StatusCode::TOO_MANY_REQUESTS)
    );
    tokio::time::sleep_until((refusal.received + Duration::from_secs(seconds)).into()).await;
    assert_eq!(cluster.call(1).await[0].status, StatusCode::OK, "after exactly {seconds} s");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_pass_no_more_than_the_limit() {
    let (redis, backend) = (Redis::start(), Backend::start().await);
    let head = "store.on_loss = \"refuse\"\nstore.lease = 40";
    let cluster = Cluster::start(&redis, &backend, 600_000, head);
    let answers = cluster.call(LIMIT + 400).await;
    let passed = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(passed, backend.calls());
    // Calls that a process leased and did not use are lost for the others.
    assert!((LIMIT - PROCESSES * 40..=LIMIT).contains(&passed), "{passed}");
    assert_eq!(redis.count(), LIMIT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_is_stopped_under_load_loses_no_call() {
    let (redis, backend) = (Redis::start(), Backend::start().await);
    let mut cluster = Cluster::start(&redis, &backend, 600_000, r#"store.on_loss = "refuse""#);
    let load = tokio::spawn(cluster.load(1_200));
    backend.until(300).await;
    cluster.gateways[0].terminate();
    let answers = load.await.expect("the load does not panic");
    let (succeeded, log) = cluster.gateways[0].ended(Duration::from_secs(20));
    assert!(succeeded, "{log}");
    // Every call that was counted and forwarded is answered. The system refuses a connection that
    // arrives while the listener closes, and such a call is not counted.
    let passed = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!((passed, passed), (backend.calls(), redis.count()));
    assert!((1_200 - CONNECTIONS..=1_200).contains(&passed), "{passed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_is_killed_under_load_does_not_exceed_the_limit() {
    let (redis, backend) = (Redis::start(), Backend::start().await);
    let mut cluster = Cluster::start(&redis, &backend, 600_000, r#"store.on_loss = "refuse""#);
    let load = tokio::spawn(cluster.load(LIMIT + 300));
    backend.until(400).await;
    cluster.gateways[0].kill();
    let answers = load.await.expect("the load does not panic");
    let passed = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(redis.count(), LIMIT);
    assert!(backend.calls() <= LIMIT, "{}", backend.calls());
    // Only calls that ran in the killed gateway are lost.
    assert!((LIMIT - CONNECTIONS..=LIMIT).contains(&passed), "{passed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_store_on_store_loss_decides() {
    for (on_loss, lost) in [("local", StatusCode::OK), ("refuse", StatusCode::SERVICE_UNAVAILABLE)]
    {
        let (mut redis, backend) = (Redis::start(), Backend::start().await);
        let head = format!("store.on_loss = \"{on_loss}\"");
        let cluster = Cluster::start(&redis, &backend, 600_000, &head);
        assert!(cluster.call(8).await.iter().all(|answer| answer.status == StatusCode::OK));
        redis.stop();
        assert!(cluster.call(8).await.iter().all(|answer| answer.status == lost), "{on_loss}");
        let metrics = |at: &Gateway| client().get(format!("{}/metrics", at.admin)).send();
        for gateway in &cluster.gateways {
            let text = metrics(gateway).await.expect("metrics").text().await.expect("text");
            assert!(text.contains(r#"sendoff_store_up{environment="sandbox"} 0"#), "{text}");
        }
        redis.start_again();
        let began = Instant::now();
        while cluster.call(PROCESSES).await.iter().any(|answer| answer.status != StatusCode::OK)
            || redis.count() == 0
        {
            assert!(began.elapsed() < Duration::from_secs(10), "the store is not found again");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// A reply to a call.
struct Answer {
    status: StatusCode,
    retry_after: Option<u64>,
    received: Instant,
}

impl Answer {
    fn of(response: &Response) -> Self {
        let retry_after = response
            .headers()
            .get("retry-after")
            .and_then(|value| value.to_str().ok()?.parse().ok());
        Self { status: response.status(), retry_after, received: Instant::now() }
    }
}

struct Cluster {
    gateways: Vec<Gateway>,
}

impl Cluster {
    fn start(redis: &Redis, backend: &Backend, window_ms: u64, head: &str) -> Self {
        let policy = format!("{{ limit = {LIMIT}, window_ms = {window_ms} }}");
        // On a busy machine the store may take longer than a quarter of a second, and a late call is counted in vain.
        let store = format!(
            "store.url = \"{}\"\nstore.secret = {{ env = \"STORE_SECRET\" }}\nstore.ms = 10_000",
            redis.url()
        );
        let upstream = format!("upstream.url = \"{}\"", backend.url);
        let config = config(&policy, &format!("{store}\n{head}"), &upstream);
        let start = |_| {
            Gateway::try_start(&config, &[("STORE_SECRET", "of the host"), ("SENDOFF_LOG", "warn")])
        };
        Self {
            gateways: (0..PROCESSES).map(start).collect::<Result<_, _>>().expect("gateways start"),
        }
    }

    /// Makes `count` calls, each to the next gateway. Every call must be answered.
    async fn call(&self, count: usize) -> Vec<Answer> {
        let answers = self.load(count).await;
        assert_eq!(answers.len(), count);
        answers
    }

    /// Makes `count` calls over many connections, each to the next gateway, and skips gateways that accept no connection.
    /// Returns the answers of answered calls.
    fn load(&self, count: usize) -> impl Future<Output = Vec<Answer>> + Send + 'static {
        let urls: Arc<[_]> =
            self.gateways.iter().map(|gateway| gateway.url("/api/v1/nft/transfer")).collect();
        let (next, client) = (Arc::new(AtomicUsize::new(0)), client());
        let worker = move |_| {
            let (urls, next, client) = (Arc::clone(&urls), Arc::clone(&next), client.clone());
            tokio::spawn(async move {
                let mut answers = Vec::new();
                while let number @ 0.. = next.fetch_add(1, Ordering::Relaxed)
                    && number < count
                {
                    for url in urls.iter().cycle().skip(number % urls.len()).take(urls.len()) {
                        match client.post(url).bearer_auth(TOKEN).body("{}").send().await {
                            Ok(response) => {
                                answers.push(Answer::of(&response));
                                response.bytes().await.expect("a whole body");
                                break;
                            }
                            Err(error) if error.is_connect() => {}
                            // The call was sent, and its reply is lost.
                            Err(_) => break,
                        }
                    }
                }
                answers
            })
        };
        async move {
            let mut answers = Vec::new();
            for worker in (0..CONNECTIONS).map(worker).collect::<Vec<_>>() {
                answers.extend(worker.await.expect("a worker does not panic"));
            }
            answers
        }
    }
}

/// A backend that counts its calls.
struct Backend {
    url: String,
    calls: Arc<AtomicUsize>,
}

impl Backend {
    async fn start() -> Self {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let router = axum::Router::new().fallback(move || {
            counted.fetch_add(1, Ordering::Relaxed);
            async { r#"{"status":"success","data":{"orderId":"1"}}"# }
        });
        let listener =
            tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async { axum::serve(listener, router).await });
        Self { url, calls }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Waits until the backend has received this number of calls.
    async fn until(&self, calls: usize) {
        let began = Instant::now();
        while self.calls() < calls {
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "the backend does not receive the calls"
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
