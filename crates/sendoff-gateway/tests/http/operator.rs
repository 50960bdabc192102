//! What an operator does and sees: applications that change, keys that end, and parts that do not answer.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use sqlx::{Connection as _, Executor as _, SqliteConnection};

use crate::support::{
    Gateway,
    admin::{self, ADMIN, ask, change, make, read, run, start},
    client, config,
    redis::Redis,
    split,
};

const SHOP: &str = "/applications/sandbox/shop";

/// Keys and tokens that have ended are swept, and take no place of others.
#[tokio::test]
async fn a_key_is_rotated_as_often_as_it_must() {
    let file = admin::file();
    let gateway = start(file.to_str().expect("text"));
    make(&gateway, "shop").await;
    let wallet = json!({ "userSWA": "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906" });
    let user = change(&gateway, Method::POST, &format!("{SHOP}/users"), wallet).await;
    let keys = read(&gateway, &format!("{SHOP}/keys")).await["keys"].clone();
    for (list, first) in [("keys", keys[0].clone()), ("users", user)] {
        let mut id = first["id"].clone();
        for _ in 0..70 {
            let rotate = format!("{SHOP}/{list}/{}/rotate", id.as_str().expect("an id"));
            let new = change(&gateway, Method::POST, &rotate, json!({ "overlapSeconds": 0 })).await;
            id = new["id"].clone();
        }
        let left = read(&gateway, &format!("{SHOP}/{list}")).await[list].clone();
        // The last one, and the one before, which ended at that moment.
        assert!(left.as_array().expect("a list").len() <= 2, "{left}");
    }
}

/// An application gets another limit, other pages and another wallet, in service at once, and the audit log has all of it.
#[tokio::test]
async fn an_application_is_changed() {
    let file = admin::file();
    let gateway = start(file.to_str().expect("text"));
    make(&gateway, "shop").await;
    let policy = json!({ "limit": 9, "windowMs": 60_000, "dayOffsetMinutes": 0, "midnight": "reset", "holdMs": 0 });
    let origins = json!(["https://a.example"]);
    let wallet = json!("0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906");
    for (given, expected) in [
        (json!({ "policy": { "limit": 9, "windowMs": 60_000 } }), ("limit", json!(9))),
        (json!({ "origins": origins, "clientSWA": wallet }), ("clientSWA", wallet.clone())),
        (json!({ "policy": null, "origins": "*" }), ("origins", json!("*"))),
        (json!({ "policy": "none", "origins": null }), ("policy", json!("none"))),
    ] {
        change(&gateway, Method::PATCH, SHOP, given.clone()).await;
        let shown = read(&gateway, SHOP).await;
        let (field, value) = expected;
        let found = if field == "limit" { &shown["policy"]["limit"] } else { &shown[field] };
        assert_eq!(*found, value, "{shown}");
        let audit = read(&gateway, &format!("{SHOP}/audit?limit=1")).await["changes"][0].clone();
        assert_eq!(audit["action"], "change-application");
        let names: BTreeSet<_> = audit["about"].as_object().expect("an object").keys().collect();
        let given: BTreeSet<_> = given.as_object().expect("an object").keys().collect();
        assert_eq!(names, given, "{audit}");
    }
    let shown = read(&gateway, SHOP).await;
    assert!(shown.get("origins").is_none() && policy["limit"] == 9, "{shown}");
    for (wrong, path) in [
        (json!({ "policy": { "limit": 0 } }), "policy.limit"),
        (json!({ "origins": ["here"] }), "origins.0"),
        (json!({ "clientSWA": 5 }), "clientSWA"),
        (json!({ "name": "x" }), "name"),
    ] {
        let reply = ask(&gateway, Method::PATCH, SHOP, "wrong-1", &wrong).await;
        reply.refused(400, Some("ER-TECH-0016"));
        assert_eq!(reply.issues()[0].0, path, "{}", reply.text);
    }

    // What was known and made is in the log whole.
    let token =
        json!({ "caip2Id": "eip155:137", "tokenAddress": format!("0x{:040x}", 77), "name": "X" });
    change(
        &gateway,
        Method::POST,
        &format!("{SHOP}/catalogue/known"),
        json!({ "tokens": [token] }),
    )
    .await;
    let audit =
        read(&gateway, &format!("{SHOP}/audit?limit=1")).await["changes"][0]["about"].clone();
    assert_eq!(audit["tokens"][0]["name"], "X", "{audit}");
}

