//! Headers and targets of forwarded requests and replies.

use super::upstream::{TRANSFER, call, gateway};
use crate::support::{
    Gateway, SERVER_KEY, TOKEN,
    backend::{Backend, OK},
    config,
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
        let reply = Reply::to(gateway.post(TRANSFER).header("traceparent", parent)).await;
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
        let head = wire::get(target, "connection: close");
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
    let head = wire::post(TRANSFER, "connection: close\r\ncontent-length: 0");
    assert_eq!(wire::statuses(&wire::exchange(gateway.socket(), head)), [200]);
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
    wire::exchange(gateway.socket(), wire::get("/api/v1/orders", "connection: close"))
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
    let words = |names: &'static str| names.split(' ').collect::<Vec<_>>();
    let forged = words(
        "x-forwarded-for X-Forwarded-Host x-forwarded-anything forwarded x-real-ip \
         true-client-ip client-ip x-forwarded x-envoy-external-address x-remote-user \
         fastly-client-ip x-azure-clientip x-ssl-client-cert x-client-cert-dn \
         x-original-forwarded-for x-consumer-username x-credential-identifier \
         x-anonymous-consumer x-jwt-assertion x-apigateway-api-userinfo remote-groups",
    );
    let never = words(
        "x_forwarded_for x-forwarded_for x-original-url x-original-uri x-original-host \
         x_original_uri x-host x-middleware-subrequest x-rewrite-url x-http-method-override \
         x-http-method proxy x_api_key transfer_encoding content_length proxy_authorization \
         keep_alive proxy_connection client_ip remote_user",
    );
    for (forwarded, is_kept) in [
        ("", false),
        ("\nupstream.forwarded = \"drop\"", false),
        ("\nupstream.forwarded = \"keep\"", true),
    ] {
        let file =
            config(r#""none""#, "", &format!("upstream.url = \"{}\"{forwarded}", backend.url));
        let gateway = Gateway::start(&file);
        let mut fields = "connection: close\r\ncontent-length: 0\r\nx_other: kept".to_owned();
        for name in forged.iter().chain(&never) {
            fields += &format!("\r\n{name}: 1");
        }
        let reply = wire::exchange(gateway.socket(), wire::post(TRANSFER, &fields));
        assert_eq!(wire::statuses(&reply), [200]);
        let received = backend.received();
        let has = |name: &&str| received.header(name).is_some();
        assert!(forged.iter().all(|field| has(field) == is_kept), "{forwarded}: {}", received.head);
        assert!(!never.iter().any(&has) && has(&"x_other"), "{forwarded}: {}", received.head);
    }
}
