//! Several gateways on one Redis, in front of one backend.
#![expect(clippy::arithmetic_side_effects, clippy::expect_used, reason = "a panic is a failure of the test")]

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

/// The limit of production; its windows are shorter here, unless `SENDOFF_WINDOW_MS` says otherwise.
const LIMIT: usize = 1_500;
const PROCESSES: usize = 4;
const CONNECTIONS: usize = 32;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_1501_calls_1500_pass_and_one_is_told_when_to_come_again() {
    let (redis, backend) = (Redis::start(), Backend::start().await);
    let window_ms = std::env::var("SENDOFF_WINDOW_MS").map_or(8_000, |ms| ms.parse().expect("milliseconds"));
    let cluster = Cluster::start(&redis, &backend, window_ms, r#"on_store_loss = "refuse""#);

    let mut answers = cluster.call(LIMIT + 1).await;
    answers.sort_by_key(|answer| answer.status);
    let refusal = answers.pop().expect("1501 answers");
    assert!(answers.iter().all(|answer| answer.status == StatusCode::OK));
    assert_eq!((answers.len(), backend.calls()), (LIMIT, LIMIT));
    assert_eq!(refusal.status, StatusCode::TOO_MANY_REQUESTS);
    let seconds = refusal.retry_after.expect("a refusal says when to come again");
    assert!((1..=window_ms.div_ceil(1_000)).contains(&seconds), "{seconds}");

    // Each of the four knows by now, or finds out; nobody lets anybody through.
    assert!(cluster.call(2 * PROCESSES).await.iter().all(|answer| answer.status == StatusCode::TOO_MANY_REQUESTS));
    tokio::time::sleep_until((refusal.came + Duration::from_secs(seconds)).into()).await;
    assert_eq!(cluster.call(1).await[0].status, StatusCode::OK, "after exactly {seconds} s");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_pass_no_more_than_the_limit() {
    let (redis, backend) = (Redis::start(), Backend::start().await);
    let head = "on_store_loss = \"refuse\"\nlease = 40";
    let cluster = Cluster::start(&redis, &backend, 600_000, head);
    let answers = cluster.call(LIMIT + 400).await;
    let passed = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(passed, backend.calls());
    // What a process took and did not spend is lost to the others.
    assert!((LIMIT - PROCESSES * 40..=LIMIT).contains(&passed), "{passed}");
    assert_eq!(redis.count(), LIMIT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_is_stopped_under_load_loses_no_call() {
    let (redis, backend) = (Redis::start(), Backend::start().await);
    let mut cluster = Cluster::start(&redis, &backend, 600_000, r#"on_store_loss = "refuse""#);
    let load = tokio::spawn(cluster.load(1_200));
    backend.has_had(300).await;
    cluster.gateways[0].terminate();
    let answers = load.await.expect("the load does not panic");
    let (is_well, log) = cluster.gateways[0].ended(Duration::from_secs(20));
    assert!(is_well, "{log}");
    // Whatever was let in was answered: the caller has its answer to each call that was counted and sent on. Who connects
    // in the moment in which the listener closes is turned away by the system, and nothing was done for them.
    let passed = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!((passed, passed), (backend.calls(), redis.count()));
    assert!((1_200 - CONNECTIONS..=1_200).contains(&passed), "{passed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_is_killed_under_load_lets_nobody_pass_beyond_the_limit() {
    let (redis, backend) = (Redis::start(), Backend::start().await);
    let mut cluster = Cluster::start(&redis, &backend, 600_000, r#"on_store_loss = "refuse""#);
    let load = tokio::spawn(cluster.load(LIMIT + 300));
    backend.has_had(400).await;
    cluster.gateways[0].kill();
    let answers = load.await.expect("the load does not panic");
    let passed = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(redis.count(), LIMIT);
    assert!(backend.calls() <= LIMIT, "{}", backend.calls());
    // What was on its way through the one that was killed is lost, and nothing else.
    assert!((LIMIT - CONNECTIONS..=LIMIT).contains(&passed), "{passed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_store_it_goes_on_as_it_was_told() {
    for (on_loss, lost) in [("local", StatusCode::OK), ("refuse", StatusCode::SERVICE_UNAVAILABLE)] {
        let (mut redis, backend) = (Redis::start(), Backend::start().await);
        let head = format!("on_store_loss = \"{on_loss}\"");
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
        while cluster.call(PROCESSES).await.iter().any(|answer| answer.status != StatusCode::OK) || redis.count() == 0 {
            assert!(began.elapsed() < Duration::from_secs(10), "the store is not found again");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// What a caller got.
struct Answer {
    status: StatusCode,
    retry_after: Option<u64>,
    came: Instant,
}

impl Answer {
    fn of(response: &Response) -> Self {
        let retry_after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
        Self { status: response.status(), retry_after, came: Instant::now() }
    }
}

struct Cluster {
    gateways: Vec<Gateway>,
}

impl Cluster {
    fn start(redis: &Redis, backend: &Backend, window_ms: u64, head: &str) -> Self {
        let policy = format!("{{ limit = {LIMIT}, window_ms = {window_ms} }}");
        let store = format!("store = \"{}\"\nstore_secret = {{ env = \"STORE_SECRET\" }}", redis.url());
        let upstream = format!("upstream = \"{}\"", backend.url);
        let config = config(&policy, &format!("{store}\n{head}"), &upstream);
        let start = |_| Gateway::try_start(&config, &[("STORE_SECRET", "of the host"), ("SENDOFF_LOG", "warn")]);
        Self { gateways: (0..PROCESSES).map(start).collect::<Result<_, _>>().expect("gateways start") }
    }

    /// So many calls through all gateways in turn; each must be answered.
    async fn call(&self, count: usize) -> Vec<Answer> {
        let answers = self.load(count).await;
        assert_eq!(answers.len(), count);
        answers
    }

    /// So many calls over many connections, each through the next gateway; one that takes no connection is passed over.
    /// Answers are for the calls that had any.
    fn load(&self, count: usize) -> impl Future<Output = Vec<Answer>> + Send + 'static {
        let urls: Arc<[_]> = self.gateways.iter().map(|gateway| gateway.url("/api/v1/nft/transfer")).collect();
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
                            // It was taken, and its answer is lost.
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
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async { axum::serve(listener, router).await });
        Self { url, calls }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    async fn has_had(&self, calls: usize) {
        let began = Instant::now();
        while self.calls() < calls {
            assert!(began.elapsed() < Duration::from_secs(20), "the load does not come through");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
