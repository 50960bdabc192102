//! Headers and targets of forwarded requests and replies.

use crate::support::prelude::*;

/// The fields of a head, sorted.
fn fields(head: &str) -> Vec<&str> {
    let mut fields: Vec<_> = head.lines().skip(1).filter(|line| !line.is_empty()).collect();
    fields.sort_unstable();
    fields
}

#[test]
fn headers_are_forwarded_except_those_of_one_connection() {
    let backend = Backend::replying(concat!(
        "HTTP/1.1 418 I'm a teapot\r\ncontent-length: 3\r\nset-cookie: a=1\r\nset-cookie: b=2\r\nx-kept: yes\r\n",
        "content-type: text/strange; a=b\r\nconnection: x-hop\r\nx-hop: no\r\nkeep-alive: timeout=5\r\n",
        "proxy-authenticate: Basic\r\nupgrade: h2c\r\ndate: Tue, 15 Nov 1994 08:12:31 GMT\r\nx-request-id: theirs\r\n\r\nabc",
    ));
    let gateway = Gateway::in_front_of(&format!("{}/base/", backend.url), "");
    let request = concat!(
        "POST /api/v1/nft/transfer HTTP/1.1\r\nhost: wallet.example\r\nauthorization: Bearer demo-token\r\n",
        "x-api-key: demo-key\r\ncontent-type: application/json\r\ncontent-length: 2\r\naccept: a/b\r\naccept: c/d\r\n",
        "cookie: a=b\r\nconnection: close, X-Hop\r\nx-hop: no\r\nkeep-alive: 1\r\nte: trailers\r\ntrailer: a\r\n",
        "proxy-authorization: Basic a\r\nproxy-connection: close\r\nupgrade: websocket\r\nx-request-id: mine\r\n\r\n{}",
    );
    let reply = exchange(&gateway, request);
    let received = backend.received();
    assert_eq!(received.line(), "POST /base/api/v1/nft/transfer HTTP/1.1");
    let host = received.header("host").expect("a host");
    assert_eq!(Some(host), backend.url.strip_prefix("http://"));
    let expected = format!(
        "accept: a/b|accept: c/d|authorization: Bearer demo-token|content-length: 2|\
         content-type: application/json|cookie: a=b|host: {host}|x-api-key: demo-key|x-request-id: mine"
    );
    assert_eq!(fields(&received.head), expected.split('|').collect::<Vec<_>>());

    assert!(reply.starts_with("HTTP/1.1 418 "), "{reply}");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head");
    let expected = "connection: close|content-length: 3|content-type: text/strange; a=b|\
                    date: Tue, 15 Nov 1994 08:12:31 GMT|set-cookie: a=1|set-cookie: b=2|x-kept: yes|\
                    x-request-id: mine";
    assert_eq!((fields(head), body), (expected.split('|').collect(), "abc"));
}

/// The logs of the gateway and of the backend have the same id for a request.
#[tokio::test]
async fn trace_ids_are_forwarded() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "");
    let made = gateway.post(TRANSFER).await;
    assert_eq!(backend.received().header("x-request-id"), made.header("x-request-id"));
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for (parent, id) in [(parent, Some("4bf92f3577b34da6a3ce929d0e0e4736")), ("garbage", None)] {
        let headers = [USER, ("traceparent", parent)];
        let reply = gateway.call("POST /api/v1/nft/transfer", &headers, "").await;
        let id = id.or(reply.header("x-request-id"));
        let received = backend.received();
        let passed = ["traceparent", "x-request-id"].map(|name| received.header(name));
        assert_eq!((reply.header("x-request-id"), passed), (id, [Some(parent), id]));
    }
}

