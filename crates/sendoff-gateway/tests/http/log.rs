//! A log that cannot be written neither delays nor ends a call.

use std::{
    fs::OpenOptions,
    io::{BufRead as _, BufReader, PipeReader, Write as _, pipe},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use crate::support::{
    Gateway, Launch,
    backend::{Backend, OK},
    config,
    reply::Reply,
    wire::{self, connect, statuses},
};

const LOST: &str = "sendoff_log_lines_lost_total";

fn launch(backend: &Backend, log: Stdio) -> Gateway {
    let policy = r#"{ limit = 20, window_ms = 86_400_000, midnight = "carry" }"#;
    let file = config(policy, "", &format!("upstream.url = \"{}\"", backend.url));
    Gateway::launch(&file, Launch { log: Some(log), ..Launch::default() })
}

/// Checks that twenty calls are carried out and the next is refused.
async fn serves(backend: &Backend, gateway: &mut Gateway) {
    for status in [200; 20].into_iter().chain([429]) {
        let call = gateway.post("/api/v1/nft/transfer").body("{}");
        assert_eq!(Reply::to(call).await.status, status);
    }
    for _ in 0..20 {
        backend.received();
    }
    assert!(!backend.was_called());
    assert_eq!(gateway.ask("/health").await, "alive\n");
    assert_eq!(gateway.metric("sendoff_calls_total{verdict=\"admitted\"}").await, 20);
    assert_eq!(gateway.metric("sendoff_requests_total{status=\"200\"}").await, 20);
}

/// Waits until the lines of the calls are lost, and maybe the two of the start. A line is lost when it is written, for which calls
/// do not wait.
async fn are_lost(gateway: &Gateway) {
    let began = Instant::now();
    while gateway.metric(LOST).await < 21 {
        assert!(began.elapsed() < wire::PATIENCE, "21 lines are lost");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn stops(gateway: &mut Gateway) {
    gateway.terminate();
    let (succeeded, _) = gateway.ended(wire::PATIENCE);
    assert!(succeeded, "the exit status is not 0");
}

#[tokio::test]
async fn calls_succeed_while_the_disk_is_full() {
    let backend = Backend::replying(OK);
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut gateway = launch(&backend, full.into());
    serves(&backend, &mut gateway).await;
    are_lost(&gateway).await;
    assert!(gateway.metric(LOST).await <= 23, "only lines of this gateway are lost");
    stops(&mut gateway);
}

#[tokio::test]
async fn calls_succeed_after_the_reader_of_the_log_ended() {
    let backend = Backend::replying(OK);
    let (reader, writer) = pipe().expect("a pipe");
    let mut probe = writer.try_clone().expect("the same pipe");
    let mut gateway = launch(&backend, writer.into());
    drop(reader);
    // A process that another test starts at this moment has the reader too, until it runs its program.
    let began = Instant::now();
    while probe.write(b"\n").is_ok() {
        assert!(began.elapsed() < wire::PATIENCE, "the pipe has a reader");
        thread::sleep(Duration::from_millis(5));
    }
    serves(&backend, &mut gateway).await;
    are_lost(&gateway).await;
    stops(&mut gateway);
}

/// Lines wait in the queue until it is full. Further lines are lost.
#[tokio::test]
async fn calls_succeed_while_the_log_is_not_read() {
    const REQUESTS: u64 = 6_000;
    let backend = Backend::replying(OK);
    let (reader, writer) = pipe().expect("a pipe");
    let mut gateway = launch(&backend, writer.into());
    let flood =
        format!("GET /nowhere HTTP/1.1\r\nhost: a\r\nx-request-id: {}\r\n\r\n", "a".repeat(128));
    let stream = connect(gateway.socket());
    let mut replies = BufReader::new(stream.try_clone().expect("the same connection"));
    for _ in 0..REQUESTS / 100 {
        wire::send(&stream, flood.repeat(100));
        for _ in 0..100 {
            assert_eq!(statuses(&wire::head(&mut replies)), [404]);
            wire::until(&mut replies, "}}");
        }
    }
    serves(&backend, &mut gateway).await;
    let lost = gateway.metric(LOST).await;
    assert!(lost > 1_000, "{lost}");

    let read = thread::spawn(move || read_whole_lines(reader));
    stops(&mut gateway);
    assert_eq!(read.join().expect("lines of JSON") + lost, REQUESTS + 21);
}

/// The number of lines about requests.
fn read_whole_lines(reader: PipeReader) -> u64 {
    let mut requests = 0;
    for line in BufReader::new(reader).lines() {
        let line: serde_json::Value = serde_json::from_str(&line.expect("text")).expect("JSON");
        requests += u64::from(line["message"] == "request");
    }
    requests
}
