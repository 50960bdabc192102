//! Limits on bodies and heads: too long, too slow, or absent.

use std::{
    io::{ErrorKind, Write as _},
    thread,
    time::{Duration, Instant},
};

use crate::support::{
    Gateway, TOKEN,
    backend::Backend,
    config,
    reply::envelope,
    wire::{connect, exchange, head, header, rest, statuses},
};

/// The head of a request with a body.
fn post(path: &str, framing: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\ncontent-type: application/json\r\n{framing}\r\n\r\n"
    )
}

const ESTIMATE: &str = "/api/oc/v1/estimate";
const TRANSFER: &str = "/api/v1/nft/transfer";

fn refused(reply: &str, status: u16) -> String {
    assert_eq!(statuses(reply), [status], "{reply}");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    envelope(body, status, None, header(head, "x-request-id").expect("x-request-id"))
}

#[test]
fn bodies_above_the_limit_are_413() {
    let backend = Backend::raw(|mut stream| drop(rest(&mut stream)));
    let file = config(
        r#""none""#,
        "body_bytes = 100\nhead_ms = 100\nbody_ms = 100",
        &format!("upstream = \"{backend}\""),
    );
    let gateway = Gateway::start(&file);
    let chunks = format!("32\r\n{}\r\n", "a".repeat(0x32)).repeat(2);
    for path in [ESTIMATE, TRANSFER] {
        for (framing, body) in [
            ("content-length: 101", "a".repeat(101)),
            // The length in the head is enough.
            ("content-length: 101", String::new()),
            ("content-length: 9223372036854775807", String::new()),
            ("transfer-encoding: chunked", format!("{chunks}1\r\na\r\n0\r\n\r\n")),
            ("transfer-encoding: chunked", format!("{chunks}1\r\na\r\n")),
            ("transfer-encoding: chunked", format!("65\r\n{}\r\n", "a".repeat(101))),
        ] {
            let reply = exchange(gateway.socket(), post(path, framing) + &body);
            assert_eq!(
                refused(&reply, 413),
                "expected a body within the limit of this server, found a longer one",
                "{framing}"
            );
        }
    }
    // A body at the limit is read. It is not JSON.
    for (framing, body) in [
        ("content-length: 100", "a".repeat(100)),
        ("transfer-encoding: chunked", format!("{chunks}0\r\n\r\n")),
    ] {
        let reply = exchange(gateway.socket(), post(ESTIMATE, framing) + &body);
        assert_eq!(statuses(&reply), [400], "{reply}");
        assert!(reply.contains("syntax"), "{reply}");
    }
}