/// Targets and headers are forwarded byte by byte. Only `x-request-id` is added.
#[test]
fn requests_are_forwarded_unchanged() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "");
    let ask = |line: &str, caller: (&str, &str), more: &str| {
        let (name, value) = caller;
        let head =
            format!("{line} HTTP/1.1\r\nhost: a\r\n{name}: {value}\r\nconnection: close\r\n");
        assert_eq!(statuses(&exchange(&gateway, format!("{head}{more}\r\n"))), [200], "{line}");
        let received = backend.received();
        assert_eq!(received.line(), format!("{line} HTTP/1.1"));
        let name = |field: &str| field.split(':').next().map(str::to_owned);
        fields(&received.head).into_iter().filter_map(name).collect::<Vec<_>>()
    };
    for query in ["?a='b'{}|^`[]", "?%zz&&=", "?", "?a=%27%7b"] {
        let found = ask(&format!("GET /api/v1/orders{query}"), USER, "");
        assert_eq!(found, ["authorization", "host", "x-request-id"]);
    }
    for user in ["a'b", "a\"b{}|", "(a)", "a*b!$&,=:@~", "%27"] {
        // The request has no body.
        let line = format!("POST /s2s/api/v2/transfer/tokens/execute/{user}");
        assert_eq!(ask(&line, SERVER, ""), ["host", "x-api-key", "x-request-id"]);
    }
    let found = ask("POST /api/v1/nft/transfer", USER, "content-length: 0\r\n");
    assert_eq!(found, ["authorization", "content-length", "host", "x-request-id"]);
}

/// A head that two readers could understand differently is refused.
#[test]
fn ambiguous_heads_are_refused() {
    let backend = Backend::replying(OK);
    let gateway = Gateway::in_front_of(&backend.url, "");
    let ask = |method: &str, fields: &str| {
        let path = if method == "GET" { ORDERS } else { TRANSFER };
        let body = match fields {
            _ if fields.contains("transfer-encoding") => "1\r\na\r\n0\r\n\r\n",
            _ if fields.contains("content-length: 1") => "a",
            _ => "",
        };
        let head = format!("{method} {path} HTTP/1.1\r\nauthorization: Bearer {TOKEN}\r\n");
        exchange(&gateway, format!("{head}connection: close\r\n{fields}\r\n\r\n{body}"))
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
        (400, "host: a\r\ncontent-length: 4\r\ncontent-length: 5"),
        (400, "host: a\r\ncontent-length: +4"),
        (400, "host: a\r\ncontent-length: 4, 5"),
        (400, "host: a\r\ntransfer-encoding: chunked, identity"),
        (400, "host: a\r\ntransfer-encoding: xchunked"),
        (400, "host: a\r\ntransfer-encoding: chunked\r\ntransfer-encoding: identity"),
        (400, "host: a\r\ncontent-length: 4\r\n folded: a"),
    ] {
        assert_eq!(statuses(&ask("POST", fields)), [status], "{fields}");
    }
    for fields in ["host: a\r\ncontent-length: 1", "host: a\r\ntransfer-encoding: chunked"] {
        assert_eq!(statuses(&ask("GET", fields)), [400], "{fields}");
    }
    assert!(!backend.was_called());
    for (method, fields) in [
        ("GET", "host: a\r\ncontent-length: 0"),
        ("GET", "host: [::1]:8080\r\ncontent-length: 0"),
        ("GET", "host: wallet.example:443\r\ncontent-length: 0"),
        ("GET", "host: wallet.example:\r\ncontent-length: 0"),
        ("POST", "host: a\r\ntransfer-encoding: Chunked"),
        ("POST", "host: a\r\ncontent-length: 1\r\nconnection: x-mine"),
    ] {
        assert_eq!(statuses(&ask(method, fields)), [200], "{fields}");
        backend.received();
    }
    // Of two lengths one is read, and the backend gets only that one.
    let smuggled = format!("0\r\n\r\n{}", wire::get(NETWORKS, "a: b"));
    for fields in [
        "content-length: 4\r\ntransfer-encoding: chunked",
        "transfer-encoding: chunked\r\ncontent-length: 200",
    ] {
        let head = wire::post(TRANSFER, &format!("connection: close\r\n{fields}"));
        assert_eq!(statuses(&exchange(&gateway, head + &smuggled)), [200], "{fields}");
        let received = backend.received();
        let found = (received.header("content-length"), &*received.body);
        assert_eq!(found, (None, &b""[..]), "{fields}: {}", received.head);
    }
    assert!(!backend.was_called());
    let long = "a".repeat(100);
    for (host, found) in [
        ("u:p@e", "`u:p@e`"),
        ("", "``"),
        ("a\tb", "`a\\\\u{9}b`"),
        ("\u{202e}", "`\\\\u{202e}`"),
        (&format!("{long}:x"), &format!("`{}`… (102 characters)", &long[..64])),
    ] {
        let reply = ask("GET", &format!("host: {host}"));
        let message =
            format!("expected a host and an optional port in the header `host`, found {found}\"");
        assert!(reply.contains(&message), "{host}: {reply}");
    }
}

