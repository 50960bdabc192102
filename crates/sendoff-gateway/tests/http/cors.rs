//! Pages of other origins: preflights, and the headers that let a page read a reply, as the guards
//! of `sendoff/http` have them.

use crate::support::prelude::*;

const MINE: &str = "https://app.example";
const OTHER: &str = "https://other.example";
const EXPOSED: &str = "retry-after, x-request-id, ratelimit, ratelimit-policy";

/// A gateway with one call a day, with CORS for these origins and further applications.
fn with(cors: &str, environment: &str, applications: &str) -> Gateway {
    let keys = format!("rate_limit_fields = true\ncors = {cors}\n{environment}");
    Gateway::start(&(config(&DAILY.replace("= 5", "= 1"), "", &keys) + applications))
}

/// The list of [`MINE`].
fn mine() -> String {
    format!("{{ origins = [\"{MINE}\"] }}")
}

async fn call(gateway: &Gateway, origin: &str) -> Reply {
    gateway.call("POST /api/v1/nft/transfer", &[USER, ("origin", origin)], "").await
}

async fn preflight(gateway: &Gateway, path: &str, origin: &str) -> Reply {
    let headers = [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "x-api-key"),
    ];
    gateway.call(&format!("OPTIONS {path}"), &headers, "").await
}

/// What a browser reads: the allowed origin, the exposed headers, and `vary`.
fn read(reply: &Reply) -> [Option<&str>; 3] {
    ["access-control-allow-origin", "access-control-expose-headers", "vary"]
        .map(|name| reply.header(name))
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_can_call_and_read_refusals() {
    let gateway = with(&mine(), "", "");
    let (mine, other) = ([Some(MINE), Some(EXPOSED), Some("origin")], [None, None, Some("origin")]);
    for path in [TRANSFER, ORDERS, "/nowhere", "/"] {
        let reply = preflight(&gateway, path, MINE).await;
        assert_eq!((reply.status, &*reply.text, read(&reply)), (204, "", mine), "{path}");
        for (name, value) in
            [("allow-methods", "GET, POST"), ("allow-headers", "x-api-key"), ("max-age", "600")]
        {
            assert_eq!(reply.header(&format!("access-control-{name}")), Some(value));
        }
        assert_eq!(reply.header("x-request-id"), None);
    }
    let denied = preflight(&gateway, TRANSFER, OTHER).await;
    assert_eq!((denied.status, read(&denied)), (204, other));

    // The preflights did not count, and a page of another origin is served, but cannot read the
    // reply.
    let first = call(&gateway, OTHER).await;
    assert_eq!((first.status, first.left(), read(&first)), (501, Some(0), other));
    let limited = call(&gateway, MINE).await;
    assert_eq!((limited.status, read(&limited)), (429, mine));
    assert!(limited.header("retry-after").is_some());
    // Refusals of unknown callers and unknown paths can be read too. OPTIONS without the headers of a preflight is a method like
    // others.
    let (key, origin) = (("x-api-key", "nobody"), ("origin", MINE));
    for (line, headers, status, expected) in [
        ("GET /nowhere", &[origin][..], 404, mine),
        ("GET /api/v1/orders", &[key, origin], 401, mine),
        ("GET /nowhere", &[], 404, other),
        ("OPTIONS /api/v1/nft/transfer", &[origin], 405, mine),
    ] {
        let reply = gateway.call(line, headers, "").await;
        assert_eq!((reply.status, read(&reply)), (status, expected), "{line}");
    }
    assert_eq!(gateway.metric("sendoff_preflights_total").await, 5);
    assert_eq!(gateway.metric("sendoff_calls_total").await, 2);
}

/// Without the key there are no such headers.
#[tokio::test]
async fn every_origin_can_be_allowed_and_none_is_by_default() {
    let gateway = with("{ origins = [\"*\"], max_age = 5 }", "", "");
    let reply = preflight(&gateway, TRANSFER, OTHER).await;
    assert_eq!((reply.status, reply.header("access-control-max-age")), (204, Some("5")));
    let every = [Some("*"), Some(EXPOSED), None];
    assert_eq!((read(&reply), read(&call(&gateway, OTHER).await)), (every, every));

    let reply = preflight(&Gateway::plain("", ""), TRANSFER, MINE).await;
    assert_eq!((reply.status, read(&reply)), (405, [None; 3]));
}

/// An application's own origins replace those of its environment.
#[tokio::test]
async fn an_application_has_its_own_origins() {
    let keys = format!("origins = [\"{OTHER}\"]\nkeys = [{}]", digest("of-game"));
    let gateway = with(&mine(), "", &application("game", &keys));
    for origin in [MINE, OTHER] {
        // A preflight does not say which application calls.
        assert_eq!(read(&preflight(&gateway, TRANSFER, origin).await)[0], Some(origin));
        for (key, own) in [(KEY, MINE), ("of-game", OTHER)] {
            let headers = [("origin", origin), ("x-api-key", key)];
            let reply = gateway.call("GET /api/v1/supported/networks", &headers, "").await;
            let allowed = (origin == own).then_some(origin);
            assert_eq!((reply.status, read(&reply)[0]), (200, allowed), "{key}");
        }
    }
}

/// The gateway decides what a page may read, and the backend's `vary` stays.
#[tokio::test]
async fn headers_of_the_backend_are_replaced() {
    let head = "HTTP/1.1 200 OK\r\nvary: accept-encoding\r\naccess-control-allow-origin: *\r\naccess-control-allow-credentials: true\r\n";
    let backend = Backend::replying(OK.replacen("HTTP/1.1 200 OK\r\n", head, 1));
    let gateway = with(&mine(), &backend.key(), "");
    for (origin, allowed) in [(MINE, Some(MINE)), (OTHER, None)] {
        let reply = gateway.call("GET /api/v1/orders", &[USER, ("origin", origin)], "").await;
        assert_eq!((reply.status, read(&reply)[0]), (200, allowed));
        assert_eq!(reply.header("access-control-allow-credentials"), None);
        let vary: Vec<_> = reply.headers.get_all("vary").iter().collect();
        assert_eq!(vary, ["accept-encoding", "origin"]);
    }
}
