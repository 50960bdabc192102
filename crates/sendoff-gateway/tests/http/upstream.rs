//! Operations that the backend answers: requests and replies are forwarded part by part.

use sendoff::http::{OPERATIONS, Side};

use crate::support::{backend::stall, prelude::*};

#[tokio::test]
async fn all_operations_except_three_are_forwarded() {
    let backend = Backend::replying(OK);
    let (with, without) = (Gateway::in_front_of(&backend.url, ""), Gateway::plain("", ""));
    let mut forwarded = 0;
    for row in OPERATIONS {
        let path = row.path.replace("{userId}", "a%40b%20c").replace("{TW_USER_ID}", "user-1");
        let (line, id) = (format!("{} {path}?a=b&c", row.method.as_str()), row.id.as_str());
        let body = if row.method == sendoff::http::Method::Get { "" } else { "{\"a\":1}" };
        let caller = [if row.side == Side::Server { SERVER } else { USER }];
        let (reply, alone) =
            (with.call(&line, &caller, body).await, without.call(&line, &caller, body).await);
        if ["estimate", "supportedNetworks", "supportedTokens"].contains(&id) {
            assert!(!backend.was_called() && alone.status != 501, "{id}");
            continue;
        }
        assert_eq!((reply.status, &*reply.text), (200, "{}"), "{id}");
        let received = backend.received();
        assert_eq!(received.line(), format!("{line} HTTP/1.1"));
        assert_eq!(received.body, body.as_bytes());
        let message = alone.refused(501, None);
        assert_eq!(message, format!("expected a wallet backend for `{id}`, found none"));
        forwarded += 1;
    }
    assert_eq!(forwarded, 13);
}

/// Parts of a body of a mebibyte.
const PARTS: usize = 64;
const PART: usize = 16 << 10;

/// Each part of a body arrives before the next one is sent, there and back: the backend answers a part with a part.
#[test]
fn bodies_are_streamed() {
    for (framing, before, after, end) in [
        ("content-length: 1048576", "", "", ""),
        ("transfer-encoding: chunked", "4000\r\n", "\r\n", "0\r\n\r\n"),
    ] {
        let url = Backend::raw(move |mut stream| {
            let received = head(&mut stream);
            assert!(received.contains(framing), "{received}");
            wire::send(&stream, b"HTTP/1.1 200 OK\r\ncontent-length: 1048576\r\n\r\n");
            // The framing of chunks adds bytes, so this reads less than the whole body.
            for _ in 0..PARTS {
                stream.read_exact(&mut [0; PART]).expect("a part");
                wire::send(&stream, [b'a'; PART]);
            }
            stall(&mut stream);
        });
        let gateway = Gateway::in_front_of(&url, "");
        let mut stream = wire::open(&gateway, wire::post(TRANSFER, framing));
        assert_eq!(header(&head(&mut stream), "content-length"), Some("1048576"));
        for _ in 0..PARTS {
            wire::send(&stream, format!("{before}{}{after}", "a".repeat(PART)));
            let mut part = vec![0; PART];
            stream.read_exact(&mut part).expect("the part arrives before the next is sent");
            assert!(part.iter().all(|byte| *byte == b'a'));
        }
        wire::send(&stream, end);
    }
}

#[test]
fn a_caller_that_expects_100_continue_gets_it() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "");
    let expecting = wire::post(TRANSFER, "expect: 100-continue\r\ncontent-length: 2");
    let mut stream = wire::open(&gateway, &expecting);
    assert_eq!(head(&mut stream), "HTTP/1.1 100 Continue\r\n\r\n");
    wire::send(&stream, b"{}");
    assert_eq!(statuses(&head(&mut stream)), [200]);
    let received = backend.received();
    assert_eq!((received.header("expect"), &*received.body), (None, &b"{}"[..]));

    // A refused caller does not get `100 Continue`.
    let refused = exchange(&gateway, expecting.replace(TOKEN, "nobody-s"));
    assert_eq!(statuses(&refused), [401]);
}

/// With `rate_limit_fields`, the gateway's fields replace the backend's fields of the same names.
#[tokio::test]
async fn rate_limit_fields_of_the_backend_are_replaced() {
    let theirs = "ratelimit: \"theirs\";r=9;t=9\r\nratelimit-policy: \"theirs\";q=9\r\ncontent";
    let backend = Backend::replying(OK.replacen("content", theirs, 1));
    for fields in [true, false] {
        let environment = format!("rate_limit_fields = {fields}\n{}", backend.key());
        let gateway = Gateway::start(&config(DAILY, "", &environment));
        let reply = gateway.post(TRANSFER).await;
        assert_eq!(reply.window().is_some(), fields);
        assert_eq!(reply.headers.get_all("ratelimit").iter().count(), 1);
        let get = gateway.get(ORDERS).await;
        assert_eq!(get.header("ratelimit"), Some(r#""theirs";r=9;t=9"#));
    }
}