/// Replies come back whole, redirects, errors and those without a body too. One with two lengths has none, and one in a coding other
/// than `chunked` is refused.
#[tokio::test]
async fn replies_are_forwarded_with_one_length() {
    let chunks = "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n";
    // A reply of the backend after its version, its body, and the length and the text that come; none if it is refused.
    for (head, body, expected) in [
        ("204 No\r\netag: \"1\"\r\ncontent-length: 44", "", Some((None, ""))),
        ("304 No\r\netag: \"1\"\r\ncontent-length: 44", "", Some((None, ""))),
        ("307 No\r\nlocation: /a\r\ncontent-length: 0", "", Some((Some("0"), ""))),
        ("200 OK\r\na: b\r\ncontent-length: 0", "", Some((Some("0"), ""))),
        ("401 No\r\nwww-authenticate: A\r\ncontent-length: 2", "{}", Some((Some("2"), "{}"))),
        ("503 No\r\nretry-after: 7\r\ncontent-length: 2", "{}", Some((Some("2"), "{}"))),
        ("200 OK\r\na: b\r\ntransfer-encoding: chunked", chunks, Some((None, "abc"))),
        ("200 OK\r\na: b\r\nconnection: close", "to the end", Some((None, "to the end"))),
        ("200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2", chunks, Some((None, "abc"))),
        ("200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked", chunks, Some((None, "abc"))),
        ("200 OK\r\na: b\r\ntransfer-encoding: gzip, chunked", chunks, None),
        ("200 OK\r\na: b\r\ntransfer-encoding: chunked, chunked", chunks, None),
    ] {
        let backend = Backend::replying(format!("HTTP/1.1 {head}\r\n\r\n{body}"));
        let reply = Gateway::in_front_of(&backend.url, "").post(TRANSFER).await;
        let Some(expected) = expected else {
            assert_eq!(reply.status, 502, "{head}");
            continue;
        };
        assert_eq!(reply.status.to_string(), head[..3], "{head}");
        assert_eq!((reply.header("content-length"), &*reply.text), expected, "{head}");
        let field = head.lines().nth(1).and_then(|line| line.split_once(": "));
        let (name, value) = field.expect("a field");
        let is_of_connection = ["content-length", "transfer-encoding"].contains(&name);
        assert!(is_of_connection || reply.header(name) == Some(value), "{head}");
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
    let sent: String = forged.iter().chain(&never).map(|name| format!("\r\n{name}: 1")).collect();
    let fields = format!("connection: close\r\ncontent-length: 0\r\nx_other: kept{sent}");
    for (forwarded, is_kept) in [
        ("", false),
        ("upstream.forwarded = \"drop\"", false),
        ("upstream.forwarded = \"keep\"", true),
    ] {
        let gateway = Gateway::plain("", &format!("{}\n{forwarded}", backend.key()));
        assert_eq!(statuses(&exchange(&gateway, wire::post(TRANSFER, &fields))), [200]);
        let received = backend.received();
        let has = |name: &&str| received.header(name).is_some();
        assert!(forged.iter().all(|field| has(field) == is_kept), "{forwarded}: {}", received.head);
        assert!(!never.iter().any(&has) && has(&"x_other"), "{forwarded}: {}", received.head);
    }
}
