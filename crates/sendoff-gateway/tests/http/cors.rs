//! Pages of other origins: preflights, and the headers that let a page read a reply, as the guards
//! of `sendoff/http` have them.

use reqwest::{Method, RequestBuilder};

use crate::support::{Gateway, KEY, USER_SWA, backend::Backend, client, config, reply::Reply};

const MINE: &str = "https://app.example";
const OTHER: &str = "https://other.example";
const COUNTED: &str = "/api/v1/nft/transfer";
const EXPOSED: &str = "retry-after, x-request-id, ratelimit, ratelimit-policy";

/// A configuration of one call a day, with CORS for these origins.
fn with(cors: &str, environment: &str) -> String {
    let policy = "{ limit = 1, window_ms = 86400000, midnight = \"carry\" }";
    config(policy, "", &format!("rate_limit_fields = true\ncors = {cors}\n{environment}"))
}

async fn ask(gateway: &Gateway, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = client().request(method, gateway.url(path));
    let with =
        |request: RequestBuilder, (name, value): &(&str, &str)| request.header(*name, *value);
    Reply::to(headers.iter().fold(request, with)).await
}

async fn call(gateway: &Gateway, origin: &str) -> Reply {
    Reply::to(gateway.post(COUNTED).header("origin", origin)).await
}

fn preflight(origin: &str) -> [(&'static str, &str); 3] {
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
    let gateway = Gateway::start(&with(&format!("{{ origins = [\"{MINE}\"] }}"), ""));
    let (mine, other) = ([Some(MINE), Some(EXPOSED), Some("origin")], [None, None, Some("origin")]);
    for path in [COUNTED, "/api/v1/orders", "/nowhere", "/"] {
        let reply = ask(&gateway, Method::OPTIONS, path, &preflight(MINE)).await;
        assert_eq!(
            (reply.status.as_u16(), reply.text.as_str(), read(&reply)),
            (204, "", mine),
            "{path}"
        );
        let named = |name: &str| reply.header(&format!("access-control-{name}")).map(str::to_owned);
        let named = ["allow-methods", "allow-headers", "max-age"].map(named);
        assert_eq!(named, ["GET, POST", "x-api-key", "600"].map(|value| Some(value.to_owned())));
        assert_eq!(reply.header("x-request-id"), None);
    }
    let denied = ask(&gateway, Method::OPTIONS, COUNTED, &preflight(OTHER)).await;
    assert_eq!((denied.status.as_u16(), read(&denied)), (204, other));

    // The preflights did not count, and a page of another origin is served, but cannot read the
    // reply.
    let first = call(&gateway, OTHER).await;
    assert_eq!(
        (first.status.as_u16(), first.window().map(|(left, _)| left), read(&first)),
        (501, Some(0), other)
    );
    let limited = call(&gateway, MINE).await;
    assert_eq!((limited.status.as_u16(), read(&limited)), (429, mine));
    assert!(limited.header("retry-after").is_some());
    // Refusals of unknown callers and unknown paths can be read too.
    for (path, headers, status) in
        [("/nowhere", vec![], 404), ("/api/v1/orders", vec![("x-api-key", "nobody")], 401)]
    {
        let headers: Vec<_> = headers.into_iter().chain([("origin", MINE)]).collect();
        let reply = ask(&gateway, Method::GET, path, &headers).await;
        assert_eq!((reply.status.as_u16(), read(&reply)), (status, mine), "{path}");
    }
    let without = ask(&gateway, Method::GET, "/nowhere", &[]).await;
    assert_eq!(read(&without), other);
    // OPTIONS without the headers of a preflight is a method like others.
    assert_eq!(ask(&gateway, Method::OPTIONS, COUNTED, &[("origin", MINE)]).await.status, 405);
    assert_eq!(gateway.metric("sendoff_preflights_total").await, 5);
    assert_eq!(gateway.metric("sendoff_calls_total").await, 2);
}

#[tokio::test]
async fn every_origin_can_be_allowed() {
    let gateway = Gateway::start(&with("{ origins = \"*\", max_age = 5 }", ""));
    let reply = ask(&gateway, Method::OPTIONS, COUNTED, &preflight(OTHER)).await;
    assert_eq!((reply.status.as_u16(), reply.header("access-control-max-age")), (204, Some("5")));
    let every = [Some("*"), Some(EXPOSED), None];
    assert_eq!((read(&reply), read(&call(&gateway, OTHER).await)), (every, every));
}

/// An application's own origins replace those of its environment.
#[tokio::test]
async fn an_application_has_its_own_origins() {
    let game = format!(
        "[[environment.sandbox.application]]\nname = \"game\"\nclient_swa = \"{USER_SWA}\"\norigins = [\"{OTHER}\"]\nkeys = [{{ env = \"GAME\" }}]\n"
    );
    let gateway = Gateway::start_with(
        &(with(&format!("{{ origins = [\"{MINE}\"] }}"), "") + &game),
        &[("GAME", "of-game")],
    );
    for origin in [MINE, OTHER] {
        // A preflight does not say which application calls.
        let reply = ask(&gateway, Method::OPTIONS, COUNTED, &preflight(origin)).await;
        assert_eq!(reply.header("access-control-allow-origin"), Some(origin));
        for (key, own) in [(KEY, MINE), ("of-game", OTHER)] {
            let headers = [("origin", origin), ("x-api-key", key)];
            let reply = ask(&gateway, Method::GET, "/api/v1/supported/networks", &headers).await;
            assert_eq!(
                reply.header("access-control-allow-origin"),
                (origin == own).then_some(origin),
                "{key}"
            );
            assert_eq!(reply.status, 200);
        }
    }
}

/// The gateway decides what a page may read, and the backend's `vary` stays.
#[tokio::test]
async fn headers_of_the_backend_are_replaced() {
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\nvary: accept-encoding\r\naccess-control-allow-origin: *\r\n";
    let reply =
        format!("{head}access-control-allow-credentials: true\r\ncontent-length: 2\r\n\r\n{{}}");
    let upstream = format!("upstream.url = \"{}\"", Backend::replying(reply).url);
    let gateway = Gateway::start(&with(&format!("{{ origins = [\"{MINE}\"] }}"), &upstream));
    for (origin, allowed) in [(MINE, Some(MINE)), (OTHER, None)] {
        let headers = [("origin", origin), ("authorization", "Bearer demo-token")];
        let reply = ask(&gateway, Method::GET, "/api/v1/orders", &headers).await;
        assert_eq!(
            (reply.status.as_u16(), reply.header("access-control-allow-origin")),
            (200, allowed)
        );
        assert_eq!(reply.header("access-control-allow-credentials"), None);
        let vary: Vec<_> = reply.headers.get_all("vary").iter().collect();
        assert_eq!(vary, ["accept-encoding", "origin"]);
    }
}

/// Without the key there are no such headers.
#[tokio::test]
async fn cors_is_off_by_default() {
    let gateway = Gateway::start(&config(r#""none""#, "", ""));
    let reply = ask(&gateway, Method::OPTIONS, COUNTED, &preflight(MINE)).await;
    assert_eq!((reply.status.as_u16(), read(&reply)), (405, [None; 3]));
}
