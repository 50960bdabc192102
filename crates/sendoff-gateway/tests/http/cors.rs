//! Pages of other origins: preflights, and the headers that let a page read a reply, as the guards
//! of `sendoff/http` have them.

use crate::support::prelude::*;

const MINE: &str = "https://app.example";
const GAME: &str = "https://game.example";
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

/// The headers of a page of this origin that asks before it calls.
fn asks(origin: &str) -> [(&str, &str); 3] {
    [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "x-api-key"),
    ]
}

/// What a browser reads: the allowed origin, the exposed headers, and `vary`.
fn read(reply: &Reply) -> [Option<&str>; 3] {
    ["access-control-allow-origin", "access-control-expose-headers", "vary"]
        .map(|name| reply.header(name))
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_can_call_and_read_refusals() {
    let keys = format!("origins = [\"{GAME}\"]\n{}", key("of-game", "client"));
    let gateway = with(&mine(), "", &application("game", &keys));
    let mine = [Some(MINE), Some(EXPOSED), Some("origin")];
    let (game, other) = ([Some(GAME), mine[1], mine[2]], [None, None, mine[2]]);
    let (asks_mine, asks_other) = (&asks(MINE)[..], &asks(OTHER)[..]);
    let (key, of_game) = (("x-api-key", "nobody"), ("x-api-key", "of-game"));
    let (origin, origin_of_game) = (("origin", MINE), ("origin", GAME));
    let networks = "GET /api/v1/supported/networks";
    // Preflights do not count, and a page of another origin is served, but cannot read the reply. Refusals of unknown callers and unknown
    // paths can be read too. OPTIONS without the headers of a preflight is a method like others.
    for (line, headers, status, expected) in [
        ("OPTIONS /api/v1/nft/transfer", asks_mine, 204, mine),
        ("OPTIONS /api/v1/orders", asks_mine, 204, mine),
        ("OPTIONS /nowhere", asks_mine, 204, mine),
        ("OPTIONS /", asks_mine, 204, mine),
        ("OPTIONS /api/v1/nft/transfer", asks_other, 204, other),
        ("POST /api/v1/nft/transfer", &[USER, ("origin", OTHER)], 501, other),
        ("POST /api/v1/nft/transfer", &[USER, origin], 429, mine),
        ("GET /nowhere", &[origin], 404, mine),
        ("GET /api/v1/orders", &[key, origin], 401, mine),
        ("GET /nowhere", &[], 404, other),
        ("OPTIONS /api/v1/nft/transfer", &[origin], 405, mine),
        // An application's own origins replace those of its environment. A preflight does not say which application calls.
        ("OPTIONS /", &asks(GAME), 204, game),
        (networks, &[CLIENT, origin], 200, mine),
        (networks, &[CLIENT, origin_of_game], 200, other),
        (networks, &[of_game, origin], 200, other),
        (networks, &[of_game, origin_of_game], 200, game),
    ] {
        let reply = gateway.call(line, headers, "").await;
        assert_eq!((reply.status, read(&reply)), (status, expected), "{line} {headers:?}");
        assert_eq!(reply.header("retry-after").is_some(), status == 429);
        if status == 204 {
            assert_eq!((&*reply.text, reply.header("x-request-id")), ("", None));
        }
        if headers == asks_mine {
            let allowed = ["allow-methods", "allow-headers", "max-age"]
                .map(|name| reply.header(&format!("access-control-{name}")));
            assert_eq!(allowed, ["GET, POST", "x-api-key", "600"].map(Some), "{line}");
        }
    }
    assert_eq!(gateway.metric("sendoff_preflights_total").await, 6);
    assert_eq!(gateway.metric("sendoff_calls_total").await, 2);
}

/// Without the key there are no such headers.
#[tokio::test]
async fn every_origin_can_be_allowed_and_none_is_by_default() {
    let (every, none) = ([Some("*"), Some(EXPOSED), None], [None; 3]);
    let all = with("{ origins = [\"*\"], max_age = 5 }", "", "");
    for (gateway, method, status, expected, max_age) in [
        (&all, "OPTIONS", 204, every, Some("5")),
        (&all, "GET", 405, every, None),
        (&Gateway::plain("", ""), "OPTIONS", 405, none, None),
    ] {
        let reply = gateway.call(&format!("{method} {TRANSFER}"), &asks(OTHER), "").await;
        let found = (reply.status, read(&reply), reply.header("access-control-max-age"));
        assert_eq!(found, (status, expected, max_age), "{method}");
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
