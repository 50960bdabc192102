//! Headers and targets of forwarded requests and replies.

use super::upstream::{TRANSFER, call, gateway};
use crate::support::{
    Gateway, SERVER_KEY, TOKEN,
    backend::{Backend, OK},
    client, config,
    reply::Reply,
    wire::{self, header},
};

#[test]
fn headers_are_forwarded_except_those_of_one_connection() {
    let backend = Backend::replying(concat!(
        "HTTP/1.1 418 I'm a teapot\r\ncontent-length: 3\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nx-kept: yes\r\n",
        "content-type: text/strange; a=b\r\nconnection: x-hop\r\nx-hop: no\r\nkeep-alive: timeout=5\r\n",
        "proxy-authenticate: Basic\r\nupgrade: h2c\r\ndate: Tue, 15 Nov 1994 08:12:31 GMT\r\nx-request-id: theirs\r\n\r\nabc",
    ));
    let gateway = Gateway::start(&config(
        r#""none""#,
        "",
        &format!("upstream.url = \"{}/base/\"", backend.url),
    ));
    let request = concat!(
        "POST /api/v1/nft/transfer HTTP/1.1\r\nhost: wallet.example\r\nauthorization: Bearer demo-token\r\n",
        "x-api-key: demo-key\r\ncontent-type: application/json\r\ncontent-length: 2\r\naccept: a/b\r\naccept: c/d\r\n",
        "cookie: a=b\r\nconnection: close, X-Hop\r\nx-hop: no\r\nkeep-alive: 1\r\nte: trailers\r\ntrailer: a\r\n",
        "proxy-authorization: Basic a\r\nproxy-connection: close\r\nupgrade: websocket\r\nx-request-id: mine\r\n\r\n{}",
    );
    let reply = wire::exchange(gateway.socket(), request);
    let received = backend.received();
    assert_eq!(received.line(), "POST /base/api/v1/nft/transfer HTTP/1.1");
    for (name, value) in [
        ("host", backend.url.strip_prefix("http://").expect("an address")),
        ("authorization", "Bearer demo-token"),
        ("x-api-key", "demo-key"),
        ("content-type", "application/json"),
        ("content-length", "2"),
        ("cookie", "a=b"),
        ("x-request-id", "mine"),
    ] {
        assert_eq!(received.header(name), Some(value), "{}", received.head);
    }
    assert_eq!(received.head.matches("accept: ").count(), 2, "{}", received.head);
    let dropped = [
        "x-hop",
        "keep-alive",
        "te",
        "trailer",
        "proxy-authorization",
        "proxy-connection",
        "upgrade",
        "connection",
    ];
    for name in dropped.iter().chain(&["transfer-encoding"]) {
        assert_eq!(received.header(name), None, "{}", received.head);
    }

    assert!(reply.starts_with("HTTP/1.1 418 "), "{reply}");
    assert!(reply.ends_with("\r\n\r\nabc"), "{reply}");
    for (name, value) in [
        ("content-length", "3"),
        ("content-type", "text/strange; a=b"),
        ("x-kept", "yes"),
        ("date", "Tue, 15 Nov 1994 08:12:31 GMT"),
        ("x-request-id", "mine"),
    ] {
        assert_eq!(header(&reply, name), Some(value), "{reply}");
    }
    assert_eq!(reply.matches("set-cookie: ").count(), 2, "{reply}");
    for name in ["x-hop", "keep-alive", "proxy-authenticate", "upgrade", "transfer-encoding"] {
        assert_eq!(header(&reply, name), None, "{reply}");
    }
}

/// The logs of the gateway and of the backend have the same id for a request.
#[tokio::test]
async fn trace_ids_are_forwarded() {
    let backend = Backend::replying(OK);
    let gateway = gateway(&backend.url);
    let made = call(&gateway).await;
    assert_eq!(backend.received().header("x-request-id"), made.header("x-request-id"));
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for (parent, id) in [(parent, Some("4bf92f3577b34da6a3ce929d0e0e4736")), ("garbage", None)] {
        let request =
            client().post(gateway.url(TRANSFER)).bearer_auth(TOKEN).header("traceparent", parent);
        let reply = Reply::to(request).await;
        let received = backend.received();
        assert_eq!(received.header("traceparent"), Some(parent));
        assert_eq!(received.header("x-request-id"), reply.header("x-request-id"));
        assert!(id.is_none() || received.header("x-request-id") == id, "{}", received.head);
    }
}