#[test]
fn bodies_that_stall_are_408() {
    let backend = Backend::raw(|mut stream| drop(rest(&mut stream)));
    let gateway =
        Gateway::start(&config(r#""none""#, "body_ms = 100", &format!("upstream = \"{backend}\"")));
    for path in [ESTIMATE, TRANSFER] {
        for (framing, body) in [
            ("content-length: 2", ""),
            ("content-length: 2", "{"),
            ("transfer-encoding: chunked", ""),
            ("transfer-encoding: chunked", "1\r\n{\r\n"),
            ("transfer-encoding: chunked", "1\r\n{\r\n0\r\n"),
        ] {
            let reply = exchange(gateway.socket(), post(path, framing) + body);
            assert_eq!(
                refused(&reply, 408),
                "expected a whole body, found one that stalled",
                "{path} {framing} {body}"
            );
        }
    }
}

#[test]
fn bodies_that_contradict_their_head_are_400() {
    let backend = Backend::raw(|mut stream| drop(rest(&mut stream)));
    let gateway = Gateway::start(&config(r#""none""#, "", &format!("upstream = \"{backend}\"")));
    for path in [ESTIMATE, TRANSFER] {
        for (framing, body) in [
            ("transfer-encoding: chunked", "zz\r\n"),
            ("transfer-encoding: chunked", "1\r\nab\r\n"),
            ("transfer-encoding: chunked", "fffffffffffffffff\r\na"),
        ] {
            let reply = exchange(gateway.socket(), post(path, framing) + body);
            assert_eq!(
                refused(&reply, 400),
                "expected a whole body, found one that broke off",
                "{path} {body}"
            );
        }
        let mut stream = connect(gateway.socket());
        stream
            .write_all((post(path, "content-length: 2") + "{").as_bytes())
            .expect("the bytes are written");
        stream.shutdown(std::net::Shutdown::Write).expect("it is open");
        let reply = rest(&mut stream);
        assert!(
            reply.is_empty() || refused(&reply, 400).ends_with("found one that broke off"),
            "{reply}"
        );
    }
}

/// The connection ends without a head, after half a head, and without a second request.
#[test]
fn heads_that_stall() {
    let gateway = Gateway::start(&config(r#""none""#, "head_ms = 200", ""));
    for begun in [
        "",
        "P",
        "PRI * HTTP/2.0\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "GET /api/v1/portfolio",
        "GET /api/v1/portfolio HTTP/1.1\r\nhost: a\r\nauthorization: Bearer de",
    ] {
        let mut stream = connect(gateway.socket());
        stream.write_all(begun.as_bytes()).expect("the bytes are written");
        // HTTP/2 sends a reason.
        let mut end = Vec::new();
        let ended = std::io::Read::read_to_end(&mut stream, &mut end).map_err(|error| error.kind());
        assert!(matches!(ended, Ok(_) | Err(ErrorKind::ConnectionReset)), "{ended:?}");
        assert!(end.is_empty() || begun.ends_with("SM\r\n\r\n"), "{begun}: {end:?}");
    }
    let mut idle = connect(gateway.socket());
    write!(idle, "GET /api/v1/portfolio HTTP/1.1\r\nhost: a\r\n\r\n")
        .expect("the bytes are written");
    assert_eq!(statuses(&rest(&mut idle)), [401], "the connection ends after the reply");
}

/// Silent connections do not prevent other connections.
#[test]
fn two_hundred_silent_connections_are_harmless() {
    let gateway = Gateway::start(&config(r#""none""#, "head_ms = 400", ""));
    let idle: Vec<_> = (0..200).map(|_| connect(gateway.socket())).collect();
    let get = "GET /api/v1/supported/networks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer demo-token\r\nconnection: close\r\n\r\n";
    assert_eq!(statuses(&exchange(gateway.socket(), get)), [200]);
    for mut stream in idle {
        assert_eq!(rest(&mut stream), "");
    }
}

/// A slow body is read as long as it does not stall.
#[test]
fn a_slow_body_is_read() {
    let gateway = Gateway::start(&config(r#""none""#, "body_ms = 1000", ""));
    let mut stream = connect(gateway.socket());
    let body = super::estimate::request().to_string();
    stream
        .write_all(post(ESTIMATE, &format!("content-length: {}", body.len())).as_bytes())
        .expect("the bytes are written");
    for part in body.as_bytes().chunks(100) {
        stream.write_all(part).expect("the bytes are written");
        thread::sleep(Duration::from_millis(20));
    }
    assert!(head(&mut stream).starts_with("HTTP/1.1 200 OK\r\n"));
}

/// As slow as it may be, and slower than the backend may answer: the backend is not blamed for the time that a caller takes.
#[test]
fn a_slow_body_is_not_the_backends_fault() {
    let backend =
        Backend::replying("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}");
    let file = config(
        r#""none""#,
        "body_ms = 5000",
        &format!("upstream = \"{}\"\nupstream_ms = 300", backend.url),
    );
    let gateway = Gateway::start(&file);
    for framing in ["content-length: 15", "transfer-encoding: chunked"] {
        let mut stream = connect(gateway.socket());
        let framing_and_end = format!("{framing}\r\nconnection: close");
        stream
            .write_all(post(TRANSFER, &framing_and_end).as_bytes())
            .expect("the bytes are written");
        for number in 0..15 {
            // One pause is longer than the backend may take.
            thread::sleep(Duration::from_millis(if number == 7 { 600 } else { 100 }));
            let part = if framing.ends_with("chunked") { "1\r\na\r\n" } else { "a" };
            let end = if framing.ends_with("chunked") && number == 14 { "0\r\n\r\n" } else { "" };
            stream.write_all(format!("{part}{end}").as_bytes()).expect("the bytes are written");
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
        let environment = format!("upstream = \"{url}\"\nupstream_ms = 300");
        let gateway = Gateway::start(&config(r#""none""#, "body_ms = 2000", &environment));
        let mut stream = connect(gateway.socket());
        let body = "a".repeat(length);
        let request =
            post(TRANSFER, &format!("content-length: {length}\r\nconnection: close")) + &body;
        let began = Instant::now();
        stream.write_all(request.as_bytes()).expect("the bytes are written");
        let reply = rest(&mut stream);
        assert_eq!(statuses(&reply), [504], "{reply}");
        assert!(began.elapsed() < Duration::from_millis(1_900), "{:?}", began.elapsed());
    }
}

/// A body that neither stalls nor ends is refused after `body_total_ms`, and counted.
#[tokio::test]
async fn endless_bodies_are_408() {
    let backend = Backend::raw(|mut stream| drop(rest(&mut stream)));
    let head = "body_ms = 300\nbody_total_ms = 600";
    let mut gateway =
        Gateway::start(&config(r#""none""#, head, &format!("upstream = \"{backend}\"")));
    for (path, operation) in [(ESTIMATE, "estimate"), (TRANSFER, "transferNft")] {
        let mut stream = connect(gateway.socket());
        stream
            .write_all(post(path, "content-length: 1000").as_bytes())
            .expect("the bytes are written");
        let mut drops = stream.try_clone().expect("a socket has two ends");
        let dripping = thread::spawn(move || {
            while drops.write_all(b"a").is_ok() {
                thread::sleep(Duration::from_millis(50))
            }
        });
        let began = Instant::now();
        let reply = rest(&mut stream);
        assert_eq!(refused(&reply, 408), "expected a whole body, found one that took too long");
        assert!((600..2_000).contains(&began.elapsed().as_millis()), "{:?}", began.elapsed());
        dripping.join().expect("no panic");
        let counted = format!("sendoff_requests_total{{operation=\"{operation}\",status=\"408\"}}");
        assert_eq!(gateway.metric(&counted).await, 1);
    }
    let log = gateway.stop();
    assert_eq!(log.matches(r#""status":408"#).count(), 2, "{log}");
}

/// The gateway reads the rest of a refused body, so that a caller that sends all of it first still gets the reply.
#[test]
fn refusals_reach_callers_that_still_send() {
    let gateway = Gateway::start(&config(r#""none""#, "", ""));
    let long = "a".repeat(3_000_000);
    let stranger =
        post(TRANSFER, &format!("content-length: {}", long.len())).replace(TOKEN, "nobody's");
    let too_long = post(ESTIMATE, &format!("content-length: {}", long.len()));
    let endless = post(ESTIMATE, "transfer-encoding: chunked");
    let chunked = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    for (request, body, status) in
        [(stranger, &long, 401), (too_long, &long, 413), (endless, &chunked, 413)]
    {
        for _ in 0..5 {
            let mut stream = connect(gateway.socket());
            stream.write_all(request.as_bytes()).expect("the bytes are written");
            for part in body.as_bytes().chunks(64 << 10) {
                stream.write_all(part).expect("all bytes are written");
            }
            assert_eq!(statuses(&head(&mut stream)), [status]);
        }
    }
}

/// A caller that sends its refused body slowly, longer than a closed connection lingers, gets the reply as well.
#[test]
fn refusals_reach_callers_that_send_slowly() {
    let gateway = Gateway::start(&config(r#""none""#, "", ""));
    let stranger = post(TRANSFER, "content-length: 30").replace(TOKEN, "nobody's");
    let mut stream = connect(gateway.socket());
    stream.write_all(stranger.as_bytes()).expect("the bytes are written");
    for _ in 0..30 {
        stream.write_all(b"a").expect("all bytes are written");
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(statuses(&head(&mut stream)), [401]);
}

#[test]
fn a_connection_is_reused_after_a_refusal() {
    let gateway = Gateway::start(&config(r#""none""#, "", ""));
    let stranger = post(TRANSFER, "content-length: 5").replace(TOKEN, "nobody's") + "abcde";
    let last = "GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n";
    assert_eq!(
        statuses(&exchange(gateway.socket(), format!("{stranger}{stranger}{last}"))),
        [401, 401, 404]
    );
}
