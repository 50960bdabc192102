//! A store of rate windows that hangs, moves, or contains invalid values.

use crate::support::{issuer::now, prelude::*};

const OTHER: &str = "other-key";

fn gateway(url: &str, limit: u32, on_loss: &str) -> Gateway {
    let head = format!("store.ms = 1_000\n{}", store(url, on_loss));
    let keys = key(OTHER, "server");
    let policy = DAILY.replace("= 5", &format!("= {limit}"));
    Gateway::start(&(config(&policy, &head, "") + &application("other", &keys)))
}

/// The status of a call that counts: 501 if it is admitted, because there is no backend.
async fn call(gateway: &Gateway, key: &str) -> u16 {
    let reply = gateway.call("POST /s2s/api/v1/wallet", &[("x-api-key", key)], "").await;
    if reply.status == 503 {
        assert_eq!(reply.header("retry-after"), Some("1"));
    }
    reply.status
}

async fn until_admitted(gateway: &Gateway) {
    until("the store is found again", async || call(gateway, SERVER_KEY).await == 501).await;
}

#[tokio::test]
async fn a_silent_connection_is_replaced() {
    let mut redis = Redis::start();
    let mut gateway = gateway(&redis.url(), 1_000, "refuse");
    assert_eq!(call(&gateway, SERVER_KEY).await, 501);
    redis.move_away();
    assert_eq!(call(&gateway, SERVER_KEY).await, 503);
    until_admitted(&gateway).await;
    assert_eq!(redis.count(), 1);
    assert_eq!(gateway.metric("sendoff_store_up").await, 1);
    // However many calls were refused, there is one line at the loss and one at the return.
    let log = gateway.stop();
    for line in ["the store of rate windows is lost", "the store of rate windows answers again"] {
        assert_eq!(log.matches(line).count(), 1, "{line}: {log}");
    }
}

/// A request that does not count starts the day's first window, however late the store reads it: it was served.
#[tokio::test]
async fn a_late_request_that_does_not_count_starts_the_window() {
    let redis = Redis::start();
    let gateway = gateway(&redis.url(), 5, "refuse");
    assert_eq!(call(&gateway, OTHER).await, 501);
    assert_eq!(redis.keys().len(), 1);
    redis.signal("STOP");
    assert_eq!(gateway.get(NETWORKS).await.status, 200);
    assert_eq!(gateway.metric("sendoff_store_up").await, 0);
    redis.signal("CONT");
    wait("the window starts", || redis.keys().len() == 2);
    assert_eq!(redis.count(), 1);
}

/// A store that hung does not count the calls that waited in it, because the gateway has refused them. One request a second tries
/// the store again. The other requests do not wait for it.
#[tokio::test]
async fn calls_after_their_deadline_are_not_counted() {
    for knows_the_clock in [true, false] {
        let redis = Redis::start();
        let gateway = gateway(&redis.url(), 5, "refuse");
        if knows_the_clock {
            assert_eq!(call(&gateway, SERVER_KEY).await, 501);
        }
        redis.signal("STOP");
        let began = Instant::now();
        let caller = async || {
            let (mut calls, mut slow) = (0, 0);
            while began.elapsed() < Duration::from_millis(3_500) {
                let sent = Instant::now();
                assert_eq!(call(&gateway, SERVER_KEY).await, 503);
                calls += 1;
                slow += usize::from(sent.elapsed() >= Duration::from_secs(1));
            }
            (calls, slow)
        };
        let ((calls, slow), (more, slower)) = tokio::join!(caller(), caller());
        let (calls, slow) = (calls + more, slow + slower);
        assert!(calls > 40 && slow <= 4, "{slow} of {calls} calls waited");
        redis.signal("CONT");
        until_admitted(&gateway).await;
        let mut admitted = 1 + usize::from(knows_the_clock);
        assert_eq!(redis.count(), admitted, "knows the clock: {knows_the_clock}");
        while call(&gateway, SERVER_KEY).await == 501 {
            admitted += 1;
        }
        assert_eq!((admitted, redis.count()), (5, 5));
    }
}

/// If the window of one application cannot be read, other applications are served.
#[tokio::test]
async fn an_invalid_window_affects_one_application() {
    let too_many = format!("{} 99999999999", now() * 1_000);
    for (on_loss, expected) in [("refuse", 503), ("local", 501)] {
        for set in [["RPUSH", "x"], ["SET", "x"], ["SET", "1 -1"], ["SET", &too_many]] {
            let redis = Redis::start();
            let mut gateway = gateway(&redis.url(), 5, on_loss);
            assert_eq!(call(&gateway, SERVER_KEY).await, 501);
            let key = redis.keys().pop().expect("a key");
            for words in [vec!["DEL", &key], vec![set[0], &key, set[1]]] {
                let done = redis::Cmd::new().arg(words).exec(&mut redis.connection());
                done.expect("it is taken");
            }
            for _ in 0..2 {
                assert_eq!(call(&gateway, SERVER_KEY).await, expected, "{set:?}");
                assert_eq!(call(&gateway, OTHER).await, 501, "{set:?}");
            }
            assert_eq!(gateway.metric("sendoff_store_up").await, 1);
            let log = gateway.stop();
            assert!(log.contains("a rate window cannot be read"), "{log}");
            assert!(!log.contains("is lost"), "{log}");
            // The script is sent once. After that, its hash is enough, also for a window that
            // cannot be read.
            assert_eq!(redis.calls("eval"), 1, "{set:?}");
        }
    }
}

/// A store that answers, but takes up each call after its deadline, as if its clock ran away. It is lost like a silent one.
#[tokio::test]
async fn a_store_that_is_always_late_is_lost() {
    let url = Backend::raw(|mut stream| {
        let reader = BufReader::new(stream.try_clone().expect("a socket"));
        let mut lines = reader.lines().map_while(Result::ok);
        // A command begins with the number of its words and the length of its name.
        while lines.by_ref().any(|line| line.starts_with('*')) {
            let (name, now) = (lines.nth(1), now() * 1_000);
            // The window is the same, and no call was granted.
            let numbers = format!("*5\r\n:2\r\n:0\r\n:{now}\r\n:{now}\r\n:0\r\n");
            let answer = if name.as_deref() == Some("EVALSHA") { &numbers } else { "+OK\r\n" };
            if stream.write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    });
    for (on_loss, status) in [("refuse", 503), ("local", 501)] {
        let mut gateway = gateway(&url.replace("http", "redis"), 5, on_loss);
        for _ in 0..3 {
            assert_eq!(call(&gateway, SERVER_KEY).await, status, "{on_loss}");
        }
        assert_eq!(gateway.metric("sendoff_store_up").await, 0);
        let log = gateway.stop();
        assert_eq!(log.matches("the store of rate windows is lost").count(), 1, "{log}");
        assert!(log.contains("after their deadline"), "{log}");
    }
}
