//! Canaries: a text of its own in each place where a secret can be. None of them is shown anywhere
//! else.

mod process;

use std::os::unix::process::ExitStatusExt as _;

use sendoff::rate_limit::{Cost, Policy, RateLimiter, SharedLimiter, Time, redis::Key};
use sendoff_gateway::{Log, config::Config};

use super::estimate;
use crate::support::prelude::*;

/// The credentials of the example's callers, and a canary in the place of each.
const CALLERS: [(&str, &str); 3] = [
    (KEY, "canary-CLIENT-key-1f0a"),
    (SERVER_KEY, "canary-SERVER-key-2f0b"),
    (TOKEN, "canary-USER-token-3f0c"),
];
const STORE_SECRET: &str = "canary-STORE-secret-4f0d";
const PASSWORD: &str = "canary-REDIS-password-5f0e";
const BUNDLER: &str = "canary-BUNDLER-key-6f0f";
/// Nobody's variable.
const UNUSED: &str = "canary-UNUSED-8f01";
/// What nobody knows: strangers' keys and tokens, and secrets that came to a wrong place.
const STRANGE: &str = "canary-STRANGE-7f00";

/// The canaries, each as it is and as it could be encoded.
fn canaries() -> impl Iterator<Item = String> {
    let others = [STORE_SECRET, PASSWORD, BUNDLER, UNUSED, STRANGE];
    CALLERS.map(|(_, canary)| canary).into_iter().chain(others).flat_map(|canary| {
        let bytes: Vec<String> = canary.bytes().map(|byte| byte.to_string()).collect();
        [canary.into(), canary.replace('-', "%2D"), hex::encode(canary), bytes.join(", ")]
    })
}

/// Fails if a canary, or a part of one, is in a text.
fn check(place: &str, text: &str) {
    let lower = text.to_ascii_lowercase();
    assert!(!lower.contains("canary"), "a canary is in {place}:\n{text}");
    for canary in canaries() {
        assert!(!lower.contains(&canary.to_ascii_lowercase()), "`{canary}` is in {place}:\n{text}");
    }
}

/// A file with every secret that there can be: digests of callers' credentials, and variables.
fn file(environment: &str) -> String {
    let head = "store.url = { env = \"STORE_URL\" }\nstore.secret = { env = \"STORE_SECRET\" }\nstore.on_loss = \"refuse\"\n\
                bounds.body_ms = 200";
    let bundler = "bundler = { url = { env = \"BUNDLER_URL\" }, entry_point = \"0x0000000071727De22E5E9d8BAf0edAc6f37da032\", \
                   on_loss = \"refuse\" }";
    let text =
        config("{ limit = 1000, windowMs = 300_000 }", head, &format!("{environment}\n{bundler}"));
    CALLERS.iter().fold(text, |text, (secret, canary)| {
        assert!(text.contains(&sha256(secret)), "{secret}");
        text.replacen(&sha256(secret), &sha256(canary), 1)
    })
}

fn variables<'a>(store: &'a str, bundler: &'a str, level: &'a str) -> [(&'a str, &'a str); 6] {
    [
        ("STORE_URL", store),
        ("STORE_SECRET", STORE_SECRET),
        ("BUNDLER_URL", bundler),
        ("UNUSED", UNUSED),
        ("SENDOFF_LOG", level),
        ("RUST_BACKTRACE", "1"),
    ]
}

