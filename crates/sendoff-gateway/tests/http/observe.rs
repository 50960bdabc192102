//! Health, readiness, metrics and logs, none of which contain secrets.

use super::estimate;
use crate::support::{admin, prelude::*};

/// What is counted of an application ends with it.
#[tokio::test]
async fn the_series_of_a_removed_application_end() {
    let gateway = admin::fresh();
    for name in ["shop", "game"] {
        let key = admin::open(&gateway, name).await;
        let line = "GET /api/v1/supported/tokens?page=0";
        assert_eq!(gateway.call(line, &[("x-api-key", &key)], "").await.status, 400);
    }
    let of = async |name: &str| {
        gateway.metric(&format!("sendoff_refusals_total{{application=\"{name}\"}}")).await
    };
    assert_eq!((of("shop").await, of("game").await), (1, 1));
    admin::change(&gateway, Method::DELETE, admin::SHOP, Value::Null).await;
    assert!(!gateway.ask("/metrics").await.contains("\"shop\""));
    assert_eq!(of("game").await, 1);
}

/// Each request has one count and one line. That of a refused one has the reason, the first problem, and the operation that a path comes near to.
#[tokio::test]
async fn the_log_and_the_metrics_say_why_a_request_was_refused() {
    let mut gateway = Gateway::start(&config(&DAILY.replace("= 5", "= 1"), "", ""));
    let mut wrong = estimate::request();
    wrong["jobId"] = "x".into();
    let mut unknown = estimate::request();
    unknown["details"]["demo-token"] = 1.into();
    let (orders, transfer) = ("GET /api/v1/orders", "POST /api/v1/nft/transfer");
    let (wallet, estimate) = ("POST /s2s/api/v1/wallet", "POST /api/oc/v1/estimate");
    let json = ("content-type", "application/json");
    let (nobody, stranger) = (("authorization", "Bearer nobody-s"), ("x-api-key", "no"));
    // The request; its reason, error code and issue, and the operation near to it.
    let cases: [(_, &[_], _, [&str; 4]); 13] = [
        (orders, &[], String::new(), ["missing-token", "ER-TECH-0007", "", ""]),
        (orders, &[nobody], String::new(), ["invalid-token", "ER-TECH-0007", "", ""]),
        (wallet, &[CLIENT], String::new(), ["invalid-server-key", "OAU_401", "", ""]),
        (wallet, &[], String::new(), ["missing-key", "ER-TECH-0007", "", ""]),
        (orders, &[stranger, USER], String::new(), ["invalid-pair", "ER-TECH-0007", "", ""]),
        ("GET /api/v1/orders/", &[], String::new(), ["not-canonical", "", "", "orders"]),
        ("POST /api/v1/orders", &[], String::new(), ["method-not-allowed", "", "", "orders"]),
        ("GET /nowhere/demo-token", &[], String::new(), ["not-found", "", "", ""]),
        (estimate, &[USER, json], wrong.to_string(), ["bad-request", "ER-TECH-0016", "jobId", ""]),
        // A key can be any text, so that the place of an unknown one is the object that has it.
        (
            estimate,
            &[USER, json],
            unknown.to_string(),
            ["bad-request", "ER-TECH-0016", "details", ""],
        ),
        (transfer, &[USER], String::new(), ["no-backend", "", "", ""]),
        (transfer, &[USER], String::new(), ["rate-limited", "ER-TECH-0100", "", ""]),
        ("GET /api/v1/supported/networks", &[USER], String::new(), [""; 4]),
    ];
    let mut ids = Vec::new();
    for (line, headers, body, _) in &cases {
        let reply = gateway.call(line, headers, body.clone()).await;
        ids.push(reply.header("x-request-id").expect("always").to_owned());
    }
    let reply = Reply::to(client().get(format!("{}/metrics", gateway.admin))).await;
    let media = reply.header("content-type").expect("a type");
    assert!(media.starts_with("application/openmetrics-text"), "{media}");
    let transfers = "operation=\"transferNft\"";
    let calls = format!("calls_total{{environment=\"sandbox\",application=\"shop\",{transfers}");
    let refusals = calls.replace("calls", "refusals");
    for line in [
        &*format!("requests_total{{environment=\"sandbox\",{transfers},status=\"501\"}} 1"),
        &format!("requests_total{{environment=\"sandbox\",{transfers},status=\"429\"}} 1"),
        r#"requests_total{environment="sandbox",operation="",status="404"} 2"#,
        r#"requests_total{environment="sandbox",operation="orders",status="401"} 3"#,
        &format!("request_duration_seconds_count{{environment=\"sandbox\",{transfers}}} 2"),
        &format!("{calls},verdict=\"admitted\"}} 1"),
        &format!("{calls},verdict=\"refused\"}} 1"),
        &format!("{refusals},reason=\"rate-limited\"}} 1"),
        &format!("{refusals},reason=\"no-backend\"}} 1"),
        r#"refusals_total{environment="sandbox",application="",operation="",reason="not-found"} 1"#,
        "requests_running 0",
        "database_up 1",
        concat!(r#"build_info{version=""#, env!("CARGO_PKG_VERSION"), r#""} 1"#),
    ] {
        assert!(reply.text.contains(&format!("\nsendoff_{line}\n")), "{line}: {}", reply.text);
    }
    assert!(reply.text.ends_with("# EOF\n") && !reply.text.contains(TOKEN));
    assert!(!reply.text.contains("sendoff_store_up{"), "there is no store");
    let log = gateway.stop();
    let lines = requests(&log);
    assert_eq!(lines.len(), ids.len(), "{log}");
    for ((line, id), (_, headers, _, expected)) in lines.iter().zip(ids).zip(cases) {
        let fields = ["reason", "error_code", "issue", "near"].map(|name| &line[name]);
        assert_eq!(fields, expected, "{line}");
        // `printf %s WALLET | sha256sum` begins like this.
        let is_known = headers.first() == Some(&USER);
        let (application, user) = if is_known { ("shop", "0243bba16fd98b13") } else { ("", "") };
        let fields = ["application", "user", "address", "trace_id"].map(|name| &line[name]);
        assert_eq!(fields, [application, user, "127.0.0.1", &id], "{line}");
        let is_timed = line["micros"].is_u64() && line["store_micros"].is_u64();
        assert!(is_timed && line["backend_micros"] == 0, "{line}");
    }
    assert!(!log.contains(TOKEN), "{log}");
}
