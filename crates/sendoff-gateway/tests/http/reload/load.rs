//! Calls during reloads.

use std::{
    collections::HashSet,
    fs,
    io::{Read as _, Write as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use super::{COUNTED, FIELDS, NETWORKS, application, limited, secret};
use crate::support::{
    Gateway, TOKEN, config,
    redis::Redis,
    wire::{self, connect},
};

/// Callers whose connections stay open.
const CALLERS: usize = 8;

/// Every call is answered on the connection that it was sent on, and is counted once.
#[tokio::test]
async fn five_hundred_calls_during_ten_reloads() {
    calls_during_reloads(504, 10, "").await;
}

/// The same, for longer, and with windows in a store.
#[tokio::test]
#[ignore = "half a minute: `cargo xtask test --all` runs it"]
async fn ten_thousand_calls_during_a_hundred_reloads() {
    calls_during_reloads(10_000, 100, "").await;
    let redis = Redis::start();
    let store = format!(
        "store = \"{}\"\nstore_secret = {{ env = \"S\" }}\non_store_loss = \"refuse\"",
        redis.url()
    );
    calls_during_reloads(10_000, 100, &store).await;
}

async fn calls_during_reloads(calls: usize, reloads: usize, head: &str) {
    let limit = u32::try_from(calls).expect("a number");
    let added = application("game", &secret("game-key", "game-key"));
    let files: Vec<_> = (0..reloads)
        .map(|number| {
            let game = added.replace("\"game\"", &format!("\"game-{number}\""));
            // The limit changes too: the windows are taken over each time.
            let more = u32::try_from(number).expect("a number");
            config(&limited(limit + more), head, FIELDS) + &game
        })
        .collect();
    let gateway = Gateway::start_with(&config(&limited(limit), head, FIELDS), &[("S", "secret")]);

    let is_over = Arc::new(AtomicBool::new(false));
    let callers: Vec<_> = (0..CALLERS)
        .map(|_| {
            let (address, is_over) = (gateway.socket().to_owned(), Arc::clone(&is_over));
            thread::spawn(move || call(&address, calls / CALLERS, &is_over))
        })
        .collect();
    for file in &files {
        assert!(gateway.reload(file).await);
    }
    is_over.store(true, Ordering::Relaxed);
    let used: Vec<_> =
        callers.into_iter().flat_map(|caller| caller.join().expect("no call is lost")).collect();

    // Each call was counted once.
    assert_eq!((used.len(), used.iter().collect::<HashSet<_>>().len()), (calls, calls));
    assert_eq!(used.iter().max().copied(), Some(calls));
    let admitted = gateway.metric("sendoff_calls_total{verdict=\"admitted\"}").await;
    let (succeeded, failed) = gateway.reloads().await;
    assert_eq!((admitted, failed), (u64::from(limit), 0));
    assert_eq!(usize::try_from(succeeded), Ok(reloads));
    drop(fs::remove_file(&gateway.file));
}

/// Calls on one connection until enough were answered and no reload follows. Returns the number of the counted calls so far, after
/// each of its counted calls.
fn call(address: &str, calls: usize, is_over: &AtomicBool) -> Vec<usize> {
    let mut stream = connect(address);
    let mut used = Vec::new();
    while used.len() < calls || !is_over.load(Ordering::Relaxed) {
        let is_counted = used.len() < calls;
        let (line, end) = if is_counted {
            (format!("POST {COUNTED}"), "}}")
        } else {
            (format!("GET {NETWORKS}"), "}]}}")
        };
        let head = format!(
            "{line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: 0\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("the connection is open");
        let reply = reply(&mut stream, end);
        if is_counted {
            assert!(reply.starts_with("HTTP/1.1 501 "), "{reply}");
            let policy = wire::header(&reply, "ratelimit-policy").expect("fields");
            let fields = wire::header(&reply, "ratelimit").expect("fields");
            used.push(number(policy, "q=") - number(fields, "r="));
        } else {
            assert!(reply.starts_with("HTTP/1.1 200 "), "{reply}");
            thread::sleep(Duration::from_millis(1));
        }
    }
    used
}

fn reply(stream: &mut std::net::TcpStream, end: &str) -> String {
    let mut reply = Vec::new();
    while !reply.ends_with(end.as_bytes()) {
        let mut part = [0; 4096];
        let length = stream.read(&mut part).expect("the connection is open");
        assert!(length > 0, "the connection ended after {:?}", String::from_utf8_lossy(&reply));
        reply.extend_from_slice(&part[..length]);
    }
    String::from_utf8(reply).expect("text")
}

/// The number behind a key of a structured field.
fn number(field: &str, key: &str) -> usize {
    let (_, rest) = field.split_once(key).expect("the key");
    rest.split(';').next().and_then(|digits| digits.parse().ok()).expect("a number")
}
