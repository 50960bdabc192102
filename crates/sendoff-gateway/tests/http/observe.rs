//! Health, readiness, metrics and logs, none of which contain secrets.

use reqwest::Method;
use serde_json::Value;

use super::estimate;
use crate::support::{Gateway, KEY, TOKEN, admin, client, config, reply::Reply};

#[tokio::test]
async fn health_and_readiness_are_served() {
    let gateway = Gateway::start(&config(r#""none""#, "", ""));
    for (path, status, text) in
        [("/health", 200, "alive\n"), ("/ready", 200, "ready\n"), ("/nowhere", 404, "")]
    {
        let reply = Reply::to(client().get(format!("{}{path}", gateway.admin))).await;
        assert_eq!((reply.status.as_u16(), reply.text.as_str()), (status, text), "{path}");
    }
}

#[tokio::test]
async fn metrics_count_requests_and_verdicts() {
    let gateway = Gateway::start(&config(
        "{ limit = 1, window_ms = 86400000, midnight = \"carry\" }",
        "",
        "",
    ));
    let call = || Reply::to(client().post(gateway.url("/api/v1/nft/transfer")).bearer_auth(TOKEN));
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

/// Every line is a JSON object. Each request has one line with its trace id, environment, operation and application.
#[tokio::test]
async fn each_request_has_one_line_of_log() {
    let mut gateway = Gateway::start(&config(r#""none""#, "", ""));
    let get = client().get(gateway.url("/api/v1/supported/networks")).bearer_auth(TOKEN);
    Reply::to(get.header("x-request-id", "find \"me\"".replace(['"', ' '], "-"))).await;
    let unknown = Reply::to(client().get(gateway.url("/nowhere"))).await;
    let log = gateway.stop();
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let requests: Vec<_> = lines.iter().filter(|fields| fields["message"] == "request").collect();
    assert_eq!(requests.len(), 2, "{log}");
    for (name, value) in [
        ("trace_id", "find--me-"),
        ("environment", "sandbox"),
        ("operation", "supportedNetworks"),
        ("application", "shop"),
    ] {
        assert_eq!(requests[0][name], value, "{log}");
    }
    assert_eq!(requests[0]["status"], 200);
    assert!(requests[0]["micros"].is_u64());
    assert_eq!(requests[1]["trace_id"], unknown.header("x-request-id").expect("always"));
    assert_eq!((&requests[1]["operation"], &requests[1]["application"]), (&"".into(), &"".into()));
}

/// The line of a refused request has the reason, the first problem, and the operation that a path comes near to.
#[tokio::test]
async fn the_log_says_why_a_request_was_refused() {
    let mut gateway = Gateway::start(&config(
        "{ limit = 1, window_ms = 86400000, midnight = \"carry\" }",
        "",
        "",
    ));
    let get = |path: &str| client().get(gateway.url(path));
    let post =
        |path: &str| client().post(gateway.url(path)).header("content-type", "application/json");
    let mut wrong = estimate::request();
    wrong["jobId"] = "x".into();
    let mut unknown = estimate::request();
    unknown["details"]["demo-token"] = 1.into();
    let wallet = "/s2s/api/v1/wallet";
    let estimate = || post("/api/oc/v1/estimate").bearer_auth(TOKEN);
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
        (estimate().body(wrong.to_string()), "bad-request", "ER-TECH-0016", "jobId", ""),
        // A key can be any text, so that the place of an unknown one is the object that has it.
        (estimate().body(unknown.to_string()), "bad-request", "ER-TECH-0016", "details", ""),
        (post("/api/v1/nft/transfer").bearer_auth(TOKEN), "no-backend", "", "", ""),
        (post("/api/v1/nft/transfer").bearer_auth(TOKEN), "rate-limited", "ER-TECH-0100", "", ""),
        (get("/api/v1/supported/networks").bearer_auth(TOKEN), "", "", "", ""),
    ];
    let mut expected = Vec::new();
    for (request, reason, error_code, issue, near) in cases {
        let is_known =
            reason.starts_with("bad") || ["no-backend", "rate-limited", ""].contains(&reason);
        expected.push((reason, error_code, issue, near, is_known));
        Reply::to(request).await;
    }
    let log = gateway.stop();
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let lines: Vec<_> = lines.iter().filter(|line| line["message"] == "request").collect();
    assert_eq!(lines.len(), expected.len(), "{log}");
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
