//! A log that cannot be written neither delays nor ends a call.

use std::{
    fs::OpenOptions,
    io::{BufRead as _, BufReader, PipeReader, Read as _, Write as _, pipe},
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use crate::support::{
    Gateway, Launch, TOKEN,
    backend::{Backend, OK},
    client, config,
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
        let call = client().post(gateway.url("/api/v1/nft/transfer")).bearer_auth(TOKEN).body("{}");
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

fn stops(gateway: &mut Gateway) {
    gateway.terminate();
    let (succeeded, _) = gateway.ended(Duration::from_secs(5));
    assert!(succeeded, "the exit status is not 0");
}

#[tokio::test]
async fn calls_succeed_while_the_disk_is_full() {
    let backend = Backend::replying(OK);
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut gateway = launch(&backend, full.into());
    serves(&backend, &mut gateway).await;
    // A line is lost when it is written. Calls do not wait for that.
    // The two lines of the start too, if they were not written before the reader ended.
    let began = Instant::now();
    while gateway.metric(LOST).await < 21 {
        assert!(began.elapsed() < wire::PATIENCE, "21 lines are lost");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
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
    // The two lines of the start too, if they were not written before the reader ended.
    let began = Instant::now();
    while gateway.metric(LOST).await < 21 {
        assert!(began.elapsed() < wire::PATIENCE, "21 lines are lost");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    stops(&mut gateway);
}

/// Lines wait in the queue until it is full. Further lines are lost.
#[tokio::test]
async fn calls_succeed_while_the_log_is_not_read() {
    const REQUESTS: u64 = 6_000;
    let backend = Backend::replying(OK);
    let (reader, writer) = pipe().expect("a pipe");
    let mut gateway = launch(&backend, writer.into());
    let began = Instant::now();
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
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
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

#[test]
fn the_queue_is_written_before_the_process_ends() {
    let (mut reader, writer) = pipe().expect("a pipe");
    let file = config(r#""none""#, "", "");
    let mut gateway =
        Gateway::launch(&file, Launch { log: Some(writer.into()), ..Launch::default() });
    let request = "GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    assert_eq!(statuses(&wire::exchange(gateway.socket(), request)), [404]);
    stops(&mut gateway);
    let mut log = String::new();
    reader.read_to_string(&mut log).expect("text");
    let last = log.lines().last().expect("a line");
    assert!(
        log.contains("\"request\"") && last.contains("\"stopped\"") && log.ends_with('\n'),
        "{log}"
    );
}