/// Calls with good and bad credentials, in and out of their places: the line, headers, and the body.
const CALLS: &str = "
POST /api/oc/v1/estimate ~ authorization: Bearer {token}|x-api-key: {key}|content-type: application/json ~ {request}
POST /api/oc/v1/estimate ~ authorization: Bearer {token} ~ {strange}
POST /api/v1/nft/transfer ~ authorization: Bearer {token} ~ {strange}
POST /api/v1/nft/transfer ~ authorization: Bearer {token}|content-length: 999 ~ {strange}
POST /s2s/api/v1/wallet ~ x-api-key: {server} ~ {strange}
POST /s2s/api/v1/wallet ~ x-api-key: {key} ~ {}
GET /api/v1/orders ~ authorization: Bearer {strange} ~
GET /api/v1/orders ~ authorization: Basic {strange} ~
GET /api/v1/orders ~ authorization: {token} ~
GET /api/v1/orders ~ authorization: Bearer {token}|authorization: Bearer {strange} ~
GET /api/v1/orders ~ authorization: Bearer {token}|x-api-key: {strange} ~
GET /api/v1/orders ~ authorization: Bearer {token}|connection: {strange}, authorization ~
GET /api/v1/orders ~ authorization: Bearer {token}|cookie: session={strange} ~
GET /api/v1/orders ~ authorization : Bearer {token} ~
GET /api/v1/orders ~ authorization: Bearer {token}\u{1} ~
GET /api/v1/orders ~ {token}: a ~
GET /api/v1/orders ~ x-{token} {token} ~
GET /api/v1/orders ~ authorization: Bearer {token}|transfer-encoding: {strange} ~
GET /api/v1/orders ~ content-length: {strange} ~
GET /api/v1/orders ~ traceparent: 00-{strange} ~
GET /{token}/api/v1/orders?token={token} ~ a: b ~
GET /{key}/api/v1/orders?token={key} ~ a: b ~
GET /{server}/api/v1/orders?token={server} ~ a: b ~
GET /{strange}/api/v1/orders?token={strange} ~ a: b ~
{strange} / ~ a: b ~
";

/// Makes the calls; the replies are searched.
fn calls(gateway: &Gateway) {
    let [(_, key), (_, server), (_, token)] = CALLERS;
    let request = estimate::request().to_string();
    let values = [
        ("{key}", key),
        ("{server}", server),
        ("{token}", token),
        ("{strange}", STRANGE),
        ("{request}", &request),
        ("|", "\r\n"),
    ];
    for row in CALLS.lines().filter(|row| !row.is_empty()) {
        let fill = |cell: &str| {
            let text = cell.trim_matches(' ').to_owned();
            values.iter().fold(text, |text, (name, value)| text.replace(name, value))
        };
        let cells: Vec<_> = row.split('~').map(fill).collect();
        let [line, headers, body]: [String; 3] = cells.try_into().expect("three cells");
        let mut head = format!("{line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{headers}\r\n");
        if !headers.contains("length") {
            head += &format!("content-length: {}\r\n", body.len());
        }
        head += "\r\n";
        let reply = exchange(gateway, format!("{head}{body}"));
        assert!(reply.starts_with("HTTP/1.1 "), "{line}: {reply}");
        check(&format!("the reply to {line}"), &reply);
    }
}

/// A store with a password, which does not say the password itself.
fn store() -> (Redis, String) {
    let redis = Redis::start();
    tell(&mut redis.connection(), &["CONFIG", "SET", "requirepass", PASSWORD]);
    let url = format!("{}?pass={PASSWORD}", redis.url());
    (redis, url)
}

fn tell(connection: &mut redis::Connection, words: &[&str]) {
    redis::Cmd::new().arg(words).exec(connection).expect("it is taken");
}

