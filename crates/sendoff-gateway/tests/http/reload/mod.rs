//! A new configuration is in service without a restart: whole or not at all, and no connection is
//! lost.

mod load;

use std::{fs, io::Write as _, path::Path, time::Duration};

use serde_json::Value;

use super::stop::waiting;
use crate::support::{
    Gateway, KEY, TOKEN, USER_SWA, client, config,
    redis::Redis,
    reply::Reply,
    wire::{self, connect},
};

const NETWORKS: &str = "/api/v1/supported/networks";
const COUNTED: &str = "/api/v1/nft/transfer";
const FIELDS: &str = "rate_limit_fields = true";

/// A policy with windows that do not end during a test.
fn limited(limit: u32) -> String {
    format!("{{ limit = {limit}, window_ms = 86_400_000, midnight = \"carry\" }}")
}

/// An application with a key.
fn application(name: &str, key: &str) -> String {
    format!(
        "[[environment.sandbox.application]]\nname = \"{name}\"\nclient_swa = \"{USER_SWA}\"\nkeys = [{{ file = \"{key}\" }}]\n"
    )
}

/// A new file for a secret.
fn secret(name: &str, content: &str) -> String {
    let file = std::env::temp_dir().join(format!("sendoff-gateway-{name}-{}", std::process::id()));
    fs::write(&file, content).expect("the folder for temporary files can be written to");
    file.to_str().expect("text").to_owned()
}

async fn status(gateway: &Gateway, key: &str) -> u16 {
    Reply::to(client().get(gateway.url(NETWORKS)).header("x-api-key", key)).await.status.as_u16()
}

/// The number of calls that are left after a call.
async fn left(gateway: &Gateway) -> Option<u64> {
    let reply = Reply::to(client().post(gateway.url(COUNTED)).bearer_auth(TOKEN)).await;
    assert_eq!(reply.status == 429, reply.header("retry-after").is_some());
    (reply.status != 429).then(|| reply.window().expect("fields").0)
}

