//! Users by JSON Web Tokens of an issuer, which is a server of its own.

mod attacks;

use std::{fs, thread, time::Duration};

use ring::hmac;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use self::attacks::{attacks, with};
use crate::{
    estimate,
    support::{
        Gateway, KEY, TOKEN, USER_SWA,
        backend::{Backend, OK},
        client, config,
        issuer::{AUDIENCE, Issuer, NAME, Signer, claims, encoded, now},
        reply::Reply,
        requests, wire,
    },
};

const WALLET: &str = "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906";

const OTHER: &str = r#"
[[environment.sandbox.application]]
name = "other"
client_swa = "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F"
keys = [{ env = "OTHER_KEY" }]
"#;

/// A gateway that knows an issuer whose keys are in `keys`, with further keys of its table.
fn file(keys: &str, more: &str, environment: &str) -> String {
    let jwt = format!(
        "[[environment.sandbox.jwt]]\nissuer = \"{NAME}\"\naudience = \"{AUDIENCE}\"\nalgorithms = [\"ES256\"]\nkeys = {keys}\n\
         claims = {{ wallet = \"wallet\", applications = [\"shop\"], application = \"azp\" }}\n{more}\n"
    );
    config(r#""none""#, "", environment) + OTHER + &jwt
}

fn start(issuer: &Issuer, more: &str, environment: &str) -> Gateway {
    let file = file(&format!("\"{}\"", issuer.url), more, environment);
    Gateway::start_with(&file, &[("OTHER_KEY", "other-key")])
}

async fn orders(gateway: &Gateway, token: &str) -> Reply {
    Reply::to(client().get(gateway.url("/api/v1/orders")).bearer_auth(token)).await
}

/// The lines of requests in a log, which must not contain these tokens.
fn lines(log: &str, tokens: &[String]) -> Vec<Value> {
    for token in tokens.iter().flat_map(|token| token.split('.')).filter(|part| part.len() > 20) {
        assert!(!log.contains(token), "a part of a token is in the log");
    }
    requests(log)
}

#[tokio::test]
async fn a_token_of_the_issuer_is_a_user() {
    let signer = Signer::new("2026-11");
    let issuer = Issuer::start(&[&signer]);
    let mut gateway = start(&issuer, "", "");
    let token = signer.token(&claims(WALLET));
    let mut request = estimate::request();
    request["details"]["recipientWalletAddress"] = USER_SWA.into();
    let post = client().post(gateway.url("/api/oc/v1/estimate")).bearer_auth(&token);
    let post = post.header("content-type", "application/json").body(request.to_string());
    let reply = Reply::to(post).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.json()["data"]["callData"]["userSWA"], WALLET);
    // The key beside a token is the same application's, and tokens of the file are as before.
    for (key, token, status) in [
        (KEY, token.as_str(), 501),
        ("other-key", &token, 401),
        (KEY, TOKEN, 501),
        ("other-key", TOKEN, 401),
    ] {
        let get = client().get(gateway.url("/api/v1/orders")).header("x-api-key", key);
        assert_eq!(Reply::to(get.bearer_auth(token)).await.status, status, "{key}");
    }
    assert_eq!(issuer.requests(), 1);
    let log = gateway.stop();
    let lines = lines(&log, &[token]);
    assert_eq!((&lines[0]["application"], &lines[0]["token"]), (&json!("shop"), &json!("")));
    assert_eq!(lines[0]["user"].as_str().expect("a digest").len(), 16);
}

