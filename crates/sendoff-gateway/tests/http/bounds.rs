//! Limits on bodies and heads: too long, too slow, or absent.

use std::{
    io::{ErrorKind, Write as _},
    thread,
    time::{Duration, Instant},
};

use crate::support::{
    Gateway,
    backend::{Backend, OK},
    config,
    wire::{self, connect, exchange, rest, statuses},
};

/// The head of a request with a body of JSON.
fn post(path: &str, framing: &str) -> String {
    wire::post(path, &format!("content-type: application/json\r\n{framing}"))
}

const ESTIMATE: &str = "/api/oc/v1/estimate";
const TRANSFER: &str = "/api/v1/nft/transfer";

#[test]
fn bodies_that_are_long_or_stall_or_break_off_are_refused() {
    const LONG: (u16, &str) = (413, "expected a body of at most 100 bytes, found a longer one");
    const STALLED: (u16, &str) = (408, "expected a whole body, found one that stalled");
    const BROKEN: (u16, &str) = (400, "expected a whole body, found one that broke off");
    let backend = Backend::raw(|mut stream| drop(rest(&mut stream)));
    let head = "bounds.body_bytes = 100\nbounds.body_ms = 200";
    let gateway = Gateway::in_front_of(&backend, head);
    let chunked = "transfer-encoding: chunked";
    let chunks = format!("32\r\n{}\r\n", "a".repeat(0x32)).repeat(2);
    for path in [ESTIMATE, TRANSFER] {
        for ((status, message), framing, body) in [
            (LONG, "content-length: 101", "a".repeat(101)),
            // The length in the head is enough.
            (LONG, "content-length: 101", String::new()),
            (LONG, "content-length: 9223372036854775807", String::new()),
            (LONG, chunked, format!("{chunks}1\r\na\r\n0\r\n\r\n")),
            (LONG, chunked, format!("{chunks}1\r\na\r\n")),
            (LONG, chunked, format!("65\r\n{}\r\n", "a".repeat(101))),
            (STALLED, "content-length: 2", String::new()),
            (STALLED, "content-length: 2", "{".into()),
            (STALLED, chunked, String::new()),
            (STALLED, chunked, "1\r\n{\r\n".into()),
            (STALLED, chunked, "1\r\n{\r\n0\r\n".into()),
            (BROKEN, chunked, "zz\r\n".into()),
            (BROKEN, chunked, "1\r\nab\r\n".into()),
            (BROKEN, chunked, "fffffffffffffffff\r\na".into()),
        ] {
            let reply = exchange(gateway.socket(), post(path, framing) + &body);
            assert_eq!(wire::refused(&reply, status), message, "{path} {framing} {body}");
        }
        let mut stream = connect(gateway.socket());
        wire::send(&stream, post(path, "content-length: 2") + "{");
        stream.shutdown(std::net::Shutdown::Write).expect("it is open");
        let reply = rest(&mut stream);
        assert!(reply.is_empty() || wire::refused(&reply, BROKEN.0) == BROKEN.1, "{reply}");
    }
    // A body at the limit is read. It is not JSON.
    for (framing, body) in
        [("content-length: 100", "a".repeat(100)), (chunked, format!("{chunks}0\r\n\r\n"))]
    {
        let closing = format!("{framing}\r\nconnection: close");
        let reply = exchange(gateway.socket(), post(ESTIMATE, &closing) + &body);
        assert_eq!(statuses(&reply), [400], "{reply}");
        assert!(reply.contains("syntax"), "{reply}");
    }
}

