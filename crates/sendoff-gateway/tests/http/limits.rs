//! Rate limits, and requests that do not change a window.

use std::time::Duration;

use reqwest::Method;

use super::estimate;
use crate::support::{
    Gateway, KEY, SERVER_KEY, TOKEN, backend::Backend, client, config, reply::Reply, wire,
};

/// Windows of a day that continue over midnight, so that no window ends during a test.
const POLICY: &str = r#"{ limit = 5, window_ms = 86_400_000, midnight = "carry" }"#;
const DAY: u64 = 86_400;
const FIELDS: &str = "rate_limit_fields = true";

/// The calls that count, of client and server.
const COUNTED: [&str; 11] = [
    "/api/v1/transfer/tokens/execute",
    "/api/v1/nft/transfer",
    "/api/v1/readContractData",
    "/api/v1/rawtransaction/execute",
    "/s2s/api/v1/wallet",
    "/s2s/api/v1/bulk-wallets",
    "/s2s/api/v2/nft/mint",
    "/s2s/api/v2/nft/transfer",
    "/s2s/api/v2/transfer/tokens/execute/some%20user",
    "/s2s/api/v1/readContractData",
    "/s2s/api/v1/rawtransaction/execute/some-user",
];

async fn ask(method: Method, url: String) -> Reply {
    let key = if url.contains("/s2s/") { SERVER_KEY } else { KEY };
    let request = client().request(method, &url).header("x-api-key", key).bearer_auth(TOKEN);
    Reply::to(request.header("content-type", "application/json")).await
}

async fn call(gateway: &Gateway, path: &str) -> Reply {
    ask(Method::POST, gateway.url(path)).await
}