/// An operator's day: an application is added, its key is rotated with an overlap, and it is removed.
#[tokio::test]
async fn applications_and_keys_change_without_a_restart() {
    let mut gateway = Gateway::start(&config(r#""none""#, "", ""));
    let (old, new) = (secret("old-key", "old-key"), secret("new-key", "new-key"));
    let with = |keys: &[&str]| {
        let all =
            keys.iter().map(|key| format!("{{ file = \"{key}\" }}")).collect::<Vec<_>>().join(", ");
        config(r#""none""#, "", "") + &application("game", "").replace("{ file = \"\" }", &all)
    };
    let expected = [
        (config(r#""none""#, "", ""), [401, 401]),
        (with(&[&old]), [200, 401]),
        (with(&[&old, &new]), [200, 200]),
        (with(&[&new]), [401, 200]),
        (config(r#""none""#, "", ""), [401, 401]),
    ];
    for (file, statuses) in expected {
        assert!(gateway.reload(&file).await);
        assert_eq!(
            [status(&gateway, "old-key").await, status(&gateway, "new-key").await],
            statuses,
            "{file}"
        );
        assert_eq!(status(&gateway, KEY).await, 200);
    }
    assert_eq!(gateway.reloads().await, (5, 0));
    let log = gateway.stop();
    assert_eq!(
        log.matches("\"reloaded: the new configuration is in service\"").count(),
        5,
        "{log}"
    );
}

/// A file with problems changes nothing, and its problems are those of a start.
#[tokio::test]
async fn an_invalid_file_changes_nothing() {
    let right = config(r#""none""#, "", "");
    let mut gateway = Gateway::start(&right);
    let added = right.clone() + &application("game", &secret("third-key", "third-key"));
    let wrong = added.replace("policy = \"none\"", "policy = \"much\"\nmore = 1");
    let certificate =
        config(r#""none""#, "", "tls = { certificate = \"/nowhere.pem\", key = \"/nowhere.key\" }");
    for file in [&wrong, "environment = [", "", &certificate] {
        assert!(!gateway.reload(file).await, "{file}");
        assert_eq!((status(&gateway, "third-key").await, status(&gateway, KEY).await), (401, 200));
    }
    let failed = gateway.metric("sendoff_reloads_total{outcome=\"failed\"}").await;
    let read = gateway.metric("sendoff_configuration_timestamp_seconds").await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert!(gateway.reload(&added).await);
    assert_eq!((failed, status(&gateway, "third-key").await), (4, 200));
    assert!(gateway.metric("sendoff_configuration_timestamp_seconds").await > read);

    let log = gateway.stop();
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let problems: Vec<_> =
        lines.iter().filter_map(|line| line["problem"].as_str().map(str::to_owned)).collect();
    let Err(said) = Gateway::try_start(&wrong, &[]) else {
        panic!("it starts with an invalid file")
    };
    let at_start: Vec<_> = said.lines().skip(1).map(|line| line.trim().to_owned()).collect();
    assert_eq!(problems[..2], at_start, "{log}");
    assert!(
        problems.iter().any(|problem| problem.starts_with("environment.sandbox.tls.certificate: ")),
        "{log}"
    );
    let stays = "not reloaded: the old configuration stays in service";
    assert_eq!(
        lines.iter().filter(|line| line["message"] == stays && line["cause"] == "SIGHUP").count(),
        4,
        "{log}"
    );
}

/// Keys that change only with a restart are refused by name, and show no secret.
#[tokio::test]
async fn keys_that_need_a_restart_are_named() {
    let redis = Redis::start();
    let store = |lease: u32| {
        format!(
            "store = \"{}\"\nstore_secret = {{ env = \"S\" }}\non_store_loss = \"refuse\"\nlease = {lease}",
            redis.url()
        )
    };
    let right = config(&limited(5), &store(1), "");
    let mut gateway = Gateway::start_with(&right, &[("S", "canary")]);
    let mut expected = Vec::new();
    let other = right.replacen("environment.sandbox", "environment.other", 99);
    for (file, paths) in [
        (right.replacen("admin = \"127.0.0.1:0\"", "admin = \"127.0.0.1:1\"", 1), vec!["admin"]),
        (right.replacen("admin = \"127.0.0.1:0\"", "", 1), vec!["admin"]),
        (
            right.replacen("listen = \"127.0.0.1:0\"", "listen = \"[::1]:0\"", 1),
            vec!["environment.sandbox.listen"],
        ),
        (other, vec!["environment.other.listen", "environment.sandbox.listen"]),
        (
            config(&limited(5), &format!("connections = 9\nrequests = 7\n{}", store(1)), ""),
            vec!["connections", "requests", "requests_per_application", "requests_per_user"],
        ),
        (config(&limited(5), &store(2), ""), vec!["lease"]),
        (
            config(&limited(5), "", ""),
            vec!["lease", "on_store_loss", "store", "store_ms", "store_replicas", "store_secret"],
        ),
        (right.replacen("/sendoff-", "//sendoff-", 1), vec!["store"]),
    ] {
        assert!(!gateway.reload(&file).await, "{file}");
        assert_eq!(status(&gateway, KEY).await, 200);
        expected.push(paths);
    }
    let log = gateway.stop();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let (mut found, mut named) = (Vec::new(), Vec::new());
    for line in lines {
        match (line["problem"].as_str(), line["problems"].as_u64()) {
            (Some(problem), _) => named.push(problem.split(": ").next().expect("a key").to_owned()),
            (None, Some(_)) => found.push(std::mem::take(&mut named)),
            (None, None) => {}
        }
    }
    found.iter_mut().for_each(|keys| keys.sort());
    assert_eq!(found, expected, "{log}");
    for problem in [
        "admin: expected `127.0.0.1:0`, which changes only with a restart, found `127.0.0.1:1`",
        "admin: expected the same value until a restart, found none",
        "environment.sandbox.listen: expected `127.0.0.1:0`, which changes only with a restart, found `[::1]:0`",
        "environment.other.listen: takes effect only after a restart, found `127.0.0.1:0`",
        "requests: expected `1024`, which changes only with a restart, found `7`",
        "lease: expected `1`, which changes only with a restart, found `2`",
        "store: expected the same value, which changes only with a restart",
        "store_secret: expected the same value until a restart, found none",
    ] {
        assert!(log.contains(problem), "{problem}: {log}");
    }
    assert!(!log.contains("canary") && !log.contains(&redis.url()), "{log}");
}

/// A window keeps its count under another limit, in memory and in a store, and with leases.
#[tokio::test]
async fn a_changed_policy_takes_effect_in_the_running_window() {
    let redis = Redis::start();
    let store = format!(
        "store = \"{}\"\nstore_secret = {{ env = \"S\" }}\non_store_loss = \"refuse\"",
        redis.url()
    );
    for (head, variables) in [("", vec![]), (store.as_str(), vec![("S", "secret")])] {
        let with = |limit| config(&limited(limit), head, FIELDS);
        let gateway = Gateway::start_with(&with(5), &variables);
        assert_eq!(
            [left(&gateway).await, left(&gateway).await, left(&gateway).await],
            [Some(4), Some(3), Some(2)]
        );
        for (limit, calls) in
            [(7, [Some(3), Some(2)]), (4, [None, None]), (5, [None, None]), (6, [Some(0), None])]
        {
            assert!(gateway.reload(&with(limit)).await);
            assert_eq!([left(&gateway).await, left(&gateway).await], calls, "{limit} {head}");
        }
        assert!(gateway.reload(&config(r#""none""#, head, FIELDS)).await);
        let reply = Reply::to(client().post(gateway.url(COUNTED)).bearer_auth(TOKEN)).await;
        assert_eq!((reply.status.as_u16(), reply.window()), (501, None));
    }
}

/// Replaces a file at once. A file that is written in place can be read when it is empty, and then again.
fn replace(path: impl AsRef<Path>, text: &str) {
    let next = path.as_ref().with_extension("next");
    fs::write(&next, text).expect("the folder for temporary files can be written to");
    fs::rename(next, path).expect("the file can be replaced");
}

/// The file is checked for changes, and so are the files that it names.
#[tokio::test]
async fn a_changed_file_is_read_without_a_signal() {
    let key = secret("watched-key", "first-key");
    let file = |more: &str| config(r#""none""#, "watch_ms = 20", more) + &application("game", &key);
    let gateway = Gateway::start(&file(""));
    assert_eq!(status(&gateway, "first-key").await, 200);

    replace(&key, "second-key");
    gateway.until("sendoff_reloads_total{outcome=\"succeeded\"}", 1).await;
    assert_eq!(
        (status(&gateway, "first-key").await, status(&gateway, "second-key").await),
        (401, 200)
    );
    replace(&gateway.file, "environment = [");
    gateway.until("sendoff_reloads_total{outcome=\"failed\"}", 1).await;
    assert_eq!(status(&gateway, "second-key").await, 200);
    // A file that becomes what it was has changed too.
    replace(&gateway.file, &file(""));
    gateway.until("sendoff_reloads_total{outcome=\"succeeded\"}", 2).await;
    // A file with the same content has not.
    replace(&gateway.file, &file(""));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(gateway.reloads().await, (2, 1));
    // From now on, only SIGHUP.
    assert!(gateway.reload(&file("").replace("watch_ms = 20", "watch_ms = 0")).await);
    replace(&gateway.file, "");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(gateway.reloads().await, (3, 1));
}

/// A request ends with the configuration that it began with, and holds its slot across a reload.
#[tokio::test]
async fn running_requests_survive() {
    let (backend, go_on) = waiting();
    let upstream = format!("upstream = \"{}\"", backend.url);
    let policy = r#"{ limit = 100, window_ms = 86_400_000, midnight = "carry" }"#;
    let file = config(policy, "requests_per_application = 1", &upstream);
    let gateway = Gateway::start(&file);
    let mut running = connect(gateway.socket());
    let call = format!(
        "POST {COUNTED} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {TOKEN}\r\ncontent-length: 0\r\n\r\n"
    );
    running.write_all(call.as_bytes()).expect("the bytes are written");
    // A request that runs may not be counted in the share yet; one that is admitted is.
    gateway.until("sendoff_calls_total{verdict=\"admitted\"}", 1).await;
    assert!(gateway.reload(&file.replace("http://", "http://localhost.invalid/")).await);
    // The share of the application is taken, by a request of the old configuration.
    assert_eq!(status(&gateway, KEY).await, 503);
    let gone = file.replace(
        "7c43ef5ae21d43ce2743f770c68e24def1a43ee2f416d2438410c8af7af2ff2c",
        &"1".repeat(64),
    );
    assert!(gateway.reload(&gone).await);
    go_on.send(()).expect("the backend waits");
    assert!(wire::head(&mut running).starts_with("HTTP/1.1 200 OK\r\n"));
    wire::until(&mut running, "{}");
    // The connection lives, and its next request is one of the new configuration.
    running.write_all(call.as_bytes()).expect("the bytes are written");
    assert!(wire::head(&mut running).starts_with("HTTP/1.1 401 "));
}