/// The connection ends without a head, after half a head, with invalid HTTP, and without a second request. Each end is counted.
#[tokio::test]
async fn heads_that_stall() {
    let gateway = Gateway::start(&config(r#""none""#, "bounds.head_ms = 200", ""));
    let stalled = [
        "",
        "P",
        "PRI * HTTP/2.0\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /api/v1/portfolio",
        "GET /api/v1/portfolio HTTP/1.1\r\nhost: a\r\nauthorization: Bearer de",
    ];
    for begun in stalled {
        let mut stream = connect(gateway.socket());
        wire::send(&stream, begun);
        // HTTP/2 sends a reason.
        let mut end = Vec::new();
        let ended = std::io::Read::read_to_end(&mut stream, &mut end).map_err(|error| error.kind());
        assert!(matches!(ended, Ok(_) | Err(ErrorKind::ConnectionReset)), "{ended:?}");
        assert!(end.is_empty() || begun.ends_with("SM\r\n\r\n"), "{begun}: {end:?}");
    }
    assert_eq!(statuses(&exchange(gateway.socket(), "GARBAGE\r\n\r\n")), [400]);
    let ended = |reason: &str| format!("sendoff_connections_ended_total{{reason=\"{reason}\"}}");
    gateway.until(&ended("malformed"), 1).await;
    gateway.until(&ended("head"), 6).await;
    let mut idle = connect(gateway.socket());
    wire::send(&idle, wire::get("/api/v1/portfolio", "a: b"));
    assert_eq!(statuses(&rest(&mut idle)), [501], "the connection ends after the reply");
}

/// As slow as it may be, and slower than the backend may answer: the backend is not blamed for the time that a caller takes.
#[test]
fn a_slow_body_is_not_the_backends_fault() {
    let backend = Backend::replying(OK);
    let file = config(
        r#""none""#,
        "bounds.body_ms = 5000",
        &format!("upstream.url = \"{}\"\nupstream.ms = 300", backend.url),
    );
    let gateway = Gateway::start(&file);
    for framing in ["content-length: 15", "transfer-encoding: chunked"] {
        let mut stream = connect(gateway.socket());
        let framing_and_end = format!("{framing}\r\nconnection: close");
        wire::send(&stream, post(TRANSFER, &framing_and_end));
        for number in 0..15 {
            // One pause is longer than the backend may take.
            thread::sleep(Duration::from_millis(if number == 7 { 600 } else { 100 }));
            let part = if framing.ends_with("chunked") { "1\r\na\r\n" } else { "a" };
            let end = if framing.ends_with("chunked") && number == 14 { "0\r\n\r\n" } else { "" };
            wire::send(&stream, format!("{part}{end}"));
        }
        let reply = rest(&mut stream);
        assert_eq!(statuses(&reply), [200], "{framing}: {reply}");
        assert_eq!(backend.received().body, [b'a'; 15]);
    }
}

/// A backend that does not reply, or does not even read the body, is late.
#[test]
fn a_slow_backend_is_504() {
    let silent = Backend::raw(|mut stream| drop(rest(&mut stream)));
    let deaf = Backend::raw(|stream| {
        thread::sleep(Duration::from_secs(5));
        drop(stream);
    });
    for (url, length) in [(&silent, 2), (&deaf, 2), (&deaf, 1 << 20)] {
        let environment = format!("upstream.url = \"{url}\"\nupstream.ms = 300");
        let gateway = Gateway::start(&config(r#""none""#, "bounds.body_ms = 2000", &environment));
        let mut stream = connect(gateway.socket());
        let body = "a".repeat(length);
        let request =
            post(TRANSFER, &format!("content-length: {length}\r\nconnection: close")) + &body;
        let began = Instant::now();
        wire::send(&stream, request);
        let reply = rest(&mut stream);
        assert_eq!(statuses(&reply), [504], "{reply}");
        assert!(began.elapsed() < Duration::from_millis(1_900), "{:?}", began.elapsed());
    }
}

/// A body that neither stalls nor ends is refused after `bounds.body_total_ms`, and counted.
#[tokio::test]
async fn endless_bodies_are_408() {
    let backend = Backend::raw(|mut stream| drop(rest(&mut stream)));
    let head = "bounds.body_ms = 300\nbounds.body_total_ms = 600";
    let mut gateway = Gateway::in_front_of(&backend, head);
    for (path, operation) in [(ESTIMATE, "estimate"), (TRANSFER, "transferNft")] {
        let mut stream = connect(gateway.socket());
        wire::send(&stream, post(path, "content-length: 1000"));
        let mut drops = stream.try_clone().expect("a socket has two ends");
        let dripping = thread::spawn(move || {
            while drops.write_all(b"a").is_ok() {
                thread::sleep(Duration::from_millis(50))
            }
        });
        let began = Instant::now();
        let reply = rest(&mut stream);
        assert_eq!(
            wire::refused(&reply, 408),
            "expected a whole body, found one that took too long"
        );
        assert!((600..2_000).contains(&began.elapsed().as_millis()), "{:?}", began.elapsed());
        dripping.join().expect("no panic");
        let counted = format!("sendoff_requests_total{{operation=\"{operation}\",status=\"408\"}}");
        assert_eq!(gateway.metric(&counted).await, 1);
    }
    let log = gateway.stop();
    assert_eq!(log.matches(r#""status":408"#).count(), 2, "{log}");
}