#[tokio::test]
async fn calls_of_client_and_server_count_under_one_limit() {
    let gateway = Gateway::start(&config(&POLICY.replace("limit = 5", "limit = 10"), "", FIELDS));
    for (path, left) in COUNTED.iter().zip((0..10).rev()) {
        let reply = call(&gateway, path).await;
        reply.refused(501, None);
        assert_eq!(reply.header("ratelimit-policy"), Some(r#""sendoff";q=10;w=86400"#), "{path}");
        assert_eq!(reply.window().expect("fields").0, left, "{path}");
    }
    let refused = call(&gateway, COUNTED[10]).await;
    assert_eq!(refused.refused(429, Some("ER-TECH-0100")), "Rate Limit Exceeded");
    let seconds =
        refused.header("retry-after").expect("a refusal has retry-after").parse().expect("seconds");
    assert!((DAY - 60..=DAY).contains(&seconds), "{seconds}");
    assert_eq!(refused.window(), Some((0, seconds)));
}

#[tokio::test]
async fn requests_that_do_not_count_are_never_refused() {
    let gateway = Gateway::start(&config(&POLICY.replace("limit = 5", "limit = 1"), "", FIELDS));
    let first = call(&gateway, COUNTED[1]).await;
    assert_eq!(first.window().expect("fields").0, 0);
    for path in [
        "/api/v1/portfolio",
        "/api/v1/orders",
        "/api/v1/supported/networks",
        "/api/v1/supported/tokens",
    ] {
        let reply = ask(Method::GET, gateway.url(path)).await;
        assert!([200, 501].contains(&reply.status.as_u16()), "{path}");
        assert_eq!((reply.window(), reply.header("ratelimit-policy")), (None, None), "{path}");
    }
    let estimate = Reply::to(gateway.estimate(estimate::request().to_string())).await;
    assert_eq!((estimate.status.as_u16(), estimate.window()), (200, None));
    assert_eq!(call(&gateway, COUNTED[1]).await.status, 429);
}

/// A call is counted before its body comes, so even a reply to a bad body has the number of calls left.
#[tokio::test]
async fn every_reply_to_a_counted_call_has_the_number_of_calls_left() {
    let backend = Backend::raw(|mut stream| {
        if !wire::head(&mut stream).contains("content-length") {
            wire::rest(&mut stream);
        }
    });
    let head = "bounds.body_bytes = 10\nbounds.body_ms = 200";
    let gateway =
        Gateway::start(&config(POLICY, head, &format!("{FIELDS}\nupstream.url = \"{backend}\"")));
    let post = |body: reqwest::Body| gateway.post(COUNTED[1]).body(body);
    let stalled = tokio_stream::StreamExt::chain(
        tokio_stream::once(Ok::<_, std::io::Error>("a")),
        tokio_stream::pending(),
    );
    let chunked = tokio_stream::iter(["123456", "123456"].map(Ok::<_, std::io::Error>));
    for (body, status, left) in [
        ("12345678901".into(), 413, 4),
        (reqwest::Body::wrap_stream(chunked), 413, 3),
        (reqwest::Body::wrap_stream(stalled), 408, 2),
        ("1".into(), 502, 1),
    ] {
        let reply = Reply::to(post(body)).await;
        reply.refused(status, (status == 502).then_some("ER-TECH-0006"));
        assert_eq!(reply.window().map(|(left, _)| left), Some(left), "{status}");
    }
}

/// Unknown callers and unknown operations neither count nor start a window: the first known call after them starts a whole one.
#[tokio::test]
async fn unknown_callers_do_not_start_a_window() {
    let (unknown, known) =
        (Gateway::start(&config(POLICY, "", FIELDS)), Gateway::start(&config(POLICY, "", FIELDS)));
    unidentified_requests(&unknown).await;
    assert_eq!(ask(Method::GET, known.url("/api/v1/supported/networks")).await.status, 200);
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(call(&unknown, COUNTED[1]).await.window(), Some((4, DAY)));
    unidentified_requests(&unknown).await;
    assert_eq!(call(&unknown, COUNTED[1]).await.window().map(|(left, _)| left), Some(3));
    // The known caller has started its window with a request that does not count.
    let (left, seconds) = call(&known, COUNTED[1]).await.window().expect("fields");
    assert!(left == 4 && seconds < DAY, "{seconds}");
}

async fn unidentified_requests(gateway: &Gateway) {
    let known = ("authorization", "Bearer demo-token");
    for (method, path, headers, status) in [
        (Method::POST, COUNTED[1], vec![], 401),
        (Method::POST, COUNTED[1], vec![("authorization", "Bearer nobody's")], 401),
        (Method::POST, COUNTED[1], vec![("authorization", "demo-token")], 401),
        (Method::POST, COUNTED[1], vec![("x-api-key", KEY)], 401),
        (Method::POST, COUNTED[1], vec![("x-api-key", "nobody's"), known], 401),
        (Method::POST, COUNTED[4], vec![("x-api-key", KEY)], 401),
        (Method::POST, COUNTED[4], vec![known], 401),
        (Method::GET, "/api/v1/portfolio", vec![("authorization", "Bearer nobody's")], 401),
        (Method::GET, "/api/v1/supported/tokens", vec![("x-api-key", SERVER_KEY)], 401),
        (Method::POST, "/api/v1/nft/transfer/", vec![known], 404),
        (Method::POST, "/nowhere", vec![known], 404),
        (Method::GET, COUNTED[1], vec![known], 405),
    ] {
        let request = client().request(method, gateway.url(path));
        let request =
            headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let reply = Reply::to(request).await;
        assert_eq!((reply.status.as_u16(), reply.window()), (status, None), "{path} {headers:?}");
    }
}

/// An application with a policy of its own is not limited by its environment's.
#[tokio::test]
async fn an_application_has_its_own_policy() {
    let other = |name: &str, policy: &str| {
        let keys = format!("server_keys = [{{ env = \"{name}\" }}]\npolicy = {policy}");
        let swa = "client_swa = \"0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F\"";
        format!("[[environment.sandbox.application]]\nname = \"{name}\"\n{swa}\n{keys}\n")
    };
    let file = config(POLICY, "", FIELDS)
        + &other("A", &POLICY.replace("= 5", "= 2"))
        + &other("B", "\"none\"");
    let gateway = Gateway::start_with(&file, &[("A", "key-of-a"), ("B", "key-of-b")]);
    for (key, limit) in [(SERVER_KEY, Some(5)), ("key-of-a", Some(2)), ("key-of-b", None)] {
        let call = || Reply::to(client().post(gateway.url(COUNTED[4])).header("x-api-key", key));
        for left in (0..limit.unwrap_or(7)).rev() {
            let reply = call().await;
            assert_eq!(
                (reply.status.as_u16(), reply.window().map(|(left, _)| left)),
                (501, limit.map(|_| left)),
                "{key}"
            );
        }
        assert_eq!(call().await.status, if limit.is_some() { 429 } else { 501 }, "{key}");
    }
}

#[tokio::test]
async fn applications_and_environments_have_their_own_windows() {
    let sandbox = config(POLICY, "", FIELDS);
    let other = r#"
[[environment.sandbox.application]]
name = "other"
client_swa = "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F"
server_keys = [{ env = "OTHER_KEY" }]
"#;
    let sandbox = sandbox + other;
    let (head, environment) =
        sandbox.split_at(sandbox.find("[environment.sandbox]").expect("an environment"));
    let production = environment
        .replace("environment.sandbox", "environment.production")
        .replace("limit = 5", "limit = 3");
    let gateway =
        Gateway::start_with(&format!("{head}{production}{environment}"), &[("OTHER_KEY", "other")]);
    let [(production, at_production), (sandbox, at_sandbox)] = gateway.environments.as_slice()
    else {
        panic!("{:?}", gateway.environments)
    };
    assert_eq!((production.as_str(), sandbox.as_str()), ("production", "sandbox"));
    let left = async |at: &str, key: &str| {
        let call = client().post(format!("{at}{}", COUNTED[4])).header("x-api-key", key);
        Reply::to(call).await.window().expect("fields").0
    };
    assert_eq!((left(at_sandbox, SERVER_KEY).await, left(at_sandbox, SERVER_KEY).await), (4, 3));
    assert_eq!((left(at_production, SERVER_KEY).await, left(at_production, "other").await), (2, 2));
    assert_eq!((left(at_sandbox, "other").await, left(at_sandbox, SERVER_KEY).await), (4, 2));
}
