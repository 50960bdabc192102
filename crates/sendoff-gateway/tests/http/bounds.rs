//! Limits on bodies and heads: too long, too slow, or absent.

use crate::support::{prelude::*, wire::open};

/// The head of a request with a body of JSON.
fn post(path: &str, framing: &str) -> String {
    wire::post(path, &format!("content-type: application/json\r\n{framing}"))
}

#[test]
fn bodies_that_are_long_or_stall_or_break_off_are_refused() {
    const LONG: (u16, &str) = (413, "expected a body of at most 100 bytes, found a longer one");
    const STALLED: (u16, &str) = (408, "expected a whole body, found one that stalled");
    const BROKEN: (u16, &str) = (400, "expected a whole body, found one that broke off");
    let head = "bounds.body_bytes = 100\nbounds.body_ms = 200";
    let gateway = Gateway::in_front_of(&Backend::silent(), head);
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
            let reply = exchange(&gateway, post(path, framing) + &body);
            assert_eq!(wire::refused(&reply, status), message, "{path} {framing} {body}");
        }
        let mut stream = open(&gateway, post(path, "content-length: 2") + "{");
        stream.shutdown(Shutdown::Write).expect("it is open");
        let reply = rest(&mut stream);
        assert!(reply.is_empty() || wire::refused(&reply, BROKEN.0) == BROKEN.1, "{reply}");
    }
    // A body at the limit is read. It is not JSON.
    for (framing, body) in
        [("content-length: 100", "a".repeat(100)), (chunked, format!("{chunks}0\r\n\r\n"))]
    {
        let head = post(ESTIMATE, &format!("{framing}\r\nconnection: close"));
        let reply = exchange(&gateway, head + &body);
        assert!(statuses(&reply) == [400] && reply.contains("syntax"), "{reply}");
    }
}

/// The connection ends without a head, after half a head, with invalid HTTP, and without a second request. Each end is counted.
#[tokio::test]
async fn heads_that_stall() {
    let gateway = Gateway::plain("bounds.head_ms = 200", "");
    for begun in [
        "",
        "P",
        "PRI * HTTP/2.0\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /api/v1/portfolio",
        "GET /api/v1/portfolio HTTP/1.1\r\nhost: a\r\nauthorization: Bearer de",
    ] {
        // HTTP/2 sends a reason.
        let mut end = Vec::new();
        let ended = open(&gateway, begun).read_to_end(&mut end).map_err(|error| error.kind());
        assert!(matches!(ended, Ok(_) | Err(ErrorKind::ConnectionReset)), "{ended:?}");
        assert!(end.is_empty() || begun.ends_with("SM\r\n\r\n"), "{begun}: {end:?}");
    }
    // hyper answers what is no HTTP, without an envelope.
    for (malformed, status) in [
        ("GARBAGE\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\na b: c\r\n\r\n", 400),
        (&format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(200)), 431),
    ] {
        let reply = exchange(&gateway, malformed);
        assert!(statuses(&reply) == [status] && reply.ends_with("\r\n\r\n"), "{reply}");
    }
    let ended = |reason: &str| format!("sendoff_connections_ended_total{{reason=\"{reason}\"}}");
    gateway.until(&ended("malformed"), 3).await;
    gateway.until(&ended("head"), 6).await;
    let idle = exchange(&gateway, wire::get("/api/v1/portfolio", "a: b"));
    assert_eq!(statuses(&idle), [501], "the connection ends after the reply");
}

/// As slow as it may be, and slower than the backend may answer: the backend is not blamed for the time that a caller takes.
#[test]
fn a_slow_body_is_not_the_backends_fault() {
    let backend = Backend::replying(OK);
    let environment = format!("{}\nupstream.ms = 300", backend.key());
    let gateway = Gateway::plain("bounds.body_ms = 5000", &environment);
    for (framing, part, end) in
        [("content-length: 15", "a", ""), ("transfer-encoding: chunked", "1\r\na\r\n", "0\r\n\r\n")]
    {
        let head = post(TRANSFER, &format!("{framing}\r\nconnection: close"));
        let mut stream = open(&gateway, head);
        for number in 0..15 {
            // One pause is longer than the backend may take.
            thread::sleep(Duration::from_millis(if number == 7 { 600 } else { 20 }));
            wire::send(&stream, part);
        }
        wire::send(&stream, end);
        let reply = rest(&mut stream);
        assert_eq!(statuses(&reply), [200], "{framing}: {reply}");
        assert_eq!(backend.received().body, [b'a'; 15]);
    }
}

/// A body that neither stalls nor ends is refused after `bounds.body_total_ms`, and counted.
#[tokio::test]
async fn endless_bodies_are_408() {
    let head = "bounds.body_ms = 2000\nbounds.body_total_ms = 600";
    let mut gateway = Gateway::in_front_of(&Backend::silent(), head);
    for (path, operation) in [(ESTIMATE, "estimate"), (TRANSFER, "transferNft")] {
        let began = Instant::now();
        let mut stream = open(&gateway, post(path, "content-length: 100000"));
        let mut drops = stream.try_clone().expect("a socket has two ends");
        let dripping = thread::spawn(move || {
            while drops.write_all(b"a").is_ok() {
                thread::sleep(Duration::from_millis(50))
            }
        });
        let message = wire::refused(&rest(&mut stream), 408);
        assert_eq!(message, "expected a whole body, found one that took too long");
        assert!(began.elapsed() >= Duration::from_millis(600), "{:?}", began.elapsed());
        dripping.join().expect("no panic");
        let counted = format!("sendoff_requests_total{{operation=\"{operation}\",status=\"408\"}}");
        gateway.until(&counted, 1).await;
    }
    let log = gateway.stop();
    assert_eq!(log.matches(r#""status":408"#).count(), 2, "{log}");
}
