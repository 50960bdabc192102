//! The corpus of refusals. The guards of `sendoff/http` are tested with the same requests and
//! replies.

use crate::support::prelude::*;

/// Headers of a connection. They differ between hosts.
const OF_CONNECTIONS: [&str; 4] = ["connection", "content-length", "date", "transfer-encoding"];

/// The parts of a reply that are compared: its status, all other headers, and the bytes of its body.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
}

fn cases(world: &str) -> Vec<Value> {
    let suite = include_str!("../../../../tests/refusals/refusals.json");
    let suite: Value = serde_json::from_str(suite).expect("the corpus");
    let mut cases = suite["cases"].as_array().expect("cases").clone();
    cases.retain(|case| case["world"].as_str().unwrap_or("plain") == world);
    assert!(!cases.is_empty(), "{world}");
    cases
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// The headers of a request or a reply. A list of values is one header for each value.
fn fields(value: &Value) -> impl Iterator<Item = (&String, &str)> {
    let fields = value.as_object().expect("fields").iter();
    fields.flat_map(|(name, value)| {
        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        values.iter().map(move |value| (name, text(value)))
    })
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

fn ask(gateway: &Gateway, case: &Value) -> Answer {
    let request = &case["request"];
    let (line, body) = (text(&request["line"]), body(&request["body"]));
    let mut head = format!("{line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n");
    if !line.starts_with("GET ") {
        head += &format!("content-length: {}\r\n", body.len());
    }
    let known = [("{token}", TOKEN), ("{key}", KEY), ("{server-key}", SERVER_KEY)];
    for (name, value) in fields(&request["headers"]) {
        let other = value.replace("{other-token}", "other-token");
        let value = known.iter().fold(other, |value, (name, secret)| value.replace(name, secret));
        head += &format!("{name}: {value}\r\n");
    }
    let reply = exchange(gateway, [head.as_bytes(), b"\r\n", &body].concat());
    let (head, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
    let headers = headers.filter(|(name, _)| !OF_CONNECTIONS.contains(name));
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Answer { status: statuses(head)[0], headers, body: body.into() }
}

fn check(gateway: &Gateway, case: &Value) {
    let found = ask(gateway, case);
    let seconds = found.headers.get("retry-after").cloned().unwrap_or_default();
    if case["world"] == "full" {
        assert!((1..=91).contains(&seconds.parse::<u32>().expect("seconds")), "{seconds}");
    }
    let reply = &case["reply"];
    let status = reply["status"].as_u64().and_then(|status| status.try_into().ok());
    let headers = fields(&reply["headers"])
        .map(|(name, value)| (name.clone(), value.replace("{seconds}", &seconds)))
        .collect();
    let status = status.expect("a status");
    let expected = Answer { status, headers, body: text(&reply["body"]).into() };
    assert_eq!(found, expected, "{}", case["name"]);
}

/// Of a window with room, of a full one, and without the store.
#[test]
fn refusals_have_the_expected_bytes() {
    let redis = Redis::start();
    let store = redis.store("refuse");
    let room = "{ limit = 1000, window_ms = 300_000 }";
    let one = "{ limit = 1, window_ms = 90_500, midnight = \"carry\" }";
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
        let cases = cases(world);
        if world == "full" {
            assert_eq!(ask(&gateway, &cases[0]).status, 501);
        }
        cases.iter().for_each(|case| check(&gateway, case));
    }
}
