//! Backends and callers that fail during a call.

use crate::support::prelude::*;

/// A gateway that waits for its backend for a short time.
fn impatient(url: &str) -> Gateway {
    Gateway::plain("", &format!("upstream.url = \"{url}\"\nupstream.ms = 400"))
}

/// A backend that does not reply, or does not even read the body, is late, and any other that gives no valid reply is at fault.
#[test]
fn a_backend_without_a_valid_reply_is_502_or_504() {
    let deaf = Backend::raw(|stream| {
        thread::sleep(PATIENCE);
        drop(stream);
    });
    let replies = |bytes: &'static [u8]| (Backend::replying(bytes).url, 502, 2);
    for (url, status, length) in [
        (format!("http://{}", free()), 502, 2),
        (Backend::raw(drop), 502, 2),
        replies(b""),
        replies(b"garbage\r\n\r\n"),
        replies(b"\x16\x03\x01\x00\x05hello"),
        replies(b"HTTP/1.1 200 OK\r\ncontent-le"),
        replies(b"HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\n{}"),
        replies(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"),
        replies(b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n"),
        (Backend::silent(), 504, 2),
        (stalling("HTTP/1.1 200 OK\r\nx-half"), 504, 2),
        (stalling("HTTP/1.1 100 Continue\r\n\r\n"), 504, 2),
        (deaf.clone(), 504, 2),
        (deaf, 504, 1 << 20),
    ] {
        let head = wire::post(TRANSFER, &format!("content-length: {length}\r\nconnection: close"));
        let reply = exchange(&impatient(&url), head + &"a".repeat(length));
        assert!(statuses(&reply) == [status] && reply.contains("ER-TECH-0006"), "{reply}");
    }
}

/// If the backend ends a reply early, so does the gateway. A part must not look like a whole reply.
#[test]
fn a_partial_reply_ends_the_connection() {
    let half = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf";
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n";
    for url in [
        Backend::replying(half).url,
        Backend::replying(chunked).url,
        Backend::replying(format!("{chunked}zzz\r\n")).url,
        stalling(half),
        stalling(chunked),
    ] {
        let reply = exchange(&impatient(&url), wire::post(TRANSFER, "content-length: 0"));
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        assert!(!reply.ends_with("0\r\n\r\n"), "{reply}");
        let (_, body) = reply.split_once("\r\n\r\n").expect("a head");
        assert!(body.contains("half") && body.len() < 10, "{reply}");
    }
}

/// If a caller ends its body early, the backend does not get a whole request.
#[test]
fn a_partial_body_is_not_completed() {
    let (url, begun, ended) = Backend::reporting(|stream| {
        let mut rest = String::new();
        (stream.read_to_string(&mut rest).map_err(|error| error.kind()), rest)
    });
    let gateway = Gateway::in_front_of(&url, "bounds.body_ms = 200");
    for (framing, sent) in
        [("content-length: 10", "half"), ("transfer-encoding: chunked", "4\r\nhalf\r\n")]
    {
        for stalls in [false, true] {
            let mut stream = wire::open(&gateway, wire::post(TRANSFER, framing) + sent);
            happened(&begun);
            if stalls {
                assert_eq!(statuses(&head(&mut stream)), [408]);
            }
            drop(stream);
            let (how, rest) = happened(&ended);
            assert!(matches!(how, Ok(_) | Err(ErrorKind::ConnectionReset)), "{how:?}");
            assert!(rest == sent || rest.is_empty(), "{rest}");
        }
    }
}