#[tokio::test]
async fn attacks_on_tokens_are_refused_with_the_reason_in_the_log() {
    let signer = Signer::new("2026-11");
    let issuer = Issuer::start(&[&signer]);
    let backend = Backend::replying(OK);
    let mut gateway = start(&issuer, "", &format!("upstream.url = \"{}\"", backend.url));
    let attacks = attacks(&signer);
    for (name, token, _) in &attacks {
        let reply = orders(&gateway, token).await;
        // Which check failed is told to nobody.
        assert_eq!(reply.status, 401, "{name}");
        let message = "expected a valid bearer token, found an invalid one";
        assert_eq!(reply.refused(401, Some("ER-TECH-0007")), message, "{name}");
    }
    assert!(!backend.was_called());
    // A clock may differ by 30 s, an audience may be a list, and a time may have a fraction.
    // A token may be as long as a head.
    for claims in [
        with("padding", "a".repeat(15_000).into()),
        with("exp", (now() - 20).into()),
        with("nbf", (now() + 20).into()),
        with("aud", json!(["https://shop.example", AUDIENCE])),
        with("exp", serde_json::from_str(&format!("{}.5", now() + 60)).expect("a number")),
    ] {
        assert_eq!(orders(&gateway, &signer.token(&claims)).await.status, 200, "{claims}");
    }
    let log = gateway.stop();
    let tokens: Vec<_> = attacks.iter().map(|(_, token, _)| token.clone()).collect();
    let lines = lines(&log, &tokens);
    for ((name, _, reason), line) in attacks.iter().zip(&lines) {
        assert_eq!(
            (&line["reason"], &line["token"]),
            (&json!("invalid-token"), &json!(reason)),
            "{name}"
        );
        assert_eq!((&line["application"], &line["user"]), (&json!(""), &json!("")), "{name}");
    }
}

#[tokio::test]
async fn a_rotated_key_is_read_and_unknown_keys_are_not_asked_for_again_and_again() {
    let (first, second) = (Signer::new("first"), Signer::new("second"));
    let issuer = Issuer::start(&[&first]);
    let gateway = start(&issuer, "retry_ms = 400", "");
    assert_eq!(orders(&gateway, &first.token(&claims(WALLET))).await.status, 501);
    thread::sleep(Duration::from_millis(450));
    issuer.publish(&[&first, &second]);
    // Many callers come with the new key at once. They wait for the same request.
    let token = second.token(&claims(WALLET));
    let orders_of = |token: &str| client().get(gateway.url("/api/v1/orders")).bearer_auth(token);
    let many: JoinSet<_> = (0..20).map(|_| Reply::to(orders_of(&token))).collect();
    for reply in many.join_all().await {
        assert_eq!(reply.status, 501);
    }
    assert_eq!(issuer.requests(), 2);
    // Made-up keys: one request in 400 ms.
    let began = std::time::Instant::now();
    for number in 0..100 {
        let token = Signer::new(&format!("made-up-{number}")).token(&claims(WALLET));
        assert_eq!(orders(&gateway, &token).await.status, 401);
    }
    let most = 3 + usize::try_from(began.elapsed().as_millis() / 400).expect("a few");
    assert!(issuer.requests() <= most, "{} of {most}", issuer.requests());
}

