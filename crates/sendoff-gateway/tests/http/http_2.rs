//! What only HTTP/2 has: values that come twice, and frames.

use crate::support::http_2::Http2;
use crate::support::prelude::*;

/// Equal `content-length` fields are sent once, and `cookie` fields as one. Lengths that differ end the request.
#[tokio::test]
async fn lengths_and_cookies_go_on_once() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "");
    let connection = Http2::to(&gateway).await;
    for (second, is_read) in [("2", true), ("3", false)] {
        let request = Request::post(gateway.url(TRANSFER)).header("content-length", "2");
        let request = request.header("content-length", second);
        let request = request.header("cookie", "a=b").header("cookie", "c=d");
        let (reply, mut parts) = connection.send(request, true).await;
        parts.send_data(Bytes::from_static(b"{}"), true).expect("it is taken");
        assert_eq!(reply.await.is_ok_and(|reply| reply.status() == 200), is_read, "{second}");
    }
    let Received { head, .. } = backend.received();
    for line in ["content-length: 2\r\n", "cookie: a=b; c=d\r\n"] {
        let name = line.split(':').next().expect("a name");
        assert!(head.contains(line) && head.matches(name).count() == 1, "{head}");
    }
    assert!(!backend.was_called());
}

/// A GET with bytes of a body is refused, also without a length. An empty body counts as no body.
#[tokio::test]
async fn a_get_has_no_body() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "bounds.body_ms = 300");
    let connection = Http2::to(&gateway).await;
    for path in [ORDERS, NETWORKS, "/api/v1/supported/tokens"] {
        for (parts, status) in [
            (vec!["GET /admin HTTP/1.1\r\n\r\n", ""], 400),
            (vec!["", "a"], 400),
            (vec!["", ""], 200),
            (vec![""], 408),
        ] {
            let (reply, mut body) = connection.send(Request::get(gateway.url(path)), true).await;
            for (number, part) in parts.iter().enumerate() {
                let is_end = number == parts.len() - 1 && status != 408;
                // The gateway may have reset the stream.
                let _reset = body.send_data(Bytes::from_static(part.as_bytes()), is_end);
            }
            assert_eq!(reply.await.expect("a reply").status(), status, "{path} {parts:?}");
        }
    }
    assert_eq!(backend.received().line(), "GET /api/v1/orders HTTP/1.1");
    assert!(!backend.was_called());
}

/// Heads have a bound, as in HTTP/1.1.
#[tokio::test]
async fn long_heads_are_431() {
    for (bound, length, status) in [
        ("", 30 << 10, 200),
        // Of HTTP/1, up to twice the bound may be in the buffer already.
        ("", 66 << 10, 431),
        ("bounds.head_bytes = 8192", 17 << 10, 431),
        ("bounds.head_bytes = 65536", 60 << 10, 200),
    ] {
        let (gateway, long) = (Gateway::plain(bound, ""), "a".repeat(length));
        let head = wire::get(NETWORKS, &format!("connection: close\r\nx-a: {long}"));
        let found = statuses(&exchange(&gateway, head))[0];
        let connection = Http2::to(&gateway).await;
        let other = connection.get(gateway.url(NETWORKS), ("x-a", &long)).await;
        assert_eq!([found, other], [status; 2], "{bound} {length}");
    }
}
