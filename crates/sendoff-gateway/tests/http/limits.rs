//! Rate limits, and requests that do not change a window.

use sendoff::http::Operation;

use super::estimate;
use crate::support::prelude::*;

const DAY: u64 = 86_400;
const FIELDS: &str = "rate_limit_fields = true";

/// A gateway with a limit of a day.
fn gateway(limit: u64, head: &str, environment: &str) -> Gateway {
    let policy = DAILY.replace("= 5", &format!("= {limit}"));
    Gateway::start(&config(&policy, head, &format!("{FIELDS}\n{environment}")))
}

async fn call(gateway: &Gateway, path: &str) -> Reply {
    let key = if path.contains("/s2s/") { SERVER } else { CLIENT };
    let json = ("content-type", "application/json");
    gateway.call(&format!("POST {path}"), &[key, USER, json], "").await
}

#[tokio::test]
async fn calls_of_client_and_server_count_under_one_limit() {
    let gateway = gateway(10, "", "");
    let counted = Operation::ALL.iter().filter(|operation| operation.is_limited());
    let path = |operation: &Operation| {
        operation.path_template().replace("{userId}", "some%20user").replace("{TW_USER_ID}", "a")
    };
    let counted: Vec<_> = counted.map(path).collect();
    assert_eq!(counted.len(), 11, "of the specification: the laws");
    for (path, left) in counted.iter().zip((0..10).rev()) {
        let reply = call(&gateway, path).await;
        reply.refused(501, None);
        assert_eq!(reply.header("ratelimit-policy"), Some(r#""sendoff";q=10;w=86400"#), "{path}");
        assert_eq!(reply.left(), Some(left), "{path}");
    }
    let refused = call(&gateway, &counted[10]).await;
    assert_eq!(refused.refused(429, Some("ER-TECH-0100")), "Rate Limit Exceeded");
    let seconds = refused.header("retry-after").and_then(|seconds| seconds.parse().ok());
    let seconds = seconds.expect("a refusal has retry-after");
    assert!((DAY - 60..=DAY).contains(&seconds), "{seconds}");
    assert_eq!(refused.window(), Some((0, seconds)));

    // What does not count is never refused.
    for path in ["/api/v1/portfolio", ORDERS, NETWORKS, "/api/v1/supported/tokens"] {
        let reply = gateway.get(path).await;
        assert!([200, 501].contains(&reply.status), "{path}");
        assert_eq!((reply.window(), reply.header("ratelimit-policy")), (None, None), "{path}");
    }
    let estimate = gateway.estimate(estimate::request().to_string()).await;
    assert_eq!((estimate.status, estimate.window()), (200, None));
    assert_eq!(call(&gateway, TRANSFER).await.status, 429);
}

/// A call is counted before its body comes, so even a reply to a bad body has the number of calls left.
#[tokio::test]
async fn every_reply_to_a_counted_call_has_the_number_of_calls_left() {
    let backend = format!("upstream.url = \"{}\"\nupstream.ms = 500", Backend::silent());
    let gateway = gateway(5, "bounds.body_bytes = 10\nbounds.body_ms = 200", &backend);
    let part = Ok::<_, std::io::Error>;
    let stalled =
        tokio_stream::StreamExt::chain(tokio_stream::once(part("a")), tokio_stream::pending());
    let chunked = tokio_stream::iter(["123456", "123456"].map(part));
    for (body, status, left) in [
        ("12345678901".into(), 413, 4),
        (reqwest::Body::wrap_stream(chunked), 413, 3),
        (reqwest::Body::wrap_stream(stalled), 408, 2),
        ("1".into(), 504, 1),
    ] {
        let reply = gateway.call("POST /api/v1/nft/transfer", &[USER], body).await;
        reply.refused(status, (status == 504).then_some("ER-TECH-0006"));
        assert_eq!(reply.left(), Some(left), "{status}");
    }
}

/// Unknown callers and unknown operations neither count nor start a window: the first known call after them starts a whole one.
#[tokio::test]
async fn unknown_callers_do_not_start_a_window() {
    let (unknown, known) = (gateway(5, "", ""), gateway(1_000, "", ""));
    unidentified_requests(&unknown).await;
    // The known caller has started its window with a request that does not count.
    assert_eq!(known.get(NETWORKS).await.status, 200);
    let passed = async || call(&known, TRANSFER).await.window().expect("fields").1 < DAY;
    until("a second has passed", passed).await;
    assert_eq!(call(&unknown, TRANSFER).await.window(), Some((4, DAY)));
    unidentified_requests(&unknown).await;
    assert_eq!(call(&unknown, TRANSFER).await.left(), Some(3));
}

async fn unidentified_requests(gateway: &Gateway) {
    let nobody = ("authorization", "Bearer nobody's");
    let (transfer, wallet) = ("POST /api/v1/nft/transfer", "POST /s2s/api/v1/wallet");
    for (line, headers, status) in [
        (transfer, &[][..], 401),
        (transfer, &[nobody], 401),
        (transfer, &[("authorization", TOKEN)], 401),
        (transfer, &[CLIENT], 401),
        (transfer, &[("x-api-key", "nobody's"), USER], 401),
        (wallet, &[CLIENT], 401),
        (wallet, &[USER], 401),
        ("GET /api/v1/portfolio", &[nobody], 401),
        ("GET /api/v1/supported/tokens", &[SERVER], 401),
        ("POST /api/v1/nft/transfer/", &[USER], 404),
        ("POST /nowhere", &[USER], 404),
        ("GET /api/v1/nft/transfer", &[USER], 405),
    ] {
        let reply = gateway.call(line, headers, "").await;
        assert_eq!((reply.status, reply.window()), (status, None), "{line} {headers:?}");
    }
}

/// Each application of an environment has a window, and one with a policy of its own has not its environment's limit.
#[tokio::test]
async fn applications_and_environments_have_their_own_windows() {
    let other =
        |name: &str, policy: &str| application(name, &format!("{policy}\n{}", key(name, "server")));
    let two = format!("policy = {}", DAILY.replace("= 5", "= 2"));
    let sandbox = config(DAILY, "", FIELDS)
        + &other("other", "")
        + &other("two", &two)
        + &other("none", "policy = \"none\"");
    let at = sandbox.find("[environment.sandbox]").expect("an environment");
    let (head, environment) = sandbox.split_at(at);
    let production = environment.replace("environment.sandbox", "environment.production");
    let production = production.replace("limit = 5", "limit = 3");
    let gateway = Gateway::start(&format!("{head}{production}{environment}"));
    // The calls left after each call; one without a limit has no such field.
    for (environment, key, expected) in [
        ("sandbox", SERVER_KEY, &[Some(4), Some(3)][..]),
        ("production", SERVER_KEY, &[Some(2)]),
        ("production", "other", &[Some(2), Some(1), Some(0)]),
        ("sandbox", "other", &[Some(4)]),
        ("sandbox", SERVER_KEY, &[Some(2), Some(1), Some(0)]),
        ("sandbox", "two", &[Some(1), Some(0)]),
        ("sandbox", "none", &[None; 7]),
    ] {
        let call = async || {
            let url = format!("{}{WALLET}", gateway.environments[environment]);
            Reply::to(client().post(url).header("x-api-key", key)).await
        };
        for left in expected {
            let reply = call().await;
            // It is admitted: there is no backend.
            assert_eq!((reply.status, reply.left()), (501, *left), "{environment} {key}");
        }
        if expected.ends_with(&[Some(0)]) {
            assert_eq!(call().await.status, 429, "{environment} {key}");
        }
    }
}
