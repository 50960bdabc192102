//! Operations that the backend answers: requests and replies are forwarded part by part.

use std::{
    io::Read as _,
    sync::{Arc, Mutex, mpsc},
};

use reqwest::Method;
use sendoff::http::{Method as OperationMethod, OPERATIONS, Side};

use crate::support::{
    Gateway, SERVER_KEY, TOKEN,
    backend::{Backend, OK},
    client, config,
    reply::Reply,
    wire::{self, head, header, until},
};

pub(super) const TRANSFER: &str = "/api/v1/nft/transfer";

pub(super) fn gateway(url: &str) -> Gateway {
    Gateway::in_front_of(url, "")
}

pub(super) async fn call(gateway: &Gateway) -> Reply {
    Reply::to(gateway.post(TRANSFER).body("{}")).await
}

#[tokio::test]
async fn all_operations_except_three_are_forwarded() {
    let backend = Backend::replying(OK);
    let (with, without) = (gateway(&backend.url), Gateway::start(&config(r#""none""#, "", "")));
    let mut forwarded = 0;
    for row in OPERATIONS {
        let path = row.path.replace("{userId}", "a%40b%20c").replace("{TW_USER_ID}", "user-1");
        let (method, body) = match row.method {
            OperationMethod::Get => (Method::GET, ""),
            OperationMethod::Post => (Method::POST, "{\"a\":1}"),
            other => panic!("no test sends {other}"),
        };
        let ask = |gateway: &Gateway| {
            let request = client().request(method.clone(), gateway.url(&format!("{path}?a=b&c")));
            let request = if row.side == Side::Server {
                request.header("x-api-key", SERVER_KEY)
            } else {
                request.bearer_auth(TOKEN)
            };
            Reply::to(request.body(body))
        };
        let id = row.id.as_str();
        let (reply, alone) = (ask(&with).await, ask(&without).await);
        if ["estimate", "supportedNetworks", "supportedTokens"].contains(&id) {
            assert!(!backend.was_called() && alone.status != 501, "{id}");
            continue;
        }
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (200, "{}"), "{id}");
        let received = backend.received();
        assert_eq!(received.line(), format!("{method} {path}?a=b&c HTTP/1.1"));
        assert_eq!(received.body, body.as_bytes());
        let message = alone.refused(501, None);
        assert_eq!(message, format!("expected a wallet backend for `{id}`, found none"));
        forwarded += 1;
    }
    assert_eq!(forwarded, 13);
}

#[tokio::test]
async fn replies_without_a_body_redirects_and_errors_are_forwarded() {
    for (reply_head, status, text) in [
        ("204 No Content\r\netag: \"1\"", 204, ""),
        ("304 Not Modified\r\netag: \"1\"", 304, ""),
        ("307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0", 307, ""),
        ("200 OK\r\ncontent-length: 0", 200, ""),
        ("401 Unauthorized\r\nwww-authenticate: Other\r\ncontent-length: 2", 401, "{}"),
        ("503 Service Unavailable\r\nretry-after: 7\r\ncontent-length: 2", 503, "{}"),
        ("200 OK\r\ntransfer-encoding: chunked", 200, "abc"),
        ("200 OK\r\nconnection: close", 200, "until the end"),
    ] {
        let body = match text {
            "abc" => "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
            text => text,
        };
        let backend = Backend::replying(format!("HTTP/1.1 {reply_head}\r\n\r\n{body}"));
        let reply = call(&gateway(&backend.url)).await;
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (status, text), "{reply_head}");
        let (_, given) = reply_head.split_once("\r\n").expect("a header");
        let (name, value) =
            given.split("\r\n").next().and_then(|line| line.split_once(": ")).expect("a header");
        if !["connection", "transfer-encoding"].contains(&name) {
            assert_eq!(reply.header(name), Some(value), "{reply_head}");
        }
    }
}

/// Each part of a reply arrives before the backend sends the next part.
#[test]
fn replies_are_streamed() {
    let (go_on, may_go_on) = mpsc::channel::<()>();
    let may_go_on = Arc::new(Mutex::new(may_go_on));
    let backend = Backend::start(move |_, stream| {
        wire::send(stream, b"HTTP/1.1 200 OK\r\ncontent-length: 1048576\r\n\r\n");
        for _ in 0..64 {
            wire::send(stream, [b'a'; 16 << 10]);
            may_go_on
                .lock()
                .expect("no panic")
                .recv_timeout(wire::PATIENCE)
                .expect("the part arrives");
        }
    });
    let gateway = gateway(&backend.url);
    let mut stream = wire::connect(gateway.socket());
    wire::send(&stream, wire::post(TRANSFER, "content-length: 0"));
    assert_eq!(header(&head(&mut stream), "content-length"), Some("1048576"));
    for _ in 0..64 {
        let mut part = vec![0; 16 << 10];
        stream.read_exact(&mut part).expect("the part arrives before the next is sent");
        assert!(part.iter().all(|byte| *byte == b'a'));
        go_on.send(()).expect("the backend waits");
    }
}

/// Each part of a body arrives at the backend before the caller sends the next part.
#[test]
fn requests_are_streamed() {
    for framing in ["content-length: 1048576", "transfer-encoding: chunked"] {
        let (arrived, has_arrived) = mpsc::channel();
        let url = Backend::raw(move |mut stream| {
            let received = head(&mut stream);
            assert!(received.contains(framing), "{received}");
            // The framing of chunks adds bytes, so this reads less than the whole body.
            for _ in 0..64 {
                stream.read_exact(&mut vec![0; 16 << 10]).expect("a part");
                arrived.send(()).expect("the caller waits");
            }
            // A socket that is closed with unread bytes is reset, and its reply may be lost.
            if framing.starts_with('t') {
                until(&mut stream, "0\r\n\r\n");
            }
            wire::send(&stream, OK);
        });
        let gateway = gateway(&url);
        let mut stream = wire::connect(gateway.socket());
        wire::send(&stream, wire::post(TRANSFER, framing));
        for _ in 0..64 {
            let part = "a".repeat(16 << 10);
            let part = if framing.starts_with('t') { format!("4000\r\n{part}\r\n") } else { part };
            wire::send(&stream, part);
            has_arrived
                .recv_timeout(wire::PATIENCE)
                .expect("the part arrives before the next is sent");
        }
        if framing.starts_with('t') {
            wire::send(&stream, b"0\r\n\r\n");
        }
        assert!(head(&mut stream).starts_with("HTTP/1.1 200 OK\r\n"));
    }
}

#[test]
fn a_caller_that_expects_100_continue_gets_it() {
    let backend = Backend::replying(OK);
    let gateway = gateway(&backend.url);
    let mut stream = wire::connect(gateway.socket());
    let expecting = wire::post(TRANSFER, "expect: 100-continue\r\ncontent-length: 2");
    wire::send(&stream, &expecting);
    assert_eq!(head(&mut stream), "HTTP/1.1 100 Continue\r\n\r\n");
    wire::send(&stream, b"{}");
    assert!(head(&mut stream).starts_with("HTTP/1.1 200 OK\r\n"));
    let received = backend.received();
    assert_eq!((received.header("expect"), received.body.as_slice()), (None, b"{}".as_slice()));

    // A refused caller does not get `100 Continue`.
    let refused = wire::exchange(gateway.socket(), expecting.replace(TOKEN, "nobody-s"));
    assert_eq!(wire::statuses(&refused), [401]);
}

/// With `rate_limit_fields`, the gateway's fields replace the backend's fields of the same names.
#[tokio::test]
async fn rate_limit_fields_of_the_backend_are_replaced() {
    let reply = "HTTP/1.1 200 OK\r\nconnection: close\r\nratelimit: \"theirs\";r=9;t=9\r\nratelimit-policy: \"theirs\";q=9\r\ncontent-length: 0\r\n\r\n";
    let backend = Backend::replying(reply);
    for (fields, are_replaced) in [("rate_limit_fields = true", true), ("", false)] {
        let policy = "{ limit = 5, window_ms = 60000 }";
        let gateway = Gateway::start(&config(
            policy,
            "",
            &format!("{fields}\nupstream.url = \"{}\"", backend.url),
        ));
        let reply = call(&gateway).await;
        assert_eq!(reply.window().is_some(), are_replaced);
        assert_eq!(reply.headers.get_all("ratelimit").iter().count(), 1);
        let get = Reply::to(gateway.get("/api/v1/orders")).await;
        assert_eq!(get.header("ratelimit"), Some(r#""theirs";r=9;t=9"#));
    }
}
