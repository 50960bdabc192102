//! What an operator does and sees: applications that change, keys that end, and parts that do not answer.

use sqlx::{Connection as _, Executor as _, SqliteConnection};

use crate::support::{
    admin::{self, ADMIN, SHOP, change, fresh, make, read, run},
    prelude::*,
};

/// An application gets another limit, other pages and another wallet, in service at once, and the audit log has all of it.
#[tokio::test]
async fn an_application_is_changed() {
    let gateway = fresh();
    admin::open(&gateway, "shop").await;
    let origins = json!(["https://a.example"]);
    let wallet = "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906";
    let last =
        async || read(&gateway, &format!("{SHOP}/audit?limit=1")).await["changes"][0].clone();
    for (given, place, value) in [
        (json!({ "policy": { "limit": 9, "windowMs": 60_000 } }), "/policy/limit", json!(9)),
        (json!({ "origins": origins, "clientSWA": wallet }), "/clientSWA", json!(wallet)),
        (json!({ "policy": null, "origins": ["*"] }), "/origins/0", json!("*")),
        (json!({ "policy": "none", "origins": null }), "/policy", json!("none")),
    ] {
        change(&gateway, Method::PATCH, SHOP, given.clone()).await;
        let shown = read(&gateway, SHOP).await;
        assert_eq!(shown.pointer(place), Some(&value), "{shown}");
        let audit = last().await;
        assert_eq!(audit["action"], "changeApplication");
        let names = |value: &Value| -> BTreeSet<_> {
            value.as_object().expect("an object").keys().cloned().collect()
        };
        assert_eq!(names(&audit["about"]), names(&given), "{audit}");
    }
    let shown = read(&gateway, SHOP).await;
    assert!(shown.get("origins").is_none(), "{shown}");
    // What was known and made is in the log whole.
    let token =
        json!({ "caip2Id": "eip155:137", "tokenAddress": format!("0x{:040x}", 77), "name": "X" });
    make(&gateway, &format!("{SHOP}/catalogue/known"), json!({ "tokens": [token] })).await;
    let audit = last().await;
    assert_eq!(audit["about"]["tokens"][0]["name"], "X", "{audit}");
    assert_eq!(audit["about"]["chains"], json!([]), "{audit}");
}

/// While the database hangs, readers of the admin API take no place of health, readiness and metrics.
#[tokio::test(flavor = "multi_thread")]
async fn health_does_not_wait_for_a_database() {
    let file = path("applications.db");
    let gateway = admin::start(&file);
    admin::open(&gateway, "shop").await;
    let other = SqliteConnection::connect(&format!("sqlite://{file}")).await;
    let mut other = other.expect("a database");
    other.execute("BEGIN EXCLUSIVE").await.expect("it is locked");
    let url = format!("{}/admin/v1/audit", gateway.admin);
    let ask = |_| tokio::spawn(client().get(&url).bearer_auth(ADMIN).send());
    let asked: Vec<_> = (0..24).map(ask).collect();
    gateway.until("sendoff_database_up", 1).await;
    let began = Instant::now();
    for path in ["/health", "/ready", "/metrics"].repeat(3) {
        assert!(!gateway.ask(path).await.is_empty());
    }
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    other.execute("ROLLBACK").await.expect("it is free");
    for asked in asked {
        let status = asked.await.expect("no panic").expect("a reply").status().as_u16();
        assert!([200, 503].contains(&status), "{status}");
    }
}

/// `--check` says what works and is probably not meant, and what does not answer.
#[test]
fn check_warns() {
    let (folder, away) = (Folder::new("check"), "postgres://127.0.0.1:1/sendoff");
    let store = store("redis://127.0.0.1:1", "refuse");
    let short = folder.write("short", "a");
    let short = format!("admins = [{{ name = \"a\", token = {{ file = {short:?} }} }}, ");
    let open = format!("{store}\nadmin = \"0.0.0.0:9\"");
    let wrong = admin::file_of(away, UNLIMITED).replacen("admins = [", &short, 1);
    let wrong = wrong.replacen("admin = \"127.0.0.1:0\"", &open, 1);
    let said = |text: String| {
        let path = folder.write("gateway.toml", text).display().to_string();
        (run(&["--check", "--config", &path]).expect("it is valid"), path)
    };
    let (found, _) = said(wrong);
    for warning in [
        "admins: token of `a`: expected a secret of 16 characters or more, such as",
        "admin: expected a loopback address",
        "store: it does not answer: ",
        "database: it does not answer: 127.0.0.1:1: ",
    ] {
        assert!(found.contains(&format!("\n  warning: {warning}")), "{warning}: {found}");
    }
    let quiet = said(admin::file_of(&path("applications.db"), UNLIMITED));
    assert_eq!(quiet.0, format!("{} is valid\n", quiet.1));
}

/// A lost Redis is noticed without a call, at the start too, and so is its return.
#[tokio::test]
async fn a_lost_store_is_noticed_by_itself() {
    let mut redis = Redis::start();
    let file = config("{ limit = 5, windowMs = 60000 }", &redis.store("refuse"), "");
    let gateway = Gateway::start(&file);
    gateway.until("sendoff_store_up", 1).await;
    redis.end();
    gateway.until("sendoff_store_up", 0).await;
    let late = Gateway::start(&file);
    late.until("sendoff_store_up", 0).await;
    redis.start_again();
    gateway.until("sendoff_store_up", 1).await;
    late.until("sendoff_store_up", 1).await;
}

/// The first line of the log says what is served, and that windows in memory begin anew; the dashboard cannot be framed.
#[tokio::test]
async fn a_start_says_what_is_served() {
    let folder = Folder::new("dashboard");
    folder.write("dashboard.html", "<!doctype html>");
    let mut gateway = Gateway::plain(&format!("dashboard = {:?}", folder.0), "");
    let page = format!("{}/playground/dashboard.html", gateway.admin);
    let page = Reply::to(client().get(page)).await;
    let (sniff, frame) = (page.header("x-content-type-options"), page.header("x-frame-options"));
    assert_eq!((page.status, sniff, frame), (200, Some("nosniff"), Some("DENY")));
    let log = gateway.stop();
    let first = log.lines().next().expect("a line");
    let serves = format!(r#""serves":"sandbox {} admin {}""#, gateway.address, gateway.admin);
    let file = format!(r#""file":"{}""#, gateway.file);
    for part in [r#""message":"started""#, &serves, &file, env!("CARGO_PKG_VERSION")] {
        assert!(first.contains(part), "{part}: {first}");
    }
    assert!(log.contains("rate windows are in the memory of this process"), "{log}");
}
