//! Several gateways that share one store.
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

use load::{ADMITTED, Front, REFUSED};
use support::prelude::*;

/// The limit of production. Windows are shorter than in production, unless `SENDOFF_WINDOW_MS` is set.
const LIMIT: usize = 1_500;
const PROCESSES: usize = 4;
const CALLERS: usize = 32;

/// Gateways whose store may take long: on a busy machine a late call would be counted in vain.
fn start(redis: &Redis, window_ms: u64, more: &str) -> Front {
    let policy = format!("{{ limit = {LIMIT}, windowMs = {window_ms} }}");
    Front::start(&redis.url(), PROCESSES, &policy, &format!("store.ms = 10_000\n{more}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_1501_calls_1500_pass_and_one_gets_retry_after() {
    let redis = Redis::start();
    let window_ms =
        std::env::var("SENDOFF_WINDOW_MS").map_or(15_000, |ms| ms.parse().expect("milliseconds"));
    let front = start(&redis, window_ms, "");
    let answers = front.calls(CALLERS, LIMIT + 1).await;
    assert_eq!((answers.count(0, ADMITTED), answers.count(0, REFUSED)), (LIMIT, 1));
    assert_eq!(redis.count(), LIMIT);
    let refusal = answers.of(0).find(|answer| answer.status == REFUSED).expect("one");
    let seconds = refusal.retry_after.expect("retry-after");
    assert!((1..=window_ms.div_ceil(1_000)).contains(&seconds), "{seconds}");

    // All four gateways refuse further calls.
    let further = front.calls(CALLERS, 2 * PROCESSES).await;
    assert_eq!(further.count(0, REFUSED), 2 * PROCESSES);
    tokio::time::sleep_until((refusal.came + Duration::from_secs(seconds)).into()).await;
    assert_eq!(front.call(0, 0).await.status, ADMITTED, "after exactly {seconds} s");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_pass_no_more_than_the_limit() {
    let redis = Redis::start();
    let front = start(&redis, 600_000, "store.lease = 40");
    let passed = front.calls(CALLERS, LIMIT + 400).await.count(0, ADMITTED);
    // Calls that a process leased and did not use are lost for the others.
    assert!((LIMIT - PROCESSES * 40..=LIMIT).contains(&passed), "{passed}");
    assert_eq!(redis.count(), LIMIT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_is_killed_under_load_does_not_exceed_the_limit() {
    let redis = Redis::start();
    let front = start(&redis, 600_000, "");
    let kill = async {
        until("400 calls are counted", async || redis.count() >= 400).await;
        front.gateways[0].process.signal("KILL");
    };
    let (answers, ()) = tokio::join!(front.calls(CALLERS, LIMIT + 300), kill);
    let passed = answers.count(0, ADMITTED);
    assert_eq!(redis.count(), LIMIT);
    // Only calls that ran in the killed gateway are lost.
    assert!((LIMIT - CALLERS..=LIMIT).contains(&passed), "{passed}");
}
