//! Identification of callers, and the replies to unknown callers.

use reqwest::{Method, header::HeaderValue};

use crate::support::{
    Gateway, KEY, TOKEN, client, config,
    reply::{Reply, envelope},
    wire,
};

const OTHER: &str = r#"
[[environment.sandbox.application]]
name = "other"
client_swa = "0x07c50e23dbD7F3A0147f44DC83739A8DcD8d252F"
keys = [{ env = "OTHER_KEY" }]
[[environment.sandbox.application.user]]
token = { env = "OTHER_TOKEN" }
user_swa = "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906"
"#;

fn gateway() -> Gateway {
    let variables = [("OTHER_KEY", "other-key"), ("OTHER_TOKEN", "other-token")];
    Gateway::start_with(&(config(r#""none""#, "", "") + OTHER), &variables)
}

const CLIENT: (Method, &str) = (Method::GET, "/api/v1/portfolio");
const LIST: (Method, &str) = (Method::GET, "/api/v1/supported/networks");
const SERVER: (Method, &str) = (Method::POST, "/s2s/api/v1/wallet");

const USER: &str = "authorization: Bearer demo-token";
const OTHER_USER: &str = "authorization: Bearer other-token";
const BASIC: &str = "authorization: Basic ZGVtbzpkZW1v";
const CLIENT_KEY: &str = "x-api-key: demo-key";
const THE_SERVER_KEY: &str = "x-api-key: demo-server-key";
const NOBODY: &str = "x-api-key: nobody's";

/// The reply to a request with these headers.
async fn ask(gateway: &Gateway, (method, path): (Method, &str), headers: &[&str]) -> Reply {
    let request = client().request(method, gateway.url(path));
    Reply::to(headers.iter().fold(request, |request, header| {
        let (name, value) = header.split_once(": ").expect("a name and a value");
        request.header(name, HeaderValue::from_bytes(value.as_bytes()).expect("a header's value"))
    }))
    .await
}

#[tokio::test]
async fn known_callers_are_accepted() {
    let gateway = gateway();
    for (operation, headers, status) in [
        (CLIENT, &[USER][..], 501),
        (CLIENT, &["authorization: bEARER   demo-token"], 501),
        (CLIENT, &[USER, CLIENT_KEY], 501),
        (LIST, &[USER], 200),
        (LIST, &[CLIENT_KEY], 200),
        (LIST, &[USER, CLIENT_KEY], 200),
        (SERVER, &[THE_SERVER_KEY], 501),
        (SERVER, &[THE_SERVER_KEY, BASIC], 501),
        (SERVER, &[THE_SERVER_KEY, USER], 501),
    ] {
        let reply = ask(&gateway, operation.clone(), headers).await;
        assert_eq!(reply.status, status, "{operation:?} {headers:?}");
    }
}

#[tokio::test]
async fn unknown_callers_are_refused_with_the_reason() {
    type Why = (&'static str, &'static str, &'static str);
    const INVALID: &str = r#"Bearer error="invalid_token""#;
    const NO_TOKEN: Why = (
        "ER-TECH-0007",
        "Bearer",
        "expected a bearer token in the header `authorization`, found none",
    );
    const TOKEN: Why =
        ("ER-TECH-0007", INVALID, "expected a valid bearer token, found an invalid one");
    const PAIR: Why = (
        "ER-TECH-0007",
        INVALID,
        "expected a valid key and a valid token of one application, found an invalid pair",
    );
    const NO_KEY: Why =
        ("ER-TECH-0007", "ApiKey", "expected a valid key in the header `x-api-key`, found none");
    const AN_INVALID_KEY: &str =
        "expected a valid key in the header `x-api-key`, found an invalid one";
    const KEY: Why = ("ER-TECH-0007", "ApiKey", AN_INVALID_KEY);
    const SERVERS_KEY: Why = ("OAU_401", "ApiKey", AN_INVALID_KEY);

    let gateway = gateway();
    for (operation, headers, (code, challenge, message)) in [
        (CLIENT, &[][..], NO_TOKEN),
        (CLIENT, &[CLIENT_KEY], NO_TOKEN),
        (CLIENT, &["authorization: Bearer demo-tokem"], TOKEN),
        (CLIENT, &["authorization: Bearer Demo-token"], TOKEN),
        (CLIENT, &["authorization: Bearer demo-key"], TOKEN),
        (CLIENT, &[USER, "x-api-key: other-key"], PAIR),
        (CLIENT, &[OTHER_USER, CLIENT_KEY], PAIR),
        (CLIENT, &[USER, NOBODY], PAIR),
        (CLIENT, &[USER, THE_SERVER_KEY], PAIR),
        (CLIENT, &[USER, "x-api-key: "], PAIR),
        (LIST, &[], NO_TOKEN),
        (LIST, &[THE_SERVER_KEY], KEY),
        (LIST, &[NOBODY], KEY),
        (LIST, &[CLIENT_KEY, BASIC], NO_TOKEN),
        (CLIENT, &[BASIC], NO_TOKEN),
        (CLIENT, &["authorization: "], NO_TOKEN),
        (CLIENT, &["authorization: Bearer"], TOKEN),
        (CLIENT, &[USER, USER], TOKEN),
        (CLIENT, &["authorization: Bearer é"], TOKEN),
        (SERVER, &[USER], NO_KEY),
        (SERVER, &[THE_SERVER_KEY, OTHER_USER], PAIR),
        (SERVER, &[THE_SERVER_KEY, "authorization: Bearer nobody's"], PAIR),
        (SERVER, &[THE_SERVER_KEY, USER, USER], PAIR),
        (SERVER, &[CLIENT_KEY], SERVERS_KEY),
        (SERVER, &[NOBODY], SERVERS_KEY),
        (SERVER, &["x-api-key: demo-token"], SERVERS_KEY),
        (SERVER, &[THE_SERVER_KEY, THE_SERVER_KEY], SERVERS_KEY),
    ] {
        let reply = ask(&gateway, operation.clone(), headers).await;
        assert_eq!(reply.refused(401, Some(code)), message, "{operation:?} {headers:?}");
        assert_eq!(reply.header("www-authenticate"), Some(challenge), "{operation:?} {headers:?}");
        let values = headers.iter().filter_map(|header| Some(header.split_once(": ")?.1));
        for value in values.filter(|value| !["", "Bearer"].contains(value)) {
            assert!(!reply.text.contains(value), "{} shows `{value}`", reply.text);
        }
    }
}

/// `x-request-id` is in the reply and in the envelope. In the envelope the trace id of `traceparent` takes precedence.
#[tokio::test]
async fn trace_ids_are_returned() {
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const MINE: &str = "x-request-id: mine";
    let gateway = gateway();
    for (headers, header, id) in [
        (&[MINE][..], Some("mine"), Some("mine")),
        (&[PARENT], Some(TRACE), Some(TRACE)),
        (&[PARENT, MINE], Some("mine"), Some(TRACE)),
        (&["traceparent: none", MINE], Some("mine"), Some("mine")),
        (&["x-request-id: two words"], None, None),
        (&["x-request-id: "], None, None),
        (&[], None, None),
    ] {
        let reply = ask(&gateway, CLIENT, headers).await;
        let (came, made) = (
            reply.header("x-request-id").expect("always"),
            reply.json()["error"]["trace_id"].clone(),
        );
        assert_eq!(came, header.unwrap_or(made.as_str().expect("text")), "{headers:?}");
        envelope(&reply.text, 401, Some("ER-TECH-0007"), id.unwrap_or(came));
        assert!(id.is_some() || came.len() == 36, "{came}");
    }
}

/// Header names are case-insensitive, and a token in a query is ignored.
#[test]
fn credentials_are_read_from_headers_only() {
    let gateway = gateway();
    let ask = |target: &str, header: &str| {
        let request =
            format!("GET {target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{header}\r\n\r\n");
        wire::statuses(&wire::exchange(gateway.socket(), request))
    };
    assert_eq!(ask(LIST.1, "AUTHORIZATION:Bearer demo-token"), [200]);
    assert_eq!(ask(LIST.1, "Authorization: Bearer demo-token \t"), [200]);
    assert_eq!(
        ask(LIST.1, "Authorization: Bearer demo-token\r\nauthorization: Bearer nobody's"),
        [401]
    );
    assert_eq!(ask(LIST.1, "Authorization: Bearer demo-token, Bearer demo-token"), [401]);
    assert_eq!(ask(LIST.1, "Authorization : Bearer demo-token"), [400]);
    assert_eq!(ask(&format!("{}?access_token={TOKEN}&x-api-key={KEY}", LIST.1), "a: b"), [401]);
}
