//! Users that a server knows, asked as RFC 7662 has it.

use std::{
    io::Write as _,
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, task::JoinSet, time::sleep};

use super::connections::connect_from;
use crate::support::{
    self, Gateway, TOKEN, USER_SWA,
    backend::{Backend, Received},
    client, config,
    issuer::now,
    reply::Reply,
    wire,
};

/// A server that answers by the token, and the number of requests to it.
fn server() -> (String, Arc<AtomicUsize>) {
    let requests = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&requests);
    let backend = Backend::start(move |request: &Received, stream| {
        counted.fetch_add(1, Ordering::Relaxed);
        assert_eq!(request.line(), "POST /introspect HTTP/1.1");
        assert_eq!(request.header("authorization"), Some("Basic Z2F0ZXdheTpjYW5hcnk="));
        assert_eq!(request.header("content-type"), Some("application/x-www-form-urlencoded"));
        let body = String::from_utf8(request.body.clone()).expect("text");
        let token = body
            .strip_prefix("token=")
            .and_then(|rest| rest.strip_suffix("&token_type_hint=access_token"));
        let known = json!({ "active": true, "wallet": USER_SWA, "azp": "shop", "exp": now() + 60 });
        let with = |name: &str, value: Value| {
            let mut answer = known.clone();
            answer[name] = value;
            answer.to_string()
        };
        let answer = match token.expect("a token") {
            "user" | "slow" | "odd%2B%2F%3D" => known.to_string(),
            "brief" => with("exp", json!(now() + 1)),
            "ended" => with("exp", now().into()),
            "early" => with("nbf", (now() + 60).into()),
            "elsewhere" => with("azp", "other".into()),
            "twice" => format!(r#"{{"active":false,{}"#, &known.to_string()[1..]),
            "nobody" => r#"{"active":false}"#.into(),
            "text" => with("active", "true".into()),
            "hang" => {
                thread::sleep(Duration::from_secs(5));
                String::new()
            }
            made_up if made_up.starts_with("made-up") => {
                thread::sleep(Duration::from_secs(4));
                String::new()
            }
            "error" => "not JSON, but canary".into(),
            "long" => "a".repeat(70_000),
            _ => r#"{"active":false}"#.into(),
        };
        if token == Some("slow") {
            thread::sleep(Duration::from_millis(200));
        }
        let head = format!(
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        let _closed = stream.write_all((head + &answer).as_bytes());
    });
    (format!("{}/introspect", backend.url), requests)
}

fn start(url: &str, more: &str) -> Gateway {
    let table = format!(
        "[environment.sandbox.introspection]\nurl = \"{url}\"\nauthorization = {{ env = \"INTROSPECTION\" }}\n\
         claims = {{ wallet = \"wallet\", applications = [\"shop\"], application = \"azp\" }}\n{more}\n"
    );
    let file = config(r#""none""#, "bounds.requests_per_user = 16", "") + "\n" + &table;
    Gateway::start_with(&file, &[("INTROSPECTION", "Basic Z2F0ZXdheTpjYW5hcnk=")])
}

async fn orders(gateway: &Gateway, token: &str) -> Reply {
    Reply::to(client().get(gateway.url("/api/v1/orders")).bearer_auth(token)).await
}

#[tokio::test]
async fn a_server_is_asked_once_for_a_token() {
    let (url, requests) = server();
    let mut gateway = start(&url, "keep_unknown_ms = 60_000");
    let asked = || requests.load(Ordering::Relaxed);
    for (token, status, calls) in [
        ("user", 501, 1),
        ("user", 501, 1),
        ("odd+/=", 501, 2),
        ("ended", 401, 3),
        ("early", 401, 4),
        ("elsewhere", 401, 5),
        ("nobody", 401, 6),
        ("nobody", 401, 6),
        // The file is asked first.
        (TOKEN, 501, 6),
    ] {
        let reply = orders(&gateway, token).await;
        assert_eq!((reply.status.as_u16(), asked()), (status, calls), "{token}");
    }
    // Callers with one token that come at once wait for one answer.
    let slow = || client().get(gateway.url("/api/v1/orders")).bearer_auth("slow");
    let callers: JoinSet<_> = (0..6).map(|_| Reply::to(slow())).collect();
    for reply in callers.join_all().await {
        assert_eq!(reply.status, 501);
    }
    assert_eq!(asked(), 7);
    let log = gateway.stop();
    let refused = support::requests(&log).into_iter().filter(|line| line["status"] == 401);
    let problems: Vec<_> = refused.map(|line| line["token"].clone()).collect();
    assert_eq!(problems, ["expired", "not-yet-valid", "application", "unknown", "unknown"]);
    assert!(!log.contains("Z2F0") && !log.contains("odd+"), "{log}");
}

#[tokio::test]
async fn answers_end() {
    let (url, requests) = server();
    let gateway = start(&url, "keep_ms = 60_000\nkeep_unknown_ms = 100");
    assert_eq!(orders(&gateway, "brief").await.status, 501);
    assert_eq!(orders(&gateway, "nobody").await.status, 401);
    thread::sleep(Duration::from_millis(1_100));
    // The token itself has ended, whatever `keep_ms` says; the other one is asked for again.
    assert_eq!(orders(&gateway, "brief").await.status, 501);
    assert_eq!(orders(&gateway, "nobody").await.status, 401);
    assert_eq!(requests.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn a_server_that_fails_is_503_in_time() {
    let (url, _) = server();
    let gateway = start(&url, "ms = 300");
    for token in ["hang", "error", "twice", "text", "long"] {
        let began = Instant::now();
        let reply = orders(&gateway, token).await;
        assert!(began.elapsed() < Duration::from_secs(3), "{token}: {:?}", began.elapsed());
        assert_eq!(reply.header("retry-after"), Some("1"), "{token}");
        let message =
            "the service that knows the users does not answer: the call was not carried out";
        assert_eq!(reply.refused(503, None), message, "{token}");
    }
    gateway.until("sendoff_users_asked_total{outcome=\"failed\"}", 5).await;
}

/// Strangers with made-up tokens wait for a server that hangs. They have the share of one address together, so users with
/// tokens that are known are served.
#[tokio::test]
async fn strangers_who_wait_do_not_take_all_slots() {
    let (url, requests) = server();
    let gateway = start(&url, "ms = 3_000\nrequests = 6");
    assert_eq!(orders(&gateway, "user").await.status, 501);
    let get = || client().get(gateway.url("/api/v1/orders"));
    // Each has a token of its own.
    let strangers: JoinSet<_> =
        (0..20).map(|own| Reply::to(get().bearer_auth(format!("made-up-{own}")))).collect();
    let began = Instant::now();
    while requests.load(Ordering::Relaxed) < 6 {
        assert!(began.elapsed() < wire::PATIENCE, "the server is not asked");
        sleep(Duration::from_millis(10)).await;
    }
    for token in ["user", TOKEN] {
        assert_eq!(orders(&gateway, token).await.status, 501, "{token}");
    }
    for reply in strangers.join_all().await {
        assert!([401, 503].contains(&reply.status.as_u16()), "{reply:?}");
    }
    assert!(requests.load(Ordering::Relaxed) <= 21);
}

/// Made-up tokens from many addresses leave a part of the questions to tokens that were valid before, and one address has a part.
#[tokio::test(flavor = "multi_thread")]
async fn made_up_tokens_leave_a_part_to_others() {
    let (url, _) = server();
    let gateway = start(&url, "ms = 5_000\nrequests = 16\nkeep_ms = 100");
    assert_eq!(orders(&gateway, "user").await.status, 501);
    let mut held = Vec::new();
    let mut flood = async |last: u8, number: usize| {
        let from = Ipv4Addr::new(127, 0, 2, last);
        let mut stream = connect_from(from, &gateway).await.expect("a place");
        let call = wire::get("/api/v1/orders", "a: b");
        let call = call.replace(TOKEN, &format!("made-up-{last}-{number}"));
        AsyncWriteExt::write_all(&mut stream, call.as_bytes())
            .await
            .expect("the bytes are written");
        held.push(stream);
    };
    // Of the sixteen questions, twelve are for strangers; one address has eight of the slots of strangers.
    for number in 0..20 {
        flood(1, number).await;
    }
    gateway.until("sendoff_requests_refused_total{reason=\"user\"}", 12).await;
    for last in 2..12 {
        flood(last, 0).await;
    }
    gateway.until("sendoff_users_asked_total{outcome=\"busy\"}", 6).await;
    let reply = orders(&gateway, "user").await;
    assert_eq!(
        reply.status, 501,
        "a token that was valid before is asked for again: {}",
        reply.text
    );
}