/// Targets and headers are forwarded byte by byte. Only `x-request-id` is added.
#[test]
fn requests_are_forwarded_unchanged() {
    let backend = Backend::replying(OK);
    let gateway = gateway(&backend.url);
    for target in [
        "/api/v1/orders?a='b'{}|^`[]",
        "/api/v1/orders?%zz&&=",
        "/api/v1/orders?",
        "/api/v1/orders?a=%27%7b",
    ] {
        let head = format!(
            "GET {target} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n\r\n"
        );
        assert_eq!(wire::statuses(&wire::exchange(gateway.socket(), head)), [200], "{target}");
        let received = backend.received();
        assert_eq!(received.line(), format!("GET {target} HTTP/1.1"));
        let mut names: Vec<_> = received
            .head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(':'))
            .map(|(name, _)| name)
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["authorization", "host", "x-request-id"]);
    }
    let key = format!("x-api-key: {SERVER_KEY}");
    for user in ["a'b", "a\"b{}|", "(a)", "a*b!$&,=:@~", "%27"] {
        let target = format!("/s2s/api/v2/transfer/tokens/execute/{user}");
        let head =
            format!("POST {target} HTTP/1.1\r\nhost: a\r\n{key}\r\nconnection: close\r\n\r\n");
        assert_eq!(wire::statuses(&wire::exchange(gateway.socket(), head)), [200], "{target}");
        let received = backend.received();
        assert_eq!(received.line(), format!("POST {target} HTTP/1.1"));
        // The request had no body.
        assert_eq!(
            (received.header("transfer-encoding"), received.header("content-length")),
            (None, None),
            "{}",
            received.head
        );
    }
    let head = format!(
        "POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n"
    );
    assert_eq!(
        wire::statuses(&wire::exchange(
            gateway.socket(),
            format!("{head}content-length: 0\r\n\r\n")
        )),
        [200]
    );
    let received = backend.received();
    assert_eq!(
        (received.header("transfer-encoding"), received.header("content-length")),
        (None, Some("0")),
        "{}",
        received.head
    );
}

/// A head that two readers could understand differently is refused.
#[test]
fn ambiguous_heads_are_refused() {
    const ORDERS: &str = "/api/v1/orders";
    let backend = Backend::replying(OK);
    let gateway = gateway(&backend.url);
    let ask = |method: &str, path: &str, fields: &str, body: &str| {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n{fields}"
        );
        wire::exchange(gateway.socket(), format!("{head}\r\n\r\n{body}"))
    };
    let chunks = "1\r\na\r\n0\r\n\r\n";
    let body = |fields: &str| match fields {
        chunked if chunked.contains("transfer-encoding") => chunks,
        one if one.contains("content-length: 1") => "a",
        _ => "",
    };
    for (status, fields) in [
        (400, "content-length: 0"),
        (400, "host: a\r\nhost: a\r\ncontent-length: 0"),
        (501, "host: a\r\ntransfer-encoding: gzip, chunked"),
        (501, "host: a\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked"),
        (501, "host: a\r\ntransfer-encoding: chunked, chunked"),
        (501, "host: a\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked"),
        (400, "host: u:p@e\r\ncontent-length: 0"),
        (400, "host: u:p@e/..?\r\ncontent-length: 0"),
        (400, "host: a b\r\ncontent-length: 0"),
        (400, "host: a:b\r\ncontent-length: 0"),
        (400, "host: a:123456\r\ncontent-length: 0"),
        (400, "host: [::1\r\ncontent-length: 0"),
        (400, "host:\r\ncontent-length: 0"),
        (400, "host: \u{e4}\r\ncontent-length: 0"),
        (400, "host: a\r\ncontent-length: 0\r\nconnection: authorization"),
        (400, "host: a\r\ncontent-length: 0\r\nconnection: close, X-Api-Key"),
        (400, "host: a\r\ncontent-length: 0\r\nconnection: content-length"),
        (400, "host: a\r\ncontent-length: 0\r\nconnection: x-request-id"),
    ] {
        let reply = ask("POST", TRANSFER, fields, body(fields));
        assert_eq!(wire::statuses(&reply), [status], "{fields}");
    }
    for fields in ["host: a\r\ncontent-length: 1", "host: a\r\ntransfer-encoding: chunked"] {
        assert_eq!(wire::statuses(&ask("GET", ORDERS, fields, body(fields))), [400], "{fields}");
    }
    assert!(!backend.was_called());
    for (method, path, fields) in [
        ("GET", ORDERS, "host: a\r\ncontent-length: 0"),
        ("GET", ORDERS, "host: [::1]:8080\r\ncontent-length: 0"),
        ("GET", ORDERS, "host: wallet.example:443\r\ncontent-length: 0"),
        ("GET", ORDERS, "host: wallet.example:\r\ncontent-length: 0"),
        ("POST", TRANSFER, "host: a\r\ntransfer-encoding: Chunked"),
        ("POST", TRANSFER, "host: a\r\ncontent-length: 1\r\nconnection: x-mine"),
    ] {
        let reply = ask(method, path, fields, body(fields));
        assert_eq!(wire::statuses(&reply), [200], "{fields}");
        backend.received();
    }
    let long = "a".repeat(100);
    for (host, found) in [
        ("u:p@e", "`u:p@e`".to_owned()),
        ("", "``".to_owned()),
        ("a\tb", "`a\\\\u{9}b`".to_owned()),
        ("\u{202e}", "`\\\\u{202e}`".to_owned()),
        (&format!("{long}:x"), format!("`{}`… (102 characters)", &long[..64])),
    ] {
        let reply = ask("GET", "/api/v1/orders", &format!("host: {host}"), "");
        let message =
            format!("expected a host and an optional port in the header `host`, found {found}\"");
        assert!(reply.contains(&message), "{host}: {reply}");
    }
    for coding in ["gzip, chunked", "chunked, chunked"] {
        let reply =
            format!("HTTP/1.1 200 OK\r\ntransfer-encoding: {coding}\r\n\r\n1\r\na\r\n0\r\n\r\n");
        let coded = Backend::replying(reply);
        assert_eq!(wire::statuses(&orders(&self::gateway(&coded.url))), [502], "{coding}");
    }
}

