//! Users by JSON Web Tokens of an issuer, which is a server of its own.

use ring::hmac;

use crate::{
    estimate,
    introspection::is_unknown_in_time,
    support::{
        issuer::{AUDIENCE, Issuer, NAME, Signer, claims, encoded, now},
        prelude::*,
    },
};

const WALLET: &str = "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906";

/// A gateway that knows an issuer whose keys are in `keys`, with further keys of its table.
fn file(keys: &str, more: &str, environment: &str) -> String {
    let jwt = format!(
        "[[environment.sandbox.jwt]]\nissuer = \"{NAME}\"\naudience = \"{AUDIENCE}\"\nalgorithms = [\"ES256\"]\nkeys = {keys}\n\
         claims = {{ wallet = \"wallet\", applications = [\"shop\"], application = \"azp\" }}\n{more}\n"
    );
    let other = application("other", &key("other-key", "client"));
    config(UNLIMITED, "", environment) + &other + &jwt
}

fn start(issuer: &Issuer, more: &str, environment: &str) -> Gateway {
    Gateway::start(&file(&format!("\"{}\"", issuer.url), more, environment))
}

/// The status of a call with a token of these claims.
async fn status(gateway: &Gateway, signer: &Signer) -> u16 {
    gateway.orders(&signer.token(&claims(WALLET))).await.status
}

/// The lines of requests in a log, which must not contain these tokens.
fn lines(log: &str, tokens: &[String]) -> Vec<Value> {
    for token in tokens.iter().flat_map(|token| token.split('.')).filter(|part| part.len() > 20) {
        assert!(!log.contains(token), "a part of a token is in the log");
    }
    requests(log)
}

/// Replaces a claim, or removes it for null.
fn with(name: &str, value: Value) -> Value {
    let mut claims = claims(WALLET);
    claims[name] = value;
    claims.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    claims
}

