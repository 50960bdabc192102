//! Health, readiness, metrics and logs, none of which contain secrets.

use serde_json::Value;

use super::estimate;
use crate::support::{
    Gateway, KEY, SERVER_KEY, TOKEN, backend::Backend, client, config, reply::Reply, wire::exchange,
};

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

/// Logs and metrics contain no key and no token, wherever a caller puts it.
#[tokio::test]
async fn logs_and_metrics_contain_no_secret() {
    let backend = Backend::replying(
        "HTTP/1.1 200 OK\r\nset-cookie: a=demo-token\r\ncontent-length: 10\r\n\r\nhalf",
    );
    let bundler = format!(
        "bundler = {{ url = \"{}\", entry_point = \"0x0000000071727De22E5E9d8BAf0edAc6f37da032\", on_loss = \"file\" }}",
        Backend::replying("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\ndemo-token").url
    );
    let environment = format!("upstream = \"{}\"\n{bundler}", backend.url);
    let secrets =
        ["demo-token", "demo-key", "demo-server-key", "demo%2Dtoken", "nobody-s", "bm9ib2R5LXM"];
    for level in ["info", "debug"] {
        let mut gateway = Gateway::start_with(
            &config(r#""none""#, "body_ms = 200", &environment),
            &[("SENDOFF_LOG", level)],
        );
        for (path, name, value) in [
            ("/api/v1/orders", "authorization", "Bearer demo-token"),
            ("/api/v1/orders?token=demo-token&demo%2Dtoken", "authorization", "Bearer demo-token"),
            ("/api/v1/supported/tokens?page=demo-token", "x-api-key", KEY),
            ("/api/v1/orders", "authorization", "Bearer nobody-s"),
            ("/api/v1/orders", "authorization", "Basic bm9ib2R5LXM="),
            ("/api/v1/orders", "authorization", "demo-token"),
            ("/api/v1/orders", "x-api-key", "nobody-s"),
            ("/api/v1/orders", "cookie", "token=demo-token"),
            ("/demo-token/demo%2Dtoken", "a", "b"),
            ("//api/v1/orders/demo-token", "a", "b"),
        ] {
            // The backend ends its reply early, so the body is not read.
            client().get(gateway.url(path)).header(name, value).send().await.expect("a reply");
        }
        let post = |path: &str, body: String| {
            let request = client()
                .post(gateway.url(path))
                .header("content-type", "application/json")
                .body(body);
            let request = if path.starts_with("/s2s") {
                request.header("x-api-key", SERVER_KEY)
            } else {
                request.bearer_auth(TOKEN)
            };
            request.send()
        };
        let mut named = estimate::request();
        named["jobId"] = "demo-token".into();
        post("/api/oc/v1/estimate", estimate::request().to_string()).await.expect("a reply");
        post("/api/oc/v1/estimate", named.to_string()).await.expect("a reply");
        post("/api/oc/v1/estimate", "demo-token".into()).await.expect("a reply");
        post("/s2s/api/v1/wallet", "demo-key".into()).await.expect("a reply");
        post("/s2s/api/v1/rawtransaction/execute/demo%2Dtoken", "{}".into())
            .await
            .expect("a reply");
        for bytes in [
            "demo-token\r\n\r\n",
            "GET /api/v1/orders HTTP/1.1\r\ndemo-token: demo key\r\nauthorization : Bearer demo-token\r\n\r\n",
            "POST /api/v1/nft/transfer HTTP/1.1\r\nhost: demo-token\r\nauthorization: Bearer demo-token\r\ncontent-length: 9\r\n\r\n",
            "demo-token /demo-token HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
        ] {
            exchange(gateway.socket(), bytes);
        }
        let (metrics, log) = (gateway.ask("/metrics").await, gateway.stop());
        assert!(log.lines().count() > 15, "{log}");
        for secret in secrets {
            for (name, text) in [("metrics", &metrics), ("log", &log)] {
                assert!(
                    !text.contains(secret),
                    "`{secret}` is in the {name} at level {level}:\n{text}"
                );
            }
        }
    }
}