fn orders(gateway: &Gateway) -> String {
    let head = format!(
        "GET /api/v1/orders HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n\r\n"
    );
    wire::exchange(gateway.socket(), head)
}

/// A backend's reply with two lengths is forwarded whole, and one without a body has no length.
#[test]
fn replies_have_one_length() {
    let chunks = "30\r\n123456789012345678901234567890123456789012345678\r\n0\r\n\r\n";
    for (head, body, expected) in [
        ("200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2", chunks, Some(chunks)),
        ("200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked", chunks, Some(chunks)),
        ("204 No Content\r\ncontent-length: 44", "", None),
        ("304 Not Modified\r\ncontent-length: 44", "", None),
    ] {
        let backend = Backend::replying(format!("HTTP/1.1 {head}\r\n\r\n{body}"));
        let reply = orders(&gateway(&backend.url));
        let (head, rest) = reply.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with(&format!("HTTP/1.1 {}", &head[9..12])), "{reply}");
        assert_eq!(header(head, "content-length"), None, "{reply}");
        assert_eq!(rest, expected.unwrap_or_default(), "{reply}");
    }
}

/// A backend trusts the headers of its proxy, so a caller must not be able to send them.
#[test]
fn forged_headers_of_proxies_are_dropped() {
    let backend = Backend::replying(OK);
    let forged = [
        "x-forwarded-for: 10.0.0.1",
        "X-Forwarded-Host: admin",
        "x-forwarded-anything: a",
        "forwarded: for=10.0.0.1",
        "x-real-ip: 10.0.0.1",
        "true-client-ip: 10.0.0.1",
        "client-ip: 10.0.0.1",
        "x-forwarded: for=10.0.0.1",
        "x-envoy-external-address: 10.0.0.1",
        "x-remote-user: admin",
        "fastly-client-ip: 10.0.0.1",
        "x-azure-clientip: 10.0.0.1",
        "x-ssl-client-cert: a",
        "x-client-cert-dn: a",
        "x-original-forwarded-for: 10.0.0.1",
        "x-consumer-username: admin",
        "x-credential-identifier: admin",
        "x-anonymous-consumer: false",
        "x-jwt-assertion: a",
        "x-apigateway-api-userinfo: a",
        "remote-groups: admin",
    ];
    let never = [
        "x_forwarded_for: 10.0.0.1",
        "x-forwarded_for: 10.0.0.1",
        "x-original-url: /admin",
        "x-original-uri: /admin",
        "x-original-host: admin",
        "x_original_uri: /admin",
        "x-host: admin",
        "x-middleware-subrequest: middleware",
        "x-rewrite-url: /admin",
        "x-http-method-override: DELETE",
        "x-http-method: DELETE",
        "proxy: http://10.0.0.1",
        "x_api_key: other",
        "transfer_encoding: chunked",
        "content_length: 9",
        "proxy_authorization: Basic a",
        "keep_alive: 1",
        "proxy_connection: close",
        "client_ip: 10.0.0.1",
        "remote_user: admin",
    ];
    for (forwarded, is_kept) in [
        ("", false),
        ("\nupstream.forwarded = \"drop\"", false),
        ("\nupstream.forwarded = \"keep\"", true),
    ] {
        let file =
            config(r#""none""#, "", &format!("upstream.url = \"{}\"{forwarded}", backend.url));
        let gateway = Gateway::start(&file);
        let fields = [forged.as_slice(), &never, &["x_other: kept"]].concat().join("\r\n");
        let head = format!(
            "POST {TRANSFER} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\nconnection: close\r\n"
        );
        let reply = wire::exchange(
            gateway.socket(),
            format!("{head}content-length: 0\r\n{fields}\r\n\r\n"),
        );
        assert_eq!(wire::statuses(&reply), [200]);
        let received = backend.received();
        let has = |field: &&str| {
            received
                .header(&field.split(':').next().expect("a name").to_ascii_lowercase())
                .is_some()
        };
        assert!(forged.iter().all(|field| has(field) == is_kept), "{forwarded}: {}", received.head);
        assert!(!never.iter().any(&has) && has(&"x_other"), "{forwarded}: {}", received.head);
    }
}
