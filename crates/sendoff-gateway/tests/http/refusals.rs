//! The corpus of refusals. The guards of `sendoff/http` are tested with the same requests and
//! replies.

use crate::support::prelude::*;

/// Headers of a connection. They differ between hosts.
const OF_CONNECTIONS: [&str; 4] = ["connection", "content-length", "date", "transfer-encoding"];

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// The bytes of a body, which is a text or a list of its parts.
fn body(value: &Value) -> Vec<u8> {
    let part = |part: &Value| match part["hex"].as_str() {
        Some(bytes) => hex::decode(bytes).expect("hex"),
        None => {
            let times = part["times"].as_u64().unwrap_or(1).try_into().expect("a count");
            text(&part["text"]).repeat(times).into_bytes()
        }
    };
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => text.clone().into_bytes(),
        parts => parts.as_array().expect("parts").iter().flat_map(part).collect(),
    }
}

/// The reply to a request of the corpus, as the corpus has it.
fn ask(gateway: &Gateway, request: &Value) -> Value {
    let (line, body) = (text(&request["line"]), body(&request["body"]));
    let mut head = format!("{line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n");
    if !line.starts_with("GET ") {
        head += &format!("content-length: {}\r\n", body.len());
    }
    let known = [
        ("{token}", TOKEN),
        ("{key}", KEY),
        ("{server-key}", SERVER_KEY),
        ("{other-token}", "other-token"),
    ];
    for (name, value) in request["headers"].as_object().expect("fields") {
        // A list of values is one header for each value.
        for value in value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice) {
            let secret = |value: String, (name, secret): &(&str, &str)| value.replace(name, secret);
            let value = known.iter().fold(text(value).to_owned(), secret);
            head += &format!("{name}: {value}\r\n");
        }
    }
    let reply = exchange(gateway, [head.as_bytes(), b"\r\n", &body].concat());
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
    let headers = headers.filter(|(name, _)| !OF_CONNECTIONS.contains(name));
    let headers: BTreeMap<_, _> = headers.collect();
    json!({ "status": statuses(head)[0], "headers": headers, "body": body })
}

/// Of a window with room, of a full one, and without the store: status, all other headers, and the bytes of the body.
#[test]
fn refusals_have_the_expected_bytes() {
    let suite = include_str!("../../../../tests/refusals/refusals.json");
    let suite: Value = serde_json::from_str(suite).expect("the corpus");
    let redis = Redis::start();
    let store = redis.store("refuse");
    let room = "{ limit = 1000, windowMs = 300_000 }";
    let one = "{ limit = 1, windowMs = 90_500, midnight = \"carry\" }";
    let other = user("other-token", "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906");
    let other = application("other", &other);
    let gateways = [("plain", room, ""), ("full", one, ""), ("lost", room, &*store)].map(
        |(world, policy, head)| {
            let file = config(policy, head, "rate_limit_fields = true") + &other;
            (world, Gateway::start(&file))
        },
    );
    drop(redis);
    for (world, gateway) in gateways {
        let mut cases = suite["cases"].as_array().expect("cases").clone();
        cases.retain(|case| case["world"].as_str().unwrap_or("plain") == world);
        if world == "full" {
            assert_eq!(ask(&gateway, &cases[0]["request"])["status"], 501);
        }
        assert!(!cases.is_empty(), "{world}");
        for case in cases {
            let found = ask(&gateway, &case["request"]);
            let seconds = found["headers"]["retry-after"].as_str().unwrap_or_default();
            if world == "full" {
                let seconds = seconds.parse::<u32>().expect("seconds");
                assert!((1..=91).contains(&seconds), "{seconds}");
            }
            let expected = case["reply"].to_string().replace("{seconds}", seconds);
            let expected: Value = serde_json::from_str(&expected).expect("JSON");
            assert_eq!(found, expected, "{}", case["name"]);
        }
    }
}
