//! A log that cannot be written neither delays nor ends a call.

use std::{fs::OpenOptions, io::pipe};

use crate::support::prelude::*;

const LOST: &str = "sendoff_log_lines_lost_total";

fn launch(backend: &Backend, log: impl Into<Stdio>) -> Gateway {
    let file = config(&DAILY.replace("= 5", "= 20"), "", &backend.key());
    Gateway::launch(&file, Launch { stderr: Some(log.into()), ..Launch::default() })
}

/// Checks that twenty calls are carried out and the next is refused.
async fn serves(backend: &Backend, gateway: &Gateway) {
    for status in [200; 20].into_iter().chain([429]) {
        assert_eq!(gateway.post(TRANSFER).await.status, status);
    }
    for _ in 0..20 {
        backend.received();
    }
    assert!(!backend.was_called());
    assert_eq!(gateway.ask("/health").await, "alive\n");
    assert_eq!(gateway.metric("sendoff_calls_total{verdict=\"admitted\"}").await, 20);
    assert_eq!(gateway.metric("sendoff_requests_total{status=\"200\"}").await, 20);
}

#[tokio::test]
async fn calls_succeed_while_the_log_cannot_be_written() {
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let (reader, writer) = pipe().expect("a pipe");
    let probe = writer.try_clone().expect("the same pipe");
    let unread: (Stdio, _) = (writer.into(), Some((reader, probe)));
    for (log, pipe) in [(full.into(), None), unread] {
        let backend = Backend::replying(OK);
        let mut gateway = launch(&backend, log);
        if let Some((reader, mut probe)) = pipe {
            drop(reader);
            // A process that another test starts at this moment has the reader too, until it runs its program.
            wait("the pipe has no reader", || probe.write(b"\n").is_err());
        }
        serves(&backend, &gateway).await;
        // The lines of the calls, and maybe the two of the start. Calls do not wait until a line is lost.
        until("21 lines are lost", async || gateway.metric(LOST).await >= 21).await;
        assert!(gateway.metric(LOST).await <= 23, "only lines of this gateway are lost");
        gateway.stop();
    }
}

/// Lines wait in the queue until it is full. Further lines are lost.
#[tokio::test]
async fn calls_succeed_while_the_log_is_not_read() {
    let backend = Backend::replying(OK);
    let (reader, writer) = pipe().expect("a pipe");
    let mut gateway = launch(&backend, writer);
    flood(&gateway, 6_000, &format!("x-request-id: {}\r\n", "a".repeat(128)));
    serves(&backend, &gateway).await;
    let lost = gateway.metric(LOST).await;
    assert!(lost > 1_000, "{lost}");

    let read = thread::spawn(|| requests(&read_to_string(reader).expect("text")).len());
    gateway.stop();
    let written = read.join().expect("lines of JSON");
    assert_eq!(u64::try_from(written).expect("a count") + lost, 6_000 + 21);
}

/// Pipelined requests of a stranger with this header, hundred at a time.
pub(super) fn flood(gateway: &Gateway, requests: usize, header: &str) {
    let flood = format!("GET /nowhere HTTP/1.1\r\nhost: a\r\n{header}\r\n");
    let stream = wire::connect(gateway.socket());
    let mut replies = BufReader::new(stream.try_clone().expect("the same connection"));
    for _ in 0..requests / 100 {
        wire::send(&stream, flood.repeat(100));
        for _ in 0..100 {
            assert_eq!(statuses(&head(&mut replies)), [404]);
            wire::until(&mut replies, "}}");
        }
    }
}