/// Tokens that are refused: the reason in the log, what is wrong, and the token.
fn attacks(signer: &Signer) -> Vec<(&'static str, &'static str, String)> {
    let stranger = Signer::new(&signer.id);
    let good = signer.token(&claims(WALLET));
    let (message, signature) = good.rsplit_once('.').expect("three parts");
    let (header, body) = message.split_once('.').expect("three parts");
    let unsigned = |alg: &str| format!("{}.{body}.", encoded(format!(r#"{{"alg":"{alg}"}}"#)));
    let confused = |secret: &[u8]| {
        let header = format!(r#"{{"alg":"HS256","kid":"{}"}}"#, signer.id);
        let message = format!("{}.{body}", encoded(header));
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), message.as_bytes());
        format!("{message}.{}", encoded(tag))
    };
    let jwk = signer.jwk().to_string();
    let swapped = encoded(claims(USER_SWA).to_string());
    let plain = format!(r#"{{"alg":"ES256","kid":"{}"}}"#, signer.id);
    let own_claims = claims(WALLET).to_string();
    let changed = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    let of = |name: &str, value: Value| signer.token(&with(name, value));
    let head = |from: &str, to: &str| signer.sign(&changed(&plain, from, to), &own_claims);
    let text = |from: &str, to: &str| signer.sign(&plain, &changed(&own_claims, from, to));
    let own = format!(r#"{{"alg":"ES256","jwk":{},"kid":"{}"}}"#, stranger.jwk(), signer.id);
    let list = signer.sign(&plain, "[]");
    let (alg, wallet, null) = (r#""alg""#, WALLET.replace('F', "f"), Value::Null);
    vec![
        ("malformed", "alg none", unsigned("none")),
        ("malformed", "alg None", unsigned("None")),
        ("malformed", "alg NONE", unsigned("NONE")),
        ("malformed", "alg none with a signature", format!("{}{signature}", unsigned("none"))),
        ("malformed", "no alg", head(r#""alg":"ES256","#, "")),
        ("malformed", "a signature in base64", format!("{header}.{body}.{signature}==")),
        ("malformed", "two key ids", head(alg, r#""kid":"a","alg""#)),
        ("malformed", "two algorithms", head(alg, r#""alg":"none","alg""#)),
        ("malformed", "an extension", head(alg, r#""crit":["b64"],"b64":false,"alg""#)),
        ("malformed", "two issuers", of("iss", json!([NAME, "https://attacker.example"]))),
        ("malformed", "no issuer", of("iss", null.clone())),
        ("malformed", "two parts", format!("{header}.{body}")),
        ("malformed", "four parts", format!("{good}.{signature}")),
        ("malformed", "claims that are no object", list),
        ("malformed", "no JSON Web Token", "opaque".into()),
        ("algorithm", "HS256 with the public point", confused(signer.public())),
        ("algorithm", "HS256 with the JWK", confused(jwk.as_bytes())),
        ("algorithm", "HS256 with nothing", confused(b"")),
        ("algorithm", "HS256 with the secret of the set", confused(b"secret")),
        ("algorithm", "another algorithm of the family", head("ES256", "ES384")),
        ("algorithm", "another family", head("ES256", "RS256")),
        ("signature", "a key of somebody else", stranger.token(&claims(WALLET))),
        ("signature", "a key in the header", stranger.sign(&own, &claims(WALLET).to_string())),
        ("signature", "the wallet of another", format!("{header}.{swapped}.{signature}")),
        ("signature", "no signature", format!("{header}.{body}.")),
        ("signature", "a signature of zeros", format!("{header}.{body}.{}", encoded([0; 64]))),
        ("key", "an unknown key", head(&signer.id, "2030-01")),
        ("key", "a key of the set that has no use here", head(&signer.id, "secret")),
        ("expired", "expired", of("exp", (now() - 31).into())),
        ("expired", "expired for ever", of("exp", 0.into())),
        ("not-yet-valid", "not yet valid", of("nbf", (now() + 40).into())),
        ("audience", "another audience", of("aud", "https://shop.example".into())),
        ("audience", "no audiences", of("aud", json!([]))),
        ("issuer", "another", of("iss", "https://login.example.attacker.example".into())),
        ("application", "one that its issuer may not name", of("azp", "other".into())),
        ("application", "one that is not there", of("azp", "gone".into())),
        ("claims", "no end", of("exp", null.clone())),
        ("claims", "an end that is text", of("exp", "9999999999".into())),
        ("claims", "a negative end", of("exp", (-1).into())),
        ("claims", "a beginning that is text", of("nbf", "0".into())),
        ("claims", "no audience", of("aud", null.clone())),
        ("claims", "no wallet", of("wallet", null.clone())),
        ("claims", "a wallet of two bytes", of("wallet", "0x1234".into())),
        ("claims", "a wallet with a wrong checksum", of("wallet", wallet.into())),
        ("claims", "two wallets", of("wallet", json!([WALLET, USER_SWA]))),
        ("claims", "a wallet twice", text(r#""wallet""#, r#""wallet":"0x1","wallet""#)),
        ("claims", "an end twice", text(r#""exp""#, r#""exp":9999999999,"exp""#)),
        ("claims", "an escaped name twice", text(r#""azp""#, r#""azp":"shop","\u0061zp""#)),
        ("claims", "no application", of("azp", null)),
    ]
}

#[tokio::test]
async fn a_token_of_the_issuer_is_a_user() {
    let signer = Signer::new("2026-11");
    let issuer = Issuer::start(&[&signer]);
    let mut gateway = start(&issuer, "", "");
    let token = signer.token(&claims(WALLET));
    let bearer = format!("Bearer {token}");
    let user = ("authorization", &*bearer);
    let mut request = estimate::request();
    request["details"]["recipientWalletAddress"] = USER_SWA.into();
    let headers = [user, ("content-type", "application/json")];
    let reply = gateway.call("POST /api/oc/v1/estimate", &headers, request.to_string()).await;
    assert_eq!(reply.data()["callData"]["userSWA"], WALLET);
    // The key beside a token is the same application's, and tokens of the file are as before.
    for (key, user, status) in
        [(KEY, user, 501), ("other-key", user, 401), (KEY, USER, 501), ("other-key", USER, 401)]
    {
        let headers = [("x-api-key", key), user];
        assert_eq!(gateway.call("GET /api/v1/orders", &headers, "").await.status, status, "{key}");
    }
    assert_eq!(issuer.state().requests, 1);
    let line = lines(&gateway.stop(), &[token])[0].clone();
    assert_eq!((&line["application"], &line["token"]), (&json!("shop"), &json!("")));
    assert_eq!(line["user"].as_str().expect("a digest").len(), 16);
}

#[tokio::test]
async fn attacks_on_tokens_are_refused_with_the_reason_in_the_log() {
    let signer = Signer::new("2026-11");
    let issuer = Issuer::start(&[&signer]);
    let backend = Backend::replying(OK);
    let mut gateway = start(&issuer, "", &backend.key());
    let attacks = attacks(&signer);
    for (_, name, token) in &attacks {
        // Which check failed is told to nobody.
        let found = gateway.orders(token).await.refused(401, Some("ER-TECH-0007"));
        assert_eq!(found, "expected a valid bearer token, found an invalid one", "{name}");
    }
    assert!(!backend.was_called());
    // A clock may differ by 30 s, an audience may be a list, and a time may have a fraction.
    // A token may be as long as a head.
    let fraction = serde_json::from_str(&format!("{}.5", now() + 60)).expect("a number");
    for (name, value) in [
        ("padding", "a".repeat(15_000).into()),
        ("exp", (now() - 20).into()),
        ("nbf", (now() + 20).into()),
        ("aud", json!(["https://shop.example", AUDIENCE])),
        ("exp", fraction),
    ] {
        assert_eq!(gateway.orders(&signer.token(&with(name, value))).await.status, 200, "{name}");
    }
    let tokens: Vec<_> = attacks.iter().map(|(.., token)| token.clone()).collect();
    let lines = lines(&gateway.stop(), &tokens);
    for ((reason, name, _), line) in attacks.iter().zip(&lines) {
        let found = ["reason", "token", "application", "user"].map(|field| &line[field]);
        assert_eq!(found, ["invalid-token", reason, "", ""], "{name}");
    }
}

#[tokio::test]
async fn a_rotated_key_is_read_and_unknown_keys_are_not_asked_for_again_and_again() {
    let (first, second) = (Signer::new("first"), Signer::new("second"));
    let issuer = Issuer::start(&[&first]);
    let gateway = start(&issuer, "retry_ms = 400", "");
    assert_eq!(status(&gateway, &first).await, 501);
    issuer.publish(&[&first, &second]);
    // Many callers come with the new key at once. They wait for the same request, which is made after `retry_ms`.
    let token = second.token(&claims(WALLET));
    until("the new key is read", async || {
        gateway.orders_at_once(vec![token.clone(); 20]).await == [501; 20]
    })
    .await;
    assert_eq!(issuer.state().requests, 2);
    // Made-up keys: one request in 400 ms.
    let began = Instant::now();
    for number in 0..100 {
        assert_eq!(status(&gateway, &Signer::new(&format!("made-up-{number}"))).await, 401);
    }
    let most = 3 + usize::try_from(began.elapsed().as_millis() / 400).expect("a few");
    assert!(issuer.state().requests <= most, "{} of {most}", issuer.state().requests);
}

#[tokio::test]
async fn keys_that_cannot_be_read_again_stay_and_removed_keys_go() {
    let (first, second) = (Signer::new("first"), Signer::new("second"));
    let issuer = Issuer::start(&[&first]);
    let gateway = start(&issuer, "refresh_ms = 100\nretry_ms = 100", "");
    assert_eq!(status(&gateway, &first).await, 501);
    issuer.state().is_broken = true;
    until("the keys are read again", async || {
        assert_eq!(status(&gateway, &first).await, 501);
        gateway.metric("sendoff_users_asked_total{outcome=\"failed\"}").await >= 3
    })
    .await;
    // A key that leaked is removed by its issuer.
    issuer.publish(&[&second]);
    issuer.state().is_broken = false;
    until("the removed key goes", async || status(&gateway, &first).await == 401).await;
    assert_eq!(status(&gateway, &second).await, 501);
}

#[tokio::test]
async fn without_the_keys_the_reply_is_503_and_others_are_served() {
    // An issuer that accepts connections and does not answer.
    let gateway = Gateway::start(&file(&format!("\"{}\"", Backend::silent()), "ms = 300", ""));
    is_unknown_in_time(&gateway, &Signer::new("2026-11").token(&claims(WALLET))).await;
    assert_eq!(gateway.orders(TOKEN).await.status, 501);
}

#[tokio::test]
async fn keys_in_a_file_are_used_and_checked_at_start() {
    let folder = Folder::new("jwks");
    let write = |keys: &str| folder.write("jwks.json", keys);
    let publish = |signer: &Signer| write(&json!({ "keys": [signer.jwk()] }).to_string());
    let (signer, next) = (Signer::new("2026-11"), Signer::new("2026-12"));
    let keys = format!("{:?}", publish(&signer));
    let file = file(&keys, "retry_ms = 200", "");
    let gateway = Gateway::start(&file);
    assert_eq!(status(&gateway, &signer).await, 501);
    // A token without a key id has the only key.
    let anonymous = signer.sign(r#"{"alg":"ES256"}"#, &claims(WALLET).to_string());
    assert_eq!(gateway.orders(&anonymous).await.status, 501);
    // A changed file is read again, without a restart.
    publish(&next);
    until("the new key is accepted", async || status(&gateway, &next).await == 501).await;
    assert_eq!(status(&gateway, &signer).await, 401);
    drop(gateway);
    for content in ["{}", "canary", r#"{"keys":[]}"#, r#"{"keys":[{"kty":"oct","k":"canary"}]}"#] {
        write(content);
        let problem = Gateway::refused(&file, Launch::default());
        let expected =
            "environment.sandbox.jwt: the keys of `https://login.example` cannot be used";
        assert!(problem.contains(expected) && !problem.contains("canary"), "{problem}");
    }
}