/// Through success and every kind of failure, at each level of the log; and with a backend and a bundler that nobody serves.
#[tokio::test(flavor = "multi_thread")]
async fn no_run_shows_a_secret() {
    for level in ["off", "error", "warn", "info", "debug", "trace"] {
        let (mut redis, url) = store();
        let backend = Backend::replying(OK);
        // The message of its error may show anything.
        let error = format!(r#"{{"id":1,"error":{{"code":1,"message":"{STRANGE}"}}}}"#);
        let bundler = Backend::replying(replied("200 OK", &error));
        let bundler_url = format!("{}/{BUNDLER}?key={BUNDLER}", bundler.url);
        let text = file(&backend.key());
        let mut gateway = Gateway::start_with(&text, &variables(&url, &bundler_url, level));
        calls(&gateway);
        let line = format!("POST /{BUNDLER}?key={BUNDLER} HTTP/1.1");
        assert_eq!(bundler.received().line(), line);
        assert_eq!(gateway.metric("sendoff_store_up").await, 1, "a store with a password counts");
        assert!(gateway.metric("sendoff_calls_total{verdict=\"admitted\"}").await > 0);
        let nobody = free();
        let bundler = format!("http://{nobody}/{BUNDLER}?key={BUNDLER}");
        let text = file(&format!("upstream.url = \"http://{nobody}\""));
        let mut unreachable = Gateway::start_with(&text, &variables(&url, &bundler, level));
        calls(&unreachable);
        check("the metrics", &unreachable.ask("/metrics").await);
        check(&format!("the log of {level}"), &unreachable.stop());
        // The store takes the password no more, then is gone; so is the backend.
        let client = redis::Client::open(url.as_str()).expect("an address");
        let mut connection = client.get_connection().expect("it is up");
        tell(&mut connection, &["CONFIG", "SET", "requirepass", "another"]);
        tell(&mut connection, &["CLIENT", "KILL", "TYPE", "normal"]);
        calls(&gateway);
        gateway.until("sendoff_store_up", 0).await;
        redis.end();
        calls(&gateway);
        for path in ["/metrics", "/health", "/ready", "/canary"] {
            check(path, &gateway.ask(path).await);
        }
        let log = gateway.stop();
        assert_eq!(log.is_empty(), level == "off", "{log}");
        check(&format!("the log of {level}"), &log);
    }
}

/// Files that are refused, each with a secret in a wrong place or a wrong form.
#[test]
fn no_refused_file_shows_a_secret() {
    let right = file("");
    let folder = Folder::new("pem");
    let text = format!("-----BEGIN PRIVATE KEY-----\n{STRANGE}\n-----END PRIVATE KEY-----\n");
    let pem = folder.write("key.pem", text);
    let variable = |name: &str| format!("{{ env = \"{name}\" }}");
    let places = CALLERS.map(|(_, canary)| format!("{:?}", sha256(canary))).into_iter();
    let places = places.chain(["STORE_SECRET", "STORE_URL", "BUNDLER_URL"].map(variable));
    let mut files = Vec::new();
    for place in places {
        for text in [
            format!("\"{STRANGE}\""),
            format!("\"redis://:{STRANGE}@127.0.0.1:1\""),
            format!("\"https://user:{STRANGE}@rpc.example/{STRANGE}?key={STRANGE}\""),
            STRANGE.to_owned(),
            format!("\"{STRANGE}"),
            format!("['{STRANGE}']"),
            format!("{{ env = \"{STRANGE}\" }}"),
            format!("{{ env = [\"{STRANGE}\"] }}"),
            format!("{{ sha256 = \"{STRANGE}\" }}"),
            format!("{{ env = \"UNUSED\", value = \"{STRANGE}\" }}"),
            format!("{{ secret = \"{STRANGE}\" }}"),
            format!("{place} {STRANGE}"),
        ] {
            assert!(right.contains(&place), "{place}");
            files.push(right.replacen(&place, &text, 1));
        }
    }
    for key in ["store_key", "store.secret", "admin", "store.lease", "store.on_loss"] {
        files.push(format!("{key} = \"{STRANGE}\"\n{right}"));
    }
    for environment in [
        format!("upstream.url = \"http://user:{STRANGE}@127.0.0.1:1\""),
        format!("upstream.url = \"http://127.0.0.1:1/?key={STRANGE}\""),
        format!("upstream.url = \"http://127.0.0.1:1/#{STRANGE}\""),
        format!("upstream.url = {{ env = \"{STRANGE}\" }}"),
        format!("tls = {{ certificate = {pem:?}, key = {pem:?} }}"),
        format!(
            "tls = {{ certificate = \"/nowhere\", key = \"-----BEGIN PRIVATE KEY-----\\n{STRANGE}\" }}"
        ),
    ] {
        files.push(file(&environment));
    }
    let address = "http://127.0.0.1:1";
    let all = [
        variables("redis://127.0.0.1:1", address, "trace"),
        variables("redis://127.0.0.1:1/canary-x", address, "trace"),
        variables(STRANGE, address, "trace"),
        variables("redis+unix:///nowhere?pass=canary-x\n", address, "trace"),
        variables("rediss://:canary-x@127.0.0.1:1/#insecure", address, "trace"),
        variables("redis://127.0.0.1:1", STRANGE, "trace"),
        variables("redis://127.0.0.1:1", "http://127.0.0.1:1/canary-x\n", "trace"),
        variables("redis://127.0.0.1:1", address, STRANGE),
    ];
    let right = [right];
    let files = files.iter().map(|file| (file, &all[0]));
    for (text, variables) in files.chain(right.iter().cycle().zip(&all[1..])) {
        let said = Gateway::refused(text, Launch { variables, ..Launch::default() });
        assert!(!said.is_empty());
        check(&format!("what is said of {text}"), &said);
    }
}
