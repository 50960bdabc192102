//! Health, readiness, metrics and logs, none of which contain secrets.

use reqwest::Method;
use serde_json::Value;

use super::estimate;
use crate::support::{Gateway, KEY, TOKEN, admin, client, config, reply::Reply, requests};

#[tokio::test]
async fn metrics_count_requests_and_verdicts() {
    let gateway = Gateway::start(&config(
        "{ limit = 1, window_ms = 86400000, midnight = \"carry\" }",
        "",
        "",
    ));
    let call = || Reply::to(gateway.post("/api/v1/nft/transfer"));
    assert_eq!((call().await.status.as_u16(), call().await.status.as_u16()), (501, 429));
    assert_eq!(Reply::to(client().get(gateway.url("/nowhere/demo-token"))).await.status, 404);
    assert_eq!(Reply::to(client().get(gateway.url("/api/v1/orders"))).await.status, 401);

    let reply = Reply::to(client().get(format!("{}/metrics", gateway.admin))).await;
    assert!(
        reply.header("content-type").expect("a type").starts_with("application/openmetrics-text")
    );
    for line in [
        r#"sendoff_requests_total{environment="sandbox",operation="transferNft",status="501"} 1"#,
        r#"sendoff_requests_total{environment="sandbox",operation="transferNft",status="429"} 1"#,
        r#"sendoff_requests_total{environment="sandbox",operation="",status="404"} 1"#,
        r#"sendoff_requests_total{environment="sandbox",operation="orders",status="401"} 1"#,
        r#"sendoff_request_duration_seconds_count{environment="sandbox",operation="transferNft"} 2"#,
        r#"sendoff_calls_total{environment="sandbox",application="shop",operation="transferNft",verdict="admitted"} 1"#,
        r#"sendoff_calls_total{environment="sandbox",application="shop",operation="transferNft",verdict="refused"} 1"#,
        r#"sendoff_refusals_total{environment="sandbox",application="shop",operation="transferNft",reason="rate-limited"} 1"#,
        r#"sendoff_refusals_total{environment="sandbox",application="shop",operation="transferNft",reason="no-backend"} 1"#,
        r#"sendoff_refusals_total{environment="sandbox",application="",operation="",reason="not-found"} 1"#,
        r#"sendoff_refusals_total{environment="sandbox",application="",operation="orders",reason="missing-token"} 1"#,
        r#"sendoff_requests_running 0"#,
        concat!(r#"sendoff_build_info{version=""#, env!("CARGO_PKG_VERSION"), r#""} 1"#),
    ] {
        assert!(reply.text.lines().any(|found| found == line), "{line} is not in\n{}", reply.text);
    }
    assert!(reply.text.ends_with("# EOF\n"));
    assert!(!reply.text.contains("sendoff_store_up{"), "there is no store");
}

/// What is counted of an application ends with it.
#[tokio::test]
async fn the_series_of_a_removed_application_end() {
    let file = admin::file();
    let gateway = admin::start(file.to_str().expect("text"));
    for name in ["shop", "game"] {
        let key = admin::make(&gateway, name).await;
        let wrong = client().get(gateway.url("/api/v1/supported/tokens?page=0"));
        assert_eq!(Reply::to(wrong.header("x-api-key", key)).await.status, 400);
    }
    let of = |name: &str| format!("sendoff_refusals_total{{application=\"{name}\"}}");
    assert_eq!((gateway.metric(&of("shop")).await, gateway.metric(&of("game")).await), (1, 1));
    admin::change(&gateway, Method::DELETE, "/applications/sandbox/shop", Value::Null).await;
    assert!(!gateway.ask("/metrics").await.contains("\"shop\""));
    assert_eq!(gateway.metric(&of("game")).await, 1);
}

/// Each request has one line. That of a refused one has the reason, the first problem, and the operation that a path comes near to.
#[tokio::test]
async fn the_log_says_why_a_request_was_refused() {
    let mut gateway = Gateway::start(&config(
        "{ limit = 1, window_ms = 86400000, midnight = \"carry\" }",
        "",
        "",
    ));
    let get = |path: &str| client().get(gateway.url(path));
    let post = |path: &str| client().post(gateway.url(path));
    let mut wrong = estimate::request();
    wrong["jobId"] = "x".into();
    let mut unknown = estimate::request();
    unknown["details"]["demo-token"] = 1.into();
    let wallet = "/s2s/api/v1/wallet";
    let cases = [
        (get("/api/v1/orders"), "missing-token", "ER-TECH-0007", "", ""),
        (get("/api/v1/orders").bearer_auth("nobody-s"), "invalid-token", "ER-TECH-0007", "", ""),
        (post(wallet).header("x-api-key", KEY), "invalid-server-key", "OAU_401", "", ""),
        (post(wallet), "missing-key", "ER-TECH-0007", "", ""),
        (
            get("/api/v1/orders").header("x-api-key", "no").bearer_auth(TOKEN),
            "invalid-pair",
            "ER-TECH-0007",
            "",
            "",
        ),
        (get("/api/v1/orders/"), "not-canonical", "", "", "orders"),
        (post("/api/v1/orders"), "method-not-allowed", "", "", "orders"),
        (get("/nowhere"), "not-found", "", "", ""),
        (gateway.estimate(wrong.to_string()), "bad-request", "ER-TECH-0016", "jobId", ""),
        // A key can be any text, so that the place of an unknown one is the object that has it.
        (gateway.estimate(unknown.to_string()), "bad-request", "ER-TECH-0016", "details", ""),
        (gateway.post("/api/v1/nft/transfer"), "no-backend", "", "", ""),
        (gateway.post("/api/v1/nft/transfer"), "rate-limited", "ER-TECH-0100", "", ""),
        (gateway.get("/api/v1/supported/networks"), "", "", "", ""),
    ];
    let (mut expected, mut ids) = (Vec::new(), Vec::new());
    for (request, reason, error_code, issue, near) in cases {
        let is_known =
            reason.starts_with("bad") || ["no-backend", "rate-limited", ""].contains(&reason);
        expected.push((reason, error_code, issue, near, is_known));
        let reply = Reply::to(request).await;
        ids.push(reply.header("x-request-id").expect("always").to_owned());
    }
    let log = gateway.stop();
    let lines = requests(&log);
    assert_eq!(
        lines.iter().map(|line| line["trace_id"].as_str().expect("text")).collect::<Vec<_>>(),
        ids,
        "{log}"
    );
    // `printf %s WALLET | sha256sum` begins like this.
    let user = "0243bba16fd98b13";
    for (line, (reason, error_code, issue, near, is_known)) in lines.into_iter().zip(expected) {
        let found =
            [&line["reason"], &line["error_code"], &line["issue"], &line["near"], &line["address"]];
        assert_eq!(found, [reason, error_code, issue, near, "127.0.0.1"], "{line}");
        let (application, user) = if is_known { ("shop", user) } else { ("", "") };
        assert_eq!(
            (&line["application"], &line["user"]),
            (&application.into(), &user.into()),
            "{line}"
        );
        assert!(
            line["micros"].is_u64() && line["store_micros"].is_u64() && line["backend_micros"] == 0,
            "{line}"
        );
    }
    assert!(!log.contains(TOKEN), "{log}");
}
