//! Gas limits from a bundler, with valid and invalid replies.

use super::estimate;
use crate::support::prelude::*;

const ENTRY_POINT: &str = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";

/// A gateway that waits for its bundler for this time in milliseconds.
pub(crate) fn gateway(head: &str, url: &str, on_loss: &str, ms: u32) -> Gateway {
    let bundler = format!(
        "bundler = {{ url = {url:?}, entry_point = \"{ENTRY_POINT}\", ms = {ms}, on_loss = \"{on_loss}\" }}"
    );
    Gateway::plain(head, &bundler)
}

async fn ask(gateway: &Gateway) -> Reply {
    gateway.estimate(estimate::request().to_string()).await
}

/// A bundler with this reply, in which `ID` is the id of the call.
fn replies(status: &'static str, body: &str) -> Backend {
    let body = body.to_owned();
    Backend::start(move |received, stream| {
        let call: Value = serde_json::from_slice(&received.body).expect("JSON");
        let reply = replied(status, &body.replace("ID", &call["id"].to_string()));
        // The gateway closes the connection when it has read enough.
        let _gone = stream.write_all(reply.as_bytes());
    })
}

/// A reply to the call with these members.
fn reply(members: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":ID,{members}}}"#)
}

/// A reply to the call with this result.
fn result(result: &Value) -> Backend {
    replies("200 OK", &reply(&format!(r#""result":{result}"#)))
}

const NAMES: [&str; 5] = [
    "callGasLimit",
    "verificationGasLimit",
    "preVerificationGas",
    "paymasterVerificationGasLimit",
    "paymasterPostOpGasLimit",
];

/// The gas limits of the file.
const FILE: [&str; 5] = ["0x927c0", "0x61a80", "0x186a0", "0x30d40", "0x30d40"];

fn limits(reply: &Reply) -> [String; 5] {
    let data = reply.data();
    NAMES.map(|name| data["userOps"][name].as_str().expect("a limit").to_owned())
}

/// The longest result of a reply, and one that is longer by a byte: a reply may have 64 KiB.
fn longest(more: usize) -> Value {
    let of = |length| json!({ "callGasLimit": "0x1", "x": "a".repeat(length) });
    let short = reply(&format!(r#""result":{}"#, of(0))).replace("ID", "1").len();
    of((64 << 10) - short + more)
}

#[tokio::test]
async fn gas_limits_of_the_bundler_replace_those_of_the_file() {
    let all = ["0x1", "0x2", "0x3", "0x4", "0x0"];
    let of_all = Value::from_iter(NAMES.iter().zip(all).map(|(name, limit)| (*name, limit)));
    let large = "0x10000000000";
    for (given, expected) in [
        (of_all, all),
        (json!({"callGasLimit": "0xaB", "x": 1}), ["0xaB", FILE[1], FILE[2], FILE[3], FILE[4]]),
        (json!({"preVerificationGas": large}), [FILE[0], FILE[1], large, FILE[3], FILE[4]]),
        (longest(0), ["0x1", FILE[1], FILE[2], FILE[3], FILE[4]]),
    ] {
        let gateway = gateway("", &result(&given).url, "refuse", 10_000);
        assert_eq!(limits(&ask(&gateway).await), expected);
        assert_eq!(gateway.metric("sendoff_bundler_total{outcome=\"answered\"}").await, 1);
    }
}

/// The request has the form of ERC-7769: the operation of the reply, with quantities and a signature of the right length.
#[tokio::test]
async fn the_bundler_gets_the_operation_as_in_erc_7769() {
    let backend = result(&json!({"callGasLimit": FILE[0]}));
    let gateway = gateway("", &backend.url, "refuse", 10_000);
    for job in ["9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "00000000-0000-0000-0000-000000000000"] {
        let mut request = estimate::request();
        request["jobId"] = job.into();
        let expected = gateway.estimate(request.to_string()).await.data()["userOps"].clone();
        let received = backend.received();
        assert_eq!(received.line(), "POST / HTTP/1.1");
        assert_eq!(received.header("content-type"), Some("application/json"));
        for private in ["authorization", "x-api-key"] {
            assert_eq!(received.header(private), None, "{}", received.head);
        }
        let call: Value = serde_json::from_slice(&received.body).expect("JSON");
        assert_eq!(call["jsonrpc"], "2.0");
        assert_eq!(call["method"], "eth_estimateUserOperationGas");
        let [sent, entry_point] = &call["params"].as_array().expect("parameters")[..] else {
            panic!("two parameters: {call}")
        };
        assert_eq!(*entry_point, ENTRY_POINT);
        let mut op = sent.as_object().expect("an operation").clone();
        let signature = op.remove("signature").expect("a signature");
        assert_eq!(signature.as_str().expect("text").len(), 2 + 2 * 65);
        let word = expected["nonce"].as_str().expect("a word");
        let digits = word.trim_start_matches("0x").trim_start_matches('0');
        let quantity = format!("0x{}", if digits.is_empty() { "0" } else { digits });
        assert_eq!(op.insert("nonce".into(), word.into()), Some(quantity.into()));
        assert_eq!(Value::Object(op), expected);
    }
    // It gets no request that is refused.
    for (name, value) in [("caip2Id", "eip155:1"), ("recipientWalletAddress", USER_SWA)] {
        let mut request = estimate::request();
        request["details"][name] = value.into();
        assert_eq!(gateway.estimate(request.to_string()).await.status, 400);
    }
    assert_eq!(gateway.estimate("{}").await.status, 400);
    assert!(!backend.was_called());
}

#[tokio::test]
async fn without_a_valid_reply_on_loss_decides() {
    let error = r#""error":{"code":-32500,"message":"AA24 signature error"}"#;
    let good = r#""result":{"callGasLimit":"0x1"}"#;
    let ok = |members: &str| replies("200 OK", &reply(members));
    let whole = |body: &str| replies("200 OK", body);
    let limit = |name: &str, value: &str| result(&json!({ name: value }));
    let long = |digits| format!("0x1{}", "0".repeat(digits));
    let raw = |bytes: &str| Backend::replying(bytes);
    let bundlers = [
        ok(error),
        whole("[]"),
        ok(&format!("{good},{error}")),
        ok(&format!(r#"{good},"result":{{"callGasLimit":"0x2"}}"#)),
        ok(r#""result":{"callGasLimit":"0x1","callGasLimit":"0x2"}"#),
        result(&json!({})),
        limit("x", "0x1"),
        limit("paymasterPostOpGasLimit", "0x1"),
        limit("callGasLimit", "0x0"),
        limit("verificationGasLimit", "0x0"),
        limit("preVerificationGas", "0x0"),
        limit("callGasLimit", "0x10000000001"),
        limit("preVerificationGas", &format!("0x{}", "f".repeat(64))),
        result(&Value::Null),
        result(&"0x1".into()),
        // The id of another call, or no id.
        whole(&reply(good).replace("ID", "7")),
        whole(&reply(good).replace("ID", "\"1\"")),
        whole(&reply(good).replace("ID", "null")),
        whole(&format!(r#"{{"jsonrpc":"2.0",{good}}}"#)),
        replies("500 Internal Server Error", &reply(good)),
        replies("429 Too Many Requests", &reply(good)),
        result(&json!({ "callGasLimit": 1 })),
        result(&json!({ "callGasLimit": null })),
        limit("callGasLimit", "0x"),
        limit("callGasLimit", "0x01"),
        limit("verificationGasLimit", &long(32)),
        limit("preVerificationGas", &long(64)),
        result(&longest(1)),
        whole("{\"jsonrpc\":\"2.0\",\"id\":ID,\"res"),
        raw("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"result\":{}}"),
        raw("HTTP/1.1 307 Moved\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n"),
        raw("garbage"),
        raw(""),
    ];
    let bundlers = bundlers.iter().map(|bundler| (bundler.url.clone(), 502));
    let part = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{";
    let silent = [(Backend::silent(), 504), (stalling(part), 504)];
    for (number, (url, status)) in bundlers.chain(silent).enumerate() {
        let ms = if status == 504 { 300 } else { 10_000 };
        let refusing = gateway("", &url, "refuse", ms);
        let message = ask(&refusing).await.refused(status, Some("ER-TECH-0006"));
        assert_eq!(message, "the bundler gives no gas limits", "{number}");
        assert_eq!(refusing.metric("sendoff_bundler_total{outcome=\"refused\"}").await, 1);
        let replacing = gateway("", &url, "file", ms);
        assert_eq!(limits(&ask(&replacing).await), FILE, "{number}");
        assert_eq!(replacing.metric("sendoff_bundler_total{outcome=\"replaced\"}").await, 1);
    }
}