/// While the database hangs, readers of the admin API take no place of health, readiness and metrics.
#[tokio::test(flavor = "multi_thread")]
async fn health_does_not_wait_for_a_database() {
    let file = admin::file();
    let file = file.to_str().expect("text");
    let gateway = start(file);
    make(&gateway, "shop").await;
    let mut other =
        SqliteConnection::connect(&format!("sqlite://{file}")).await.expect("a database");
    other.execute("BEGIN EXCLUSIVE").await.expect("it is locked");
    let asked: Vec<_> = (0..24)
        .map(|_| {
            let request =
                client().get(format!("{}/admin/v1/audit", gateway.admin)).bearer_auth(ADMIN);
            tokio::spawn(request.send())
        })
        .collect();
    gateway.until("sendoff_database_up", 1).await;
    let began = Instant::now();
    for path in ["/health", "/ready", "/metrics"].repeat(3) {
        assert!(!gateway.ask(path).await.is_empty());
    }
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    other.execute("ROLLBACK").await.expect("it is free");
    let mut statuses = Vec::new();
    for asked in asked {
        statuses.push(asked.await.expect("no panic").expect("a reply").status().as_u16());
    }
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
}

/// A database that is away is named at once, with its host and the cause; `--check` warns.
#[tokio::test]
async fn a_database_that_is_away_is_named_at_once() {
    let began = Instant::now();
    let file = admin::file_of("postgres://127.0.0.1:1/sendoff", "\"none\"");
    let Err(log) = Gateway::try_start(&file, &[("ADMIN", ADMIN)]) else { panic!("it starts") };
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!(log.contains("127.0.0.1:1: ") && log.contains("Connection refused"), "{log}");
}

/// `--check` says what works and is probably not meant, and what does not answer.
#[tokio::test]
async fn check_warns() {
    let head = "database = \"postgres://127.0.0.1:1/sendoff\"\nadmins = [{ name = \"ops\", token = { env = \"SHORT\" } }]\n\
                store.url = \"redis://127.0.0.1:1\"\nstore.secret = { env = \"ADMIN\" }\nstore.on_loss = \"refuse\"";
    let file = split(&config("\"none\"", head, "")).0;
    let file = file.replacen("admin = \"127.0.0.1:0\"", "admin = \"0.0.0.0:9\"", 1);
    let path = admin::file();
    std::fs::write(&path, file).expect("a file");
    let path = path.to_str().expect("text");
    let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_sendoff-gateway"));
    check.args(["--check", "--config", path]).env("ADMIN", ADMIN).env("SHORT", "a");
    let output = check.output().expect("the binary starts");
    let said = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for warning in [
        "admins: token of `ops`: expected a secret of 16 characters or more, such as",
        "admin: expected a loopback address",
        "store: it does not answer: ",
        "database: it does not answer: 127.0.0.1:1: ",
    ] {
        assert!(said.contains(&format!("\n  warning: {warning}")), "{warning}: {said}");
    }
    let quiet = admin::file();
    std::fs::write(&quiet, admin::file_of(path, "\"none\"")).expect("a file");
    let quiet = quiet.to_str().expect("text");
    assert_eq!(
        run(&["--check", "--config", quiet]).expect("it is valid"),
        format!("{quiet} is valid\n")
    );
}

/// A lost Redis is noticed without a call, at the start too, and so is its return.
#[tokio::test]
async fn a_lost_store_is_noticed_by_itself() {
    let mut redis = Redis::start();
    let head = format!(
        "store.url = \"{}\"\nstore.secret = {{ env = \"S\" }}\nstore.on_loss = \"refuse\"",
        redis.url()
    );
    let file = config("{ limit = 5, window_ms = 60000 }", &head, "");
    let gateway = Gateway::start_with(&file, &[("S", "a secret of the test")]);
    gateway.until("sendoff_store_up", 1).await;
    redis.stop();
    gateway.until("sendoff_store_up", 0).await;
    let late = Gateway::start_with(&file, &[("S", "a secret of the test")]);
    late.until("sendoff_store_up", 0).await;
    redis.start_again();
    gateway.until("sendoff_store_up", 1).await;
    late.until("sendoff_store_up", 1).await;
}

/// The first line of the log says what is served, and that windows in memory begin anew; the dashboard cannot be framed.
#[tokio::test]
async fn a_start_says_what_is_served() {
    let folder = std::env::temp_dir().join(format!("sendoff-dashboard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("dashboard.html"), "<!doctype html>").expect("a file");
    let mut gateway = Gateway::start(&config("\"none\"", &format!("dashboard = {folder:?}"), ""));
    let page = client().get(format!("{}/playground/dashboard.html", gateway.admin)).send().await;
    let page = page.expect("a reply");
    assert_eq!(page.status(), 200);
    for (name, value) in [("x-content-type-options", "nosniff"), ("x-frame-options", "DENY")] {
        assert_eq!(page.headers()[name], value);
    }
    let log = gateway.stop();
    let first = log.lines().next().expect("a line");
    let serves = format!(r#""serves":"sandbox {} admin {}""#, gateway.address, gateway.admin);
    let file = format!(r#""file":"{}""#, gateway.file.display());
    for part in [r#""message":"started""#, &serves, &file, env!("CARGO_PKG_VERSION")] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(log.contains("rate windows are in the memory of this process"), "{log}");
}
