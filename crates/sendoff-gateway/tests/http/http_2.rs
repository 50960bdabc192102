//! What only HTTP/2 has: values that come twice, and frames.

use axum::{body::Bytes, http::Request};

use super::connections::Http2;
use crate::support::{
    Gateway,
    backend::{Backend, OK},
    config,
    wire::{self, exchange, statuses},
};

/// Equal `content-length` fields are sent once, and `cookie` fields as one. Lengths that differ end the request.
#[tokio::test]
async fn lengths_and_cookies_go_on_once() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "");
    let mut connection = Http2::to(&gateway).await;
    for (lengths, is_read) in [(["2", "2"], true), (["2", "3"], false)] {
        let request = Request::builder().method("POST").uri(gateway.url("/api/v1/nft/transfer"));
        let request =
            request.header("content-length", lengths[0]).header("content-length", lengths[1]);
        let request = request.header("cookie", "a=b").header("cookie", "c=d");
        let (reply, mut parts) = connection.send(request, true).await;
        parts.send_data(Bytes::from_static(b"{}"), true).expect("it is taken");
        assert_eq!(reply.await.is_ok_and(|reply| reply.status() == 200), is_read, "{lengths:?}");
    }
    let asked = backend.received();
    let values = |name: &str| {
        let lines = asked.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(key, _)| *key == name).map(|(_, value)| value.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (values("content-length"), values("cookie")),
        (vec!["2".into()], vec!["a=b; c=d".into()])
    );
    assert!(!backend.was_called());
}

/// A GET with bytes of a body is refused, also without a length. An empty body counts as no body.
#[tokio::test]
async fn a_get_has_no_body() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "bounds.body_ms = 300");
    let mut connection = Http2::to(&gateway).await;
    for path in ["/api/v1/orders", "/api/v1/supported/networks", "/api/v1/supported/tokens"] {
        for (parts, status) in [
            (vec!["GET /admin HTTP/1.1\r\n\r\n", ""], 400),
            (vec!["", "a"], 400),
            (vec!["", ""], 200),
            (vec![""], 408),
        ] {
            let (reply, mut body) = connection.send(Request::get(gateway.url(path)), true).await;
            let last = parts.len() - 1;
            for (number, part) in parts.iter().enumerate() {
                let is_end = number == last && status != 408;
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
        let gateway = Gateway::start(&config(r#""none""#, bound, ""));
        let (path, long) = ("/api/v1/supported/networks", "a".repeat(length));
        let head = wire::get(path, &format!("connection: close\r\nx-a: {long}"));
        assert_eq!(statuses(&exchange(gateway.socket(), head)), [status], "{bound} {length}");
        let request = Request::get(gateway.url(path)).header("x-a", long);
        let (reply, _) = Http2::to(&gateway).await.send(request, false).await;
        assert_eq!(reply.await.expect("a reply").status(), status, "{bound} {length}");
    }
}
