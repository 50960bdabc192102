//! Users that a server knows, asked as RFC 7662 has it.

use tokio::io::AsyncWriteExt;

use crate::support::http_2::connect_from;
use crate::support::{issuer::now, prelude::*};

/// The answer about a token that nobody has.
const INACTIVE: &str = r#"{"active":false}"#;

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
        let body = body.strip_suffix("&token_type_hint=access_token").expect("a hint");
        let token = body.strip_prefix("token=").expect("a token");
        let known = json!({ "active": true, "wallet": USER_SWA, "azp": "shop", "exp": now() + 60 });
        let with = |name: &str, value: Value| {
            let mut answer = known.clone();
            answer[name] = value;
            answer.to_string()
        };
        let (ms, answer) = match token {
            "user" | "odd%2B%2F%3D" => (0, known.to_string()),
            "slow" => (200, known.to_string()),
            "brief" => (0, with("exp", json!(now() + 1))),
            "ended" => (0, with("exp", now().into())),
            "early" => (0, with("nbf", (now() + 60).into())),
            "elsewhere" => (0, with("azp", "other".into())),
            "twice" => (0, format!(r#"{{"active":false,{}"#, &known.to_string()[1..])),
            "text" => (0, with("active", "true".into())),
            "error" => (0, "not JSON, but canary".into()),
            "long" => (0, "a".repeat(70_000)),
            "hang" => (5_000, INACTIVE.into()),
            _ if token.starts_with("made-up") => (4_000, INACTIVE.into()),
            _ => (0, INACTIVE.into()),
        };
        thread::sleep(Duration::from_millis(ms));
        let _closed = stream.write_all(replied("200 OK", &answer).as_bytes());
    });
    (format!("{}/introspect", backend.url), requests)
}

fn start(url: &str, more: &str) -> Gateway {
    let table = format!(
        "[environment.sandbox.introspection]\nurl = \"{url}\"\nauthorization = {{ env = \"INTROSPECTION\" }}\n\
         claims = {{ wallet = \"wallet\", applications = [\"shop\"], application = \"azp\" }}\n{more}\n"
    );
    let file = config(UNLIMITED, "bounds.requests = 256", "") + &table;
    Gateway::start_with(&file, &[("INTROSPECTION", "Basic Z2F0ZXdheTpjYW5hcnk=")])
}

#[tokio::test]
async fn a_server_is_asked_once_for_a_token() {
    let (url, asked) = server();
    let mut gateway = start(&url, "keep_unknown_ms = 60_000");
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
        let reply = gateway.orders(token).await;
        assert_eq!((reply.status, asked.load(Ordering::Relaxed)), (status, calls), "{token}");
    }
    // Callers with one token that come at once wait for one answer.
    assert_eq!(gateway.orders_at_once(vec!["slow".to_owned(); 6]).await, [501; 6]);
    assert_eq!(asked.load(Ordering::Relaxed), 7);
    let log = gateway.stop();
    let refused = requests(&log).into_iter().filter(|line| line["status"] == 401);
    let problems: Vec<_> = refused.map(|line| line["token"].clone()).collect();
    assert_eq!(problems, ["expired", "not-yet-valid", "application", "unknown", "unknown"]);
    assert!(!log.contains("Z2F0") && !log.contains("odd+"), "{log}");
}

#[tokio::test]
async fn answers_end() {
    let (url, asked) = server();
    let gateway = start(&url, "keep_ms = 60_000\nkeep_unknown_ms = 100");
    assert_eq!(gateway.orders("brief").await.status, 501);
    assert_eq!(gateway.orders("nobody").await.status, 401);
    // The token itself has ended, whatever `keep_ms` says; the other one is asked for again.
    for (token, status, calls) in [("brief", 501, 3), ("nobody", 401, 4)] {
        until("it is asked for again", async || {
            assert_eq!(gateway.orders(token).await.status, status);
            asked.load(Ordering::Relaxed) >= calls
        })
        .await;
    }
    assert_eq!(asked.load(Ordering::Relaxed), 4);
}

#[tokio::test]
async fn a_server_that_fails_is_503_in_time() {
    let (url, _) = server();
    let gateway = start(&url, "ms = 300");
    for token in ["hang", "error", "twice", "text", "long"] {
        is_unknown_in_time(&gateway, token).await;
    }
    gateway.until("sendoff_users_asked_total{outcome=\"failed\"}", 5).await;
}

/// Checks that a call is refused in time if nobody says whose token it has.
pub(super) async fn is_unknown_in_time(gateway: &Gateway, token: &str) {
    let began = Instant::now();
    let reply = gateway.orders(token).await;
    assert!(began.elapsed() < Duration::from_secs(3), "{token}: {:?}", began.elapsed());
    assert_eq!(reply.header("retry-after"), Some("1"), "{token}");
    let message = "the service that knows the users does not answer: the call was not carried out";
    assert_eq!(reply.refused(503, None), message, "{token}");
}

/// Made-up tokens wait for a server that hangs. Those of one address have a part of the slots, and those of many leave a part of
/// the questions to tokens that were valid before. Who is known waits for nobody.
#[tokio::test(flavor = "multi_thread")]
async fn made_up_tokens_leave_a_part_to_others() {
    let (url, asked) = server();
    let gateway = start(&url, "ms = 5_000\nrequests = 16\nkeep_ms = 60_000");
    for token in ["user", "brief"] {
        assert_eq!(gateway.orders(token).await.status, 501, "{token}");
    }
    // The answer about `brief` ends.
    sleep(Duration::from_secs(1)).await;
    let mut held = Vec::new();
    let mut flood = async |last: u8, number: usize| {
        let stream = connect_from([127, 0, 2, last], gateway.socket()).await;
        let mut stream = stream.expect("a place");
        let made_up = format!("made-up-{last}-{number}");
        let call = wire::get(ORDERS, "a: b").replace(TOKEN, &made_up);
        AsyncWriteExt::write_all(&mut stream, call.as_bytes()).await.expect("it is written");
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
    for token in ["user", TOKEN, "brief"] {
        let reply = gateway.orders(token).await;
        assert_eq!(reply.status, 501, "{token}: {}", reply.text);
    }
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked <= 3 + 12, "{asked}");
}