#[tokio::test]
async fn keys_that_cannot_be_read_again_stay_and_removed_keys_go() {
    let (first, second) = (Signer::new("first"), Signer::new("second"));
    let issuer = Issuer::start(&[&first]);
    let gateway = start(&issuer, "refresh_ms = 100\nretry_ms = 100", "");
    let token = first.token(&claims(WALLET));
    assert_eq!(orders(&gateway, &token).await.status, 501);
    issuer.breaks(true);
    let began = std::time::Instant::now();
    while gateway.metric("sendoff_users_asked_total{outcome=\"failed\"}").await < 3 {
        assert!(began.elapsed() < wire::PATIENCE, "the keys are not read again");
        assert_eq!(orders(&gateway, &token).await.status, 501);
        thread::sleep(Duration::from_millis(20));
    }
    // A key that leaked is removed by its issuer.
    issuer.publish(&[&second]);
    issuer.breaks(false);
    let began = std::time::Instant::now();
    while orders(&gateway, &token).await.status != 401 {
        assert!(began.elapsed() < wire::PATIENCE, "the removed key is still accepted");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(orders(&gateway, &second.token(&claims(WALLET))).await.status, 501);
}

#[tokio::test]
async fn without_the_keys_the_reply_is_503_and_others_are_served() {
    let signer = Signer::new("2026-11");
    // An issuer that accepts connections and does not answer.
    let silent = Backend::raw(|stream| {
        thread::sleep(Duration::from_secs(60));
        drop(stream);
    });
    let file = file(&format!("\"{silent}\""), "ms = 300", "");
    let gateway = Gateway::start_with(&file, &[("OTHER_KEY", "other-key")]);
    let began = std::time::Instant::now();
    let reply = orders(&gateway, &signer.token(&claims(WALLET))).await;
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!(reply.header("retry-after"), Some("1"));
    let message = "the service that knows the users does not answer: the call was not carried out";
    assert_eq!(reply.refused(503, None), message);
    assert_eq!(orders(&gateway, TOKEN).await.status, 501);
}

#[tokio::test]
async fn keys_in_a_file_are_used_and_checked_at_start() {
    let signer = Signer::new("2026-11");
    let path = std::env::temp_dir().join(format!("sendoff-jwks-{}.json", std::process::id()));
    let keys = format!("{{ file = \"{}\" }}", path.display());
    fs::write(&path, json!({ "keys": [signer.jwk()] }).to_string()).expect("a file");
    let file = |keys: &str| file(keys, "retry_ms = 200", "");
    let gateway = Gateway::start_with(&file(&keys), &[("OTHER_KEY", "other-key")]);
    assert_eq!(orders(&gateway, &signer.token(&claims(WALLET))).await.status, 501);
    // A token without a key id has the only key.
    let anonymous = signer.sign(r#"{"alg":"ES256"}"#, &claims(WALLET).to_string());
    assert_eq!(orders(&gateway, &anonymous).await.status, 501);
    // A changed file is read again, without a restart.
    let next = Signer::new("2026-12");
    fs::write(&path, json!({ "keys": [next.jwk()] }).to_string()).expect("a file");
    let began = std::time::Instant::now();
    while orders(&gateway, &next.token(&claims(WALLET))).await.status != 501 {
        assert!(began.elapsed() < wire::PATIENCE, "the new key is not accepted");
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(orders(&gateway, &signer.token(&claims(WALLET))).await.status, 401);
    drop(gateway);
    for content in ["{}", "canary", r#"{"keys":[]}"#, r#"{"keys":[{"kty":"oct","k":"canary"}]}"#] {
        fs::write(&path, content).expect("a file");
        let problems = Gateway::try_start(&file(&keys), &[("OTHER_KEY", "other-key")])
            .err()
            .expect("a problem");
        assert!(
            problems.contains(
                "environment.sandbox.jwt: the keys of `https://login.example` cannot be used"
            ),
            "{problems}"
        );
        assert!(!problems.contains("canary"), "{problems}");
    }
    fs::remove_file(&path).expect("a file");
}

#[test]
fn an_issuer_without_what_it_needs_is_refused_with_its_place() {
    let start = |from: &str, to: &str| {
        let file = file("\"http://127.0.0.1:9/jwks.json\"", "", "").replace(from, to);
        Gateway::try_start(&file, &[("OTHER_KEY", "other-key")]).err().expect("a problem")
    };
    let audience = format!("audience = \"{AUDIENCE}\"");
    let (es256, shop) = ("[\"ES256\"]", "[\"shop\"]");
    let (azp, keys) = (", application = \"azp\" }", "\"http://127.0.0.1:9/jwks.json\"");
    for (from, to, problem) in [
        (es256, "[\"HS256\"]", "jwt[0].algorithms: expected some with a public key, such as"),
        (
            es256,
            "[\"none\"]",
            "jwt[0].algorithms[0]: unknown variant another text, expected one of",
        ),
        (
            es256,
            "[]",
            "jwt[0].algorithms: expected some with a public key, such as `[\"ES256\"]`, found none",
        ),
        (
            "[\"shop\"], application = \"azp\"",
            "[\"shop\", \"other\"]",
            "jwt[0].claims: application: expected the claim",
        ),
        (&audience, "", "jwt[0]: missing field `audience`"),
        (
            azp,
            ", application = \"azp\" }\nskew_ms = 300_001",
            "jwt[0].skew_ms: invalid value: integer `300001`",
        ),
        (shop, "[]", "jwt[0].claims: applications: expected some such as"),
        (keys, "\"ftp://a\"", "jwt[0].keys: expected an address such as"),
    ] {
        let problems = start(from, to);
        assert!(problems.contains(problem), "{problem}:\n{problems}");
    }
}
