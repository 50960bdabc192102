//! Identification of callers, and the replies to unknown callers.

use reqwest::{Method, header::HeaderValue};

use crate::support::{
    Gateway, KEY, SERVER_KEY, TOKEN, client, config,
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

async fn ask(gateway: &Gateway, (method, path): (Method, &str), headers: &[(&str, &str)]) -> Reply {
    let request = client().request(method, gateway.url(path));
    Reply::to(headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, HeaderValue::from_bytes(value.as_bytes()).expect("a header's value"))
    }))
    .await
}

#[tokio::test]
async fn known_callers_are_accepted() {
    let gateway = gateway();
    let bearer = format!("Bearer {TOKEN}");
    for (operation, headers, status) in [
        (CLIENT, vec![("authorization", bearer.as_str())], 501),
        (CLIENT, vec![("authorization", "bEARER   demo-token")], 501),
        (CLIENT, vec![("authorization", &bearer), ("x-api-key", KEY)], 501),
        (LIST, vec![("authorization", &bearer)], 200),
        (LIST, vec![("x-api-key", KEY)], 200),
        (LIST, vec![("authorization", &bearer), ("x-api-key", KEY)], 200),
        (SERVER, vec![("x-api-key", SERVER_KEY)], 501),
        (SERVER, vec![("x-api-key", SERVER_KEY), ("authorization", "Basic a")], 501),
        (SERVER, vec![("x-api-key", SERVER_KEY), ("authorization", &bearer)], 501),
    ] {
        assert_eq!(
            ask(&gateway, operation.clone(), &headers).await.status,
            status,
            "{operation:?} {headers:?}"
        );
    }
}

#[tokio::test]
async fn unknown_callers_are_refused_with_the_reason() {
    let gateway = gateway();
    let bearer = format!("Bearer {TOKEN}");
    let (missing, invalid) = (Some("ER-TECH-0007"), r#"Bearer error="invalid_token""#);
    let none = "expected a bearer token in the header `authorization`, found none";
    let token = "expected a valid bearer token, found an invalid one";
    let key = "expected a valid key in the header `x-api-key`, found an invalid one";
    let pair = "expected a valid key and a valid token of one application, found an invalid pair";
    for (operation, headers, code, challenge, message) in [
        (CLIENT, vec![], missing, "Bearer", none),
        (CLIENT, vec![("x-api-key", KEY)], missing, "Bearer", none),
        (CLIENT, vec![("authorization", "Bearer demo-tokem")], missing, invalid, token),
        (CLIENT, vec![("authorization", "Bearer Demo-token")], missing, invalid, token),
        (CLIENT, vec![("authorization", "Bearer demo-key")], missing, invalid, token),
        (
            CLIENT,
            vec![("authorization", &bearer), ("x-api-key", "other-key")],
            missing,
            invalid,
            pair,
        ),
        (
            CLIENT,
            vec![("authorization", "Bearer other-token"), ("x-api-key", KEY)],
            missing,
            invalid,
            pair,
        ),
        (
            CLIENT,
            vec![("authorization", &bearer), ("x-api-key", "nobody's")],
            missing,
            invalid,
            pair,
        ),
        (
            CLIENT,
            vec![("authorization", &bearer), ("x-api-key", SERVER_KEY)],
            missing,
            invalid,
            pair,
        ),
        (CLIENT, vec![("authorization", &bearer), ("x-api-key", "")], missing, invalid, pair),
        (LIST, vec![], missing, "Bearer", none),
        (LIST, vec![("x-api-key", SERVER_KEY)], missing, "ApiKey", key),
        (LIST, vec![("x-api-key", "nobody's")], missing, "ApiKey", key),
        (
            LIST,
            vec![("x-api-key", KEY), ("authorization", "Basic ZGVtbzpkZW1v")],
            missing,
            "Bearer",
            none,
        ),
        (CLIENT, vec![("authorization", "Basic ZGVtbzpkZW1v")], missing, "Bearer", none),
        (CLIENT, vec![("authorization", "")], missing, "Bearer", none),
        (CLIENT, vec![("authorization", "Bearer")], missing, invalid, token),
        (
            CLIENT,
            vec![("authorization", &bearer), ("authorization", &bearer)],
            missing,
            invalid,
            token,
        ),
        (CLIENT, vec![("authorization", "Bearer é")], missing, invalid, token),
        (
            SERVER,
            vec![("authorization", &bearer)],
            missing,
            "ApiKey",
            "expected a valid key in the header `x-api-key`, found none",
        ),
        (
            SERVER,
            vec![("x-api-key", SERVER_KEY), ("authorization", "Bearer other-token")],
            missing,
            invalid,
            pair,
        ),
        (
            SERVER,
            vec![("x-api-key", SERVER_KEY), ("authorization", "Bearer nobody's")],
            missing,
            invalid,
            pair,
        ),
        (
            SERVER,
            vec![("x-api-key", SERVER_KEY), ("authorization", &bearer), ("authorization", &bearer)],
            missing,
            invalid,
            pair,
        ),
        (SERVER, vec![("x-api-key", KEY)], Some("OAU_401"), "ApiKey", key),
        (SERVER, vec![("x-api-key", "nobody's")], Some("OAU_401"), "ApiKey", key),
        (SERVER, vec![("x-api-key", TOKEN)], Some("OAU_401"), "ApiKey", key),
        (
            SERVER,
            vec![("x-api-key", SERVER_KEY), ("x-api-key", SERVER_KEY)],
            Some("OAU_401"),
            "ApiKey",
            key,
        ),
    ] {
        let reply = ask(&gateway, operation.clone(), &headers).await;
        assert_eq!(reply.refused(401, code), message, "{operation:?} {headers:?}");
        assert_eq!(reply.header("www-authenticate"), Some(challenge), "{operation:?} {headers:?}");
        for (_, value) in headers.iter().filter(|(_, value)| !["", "Bearer"].contains(value)) {
            assert!(!reply.text.contains(value), "{} shows `{value}`", reply.text);
        }
    }
}

/// `x-request-id` is in the reply and in the envelope. In the envelope the trace id of `traceparent` takes precedence.
#[tokio::test]
async fn trace_ids_are_returned() {
    let gateway = gateway();
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let parent = format!("00-{trace}-00f067aa0ba902b7-01");
    for (headers, header, id) in [
        (vec![("x-request-id", "mine")], Some("mine"), Some("mine")),
        (vec![("traceparent", parent.as_str())], Some(trace), Some(trace)),
        (vec![("traceparent", &parent), ("x-request-id", "mine")], Some("mine"), Some(trace)),
        (vec![("traceparent", "none"), ("x-request-id", "mine")], Some("mine"), Some("mine")),
        (vec![("x-request-id", "two words")], None, None),
        (vec![("x-request-id", "")], None, None),
        (vec![], None, None),
    ] {
        let reply = ask(&gateway, CLIENT, &headers).await;
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
