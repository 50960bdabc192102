//! Gas limits from a bundler, with valid and invalid replies.

use std::{io::Write as _, net::TcpStream};

use serde_json::{Value, json};

use super::estimate;
use crate::support::{
    Gateway,
    backend::{Backend, Received, stall, stall_after},
    config,
    reply::Reply,
};

const ENTRY_POINT: &str = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";

fn bundler(url: &str, on_loss: &str, ms: u32) -> String {
    format!(
        "bundler = {{ url = {url}, entry_point = \"{ENTRY_POINT}\", ms = {ms}, on_loss = \"{on_loss}\" }}"
    )
}

fn gateway(url: &str, on_loss: &str) -> Gateway {
    waiting(url, on_loss, 10_000)
}

/// A gateway that waits for its bundler for this time.
fn waiting(url: &str, on_loss: &str, ms: u32) -> Gateway {
    Gateway::start(&config(r#""none""#, "", &bundler(&format!("{url:?}"), on_loss, ms)))
}

async fn ask(gateway: &Gateway, body: &Value) -> Reply {
    Reply::to(gateway.estimate(body.to_string())).await
}

fn http(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// A bundler with this reply. An id of 1 is replaced by the id of the call.
fn replies(body: &Value) -> Backend {
    let body = body.clone();
    Backend::start(move |received, stream| {
        let mut body = body.clone();
        let call: Value = serde_json::from_slice(&received.body).expect("JSON");
        if body.get("id") == Some(&json!(1)) {
            body["id"] = call["id"].clone();
        }
        // The gateway closes the connection when it has read enough.
        let _gone = stream.write_all(http(&body.to_string()).as_bytes());
    })
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

fn limits(reply: &Reply) -> Vec<String> {
    let reply = reply.json();
    NAMES
        .iter()
        .map(|name| reply["data"]["userOps"][name].as_str().expect("a limit").to_owned())
        .collect()
}

#[tokio::test]
async fn gas_limits_of_the_bundler_replace_those_of_the_file() {
    let all = ["0x1", "0x2", "0x3", "0x4", "0x0"];
    for (result, expected) in [
        (Value::from_iter(NAMES.iter().zip(all).map(|(name, limit)| (*name, limit))), all),
        (json!({"callGasLimit": "0xaB", "x": 1}), ["0xaB", FILE[1], FILE[2], FILE[3], FILE[4]]),
        (
            json!({"preVerificationGas": "0x10000000000"}),
            [FILE[0], FILE[1], "0x10000000000", FILE[3], FILE[4]],
        ),
    ] {
        let backend = replies(&json!({"jsonrpc": "2.0", "id": 1, "result": result}));
        let gateway = gateway(&backend.url, "refuse");
        let reply = ask(&gateway, &estimate::request()).await;
        assert_eq!(limits(&reply), expected, "{result}");
        assert_eq!(gateway.metric("sendoff_bundler_total{outcome=\"answered\"}").await, 1);
    }
}

/// A reply may have 64 KiB.
#[tokio::test]
async fn a_reply_at_the_limit_is_read() {
    let reply = |length: usize| json!({"jsonrpc": "2.0", "id": 1, "result": {"callGasLimit": "0x1", "x": "a".repeat(length)}});
    let rest = (64 << 10) - reply(0).to_string().len();
    for (longer, status) in [(0, 200), (1, 502)] {
        let backend = replies(&reply(rest + longer));
        assert_eq!(
            ask(&gateway(&backend.url, "refuse"), &estimate::request()).await.status,
            status,
            "{longer}"
        );
    }
}

/// The request has the form of ERC-7769: the operation of the reply, with quantities and a signature of the right length.
#[tokio::test]
async fn the_bundler_gets_the_operation_as_in_erc_7769() {
    let backend = replies(&json!({"jsonrpc": "2.0", "id": 1, "result": {"callGasLimit": FILE[0]}}));
    let gateway = gateway(&backend.url, "refuse");
    for job in ["9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "00000000-0000-0000-0000-000000000000"] {
        let mut request = estimate::request();
        request["jobId"] = job.into();
        let reply = ask(&gateway, &request).await.json();
        let received = backend.received();
        assert_eq!(received.line(), "POST / HTTP/1.1");
        assert_eq!(received.header("content-type"), Some("application/json"));
        for private in ["authorization", "x-api-key"] {
            assert_eq!(received.header(private), None, "{}", received.head);
        }
        let call: Value = serde_json::from_slice(&received.body).expect("JSON");
        assert_eq!(call["jsonrpc"], "2.0");
        assert_eq!(call["method"], "eth_estimateUserOperationGas");
        assert_eq!(
            (call["params"].as_array().expect("parameters").len(), &call["params"][1]),
            (2, &json!(ENTRY_POINT))
        );
        let mut op = call["params"][0].as_object().expect("an operation").clone();
        let signature = op.remove("signature").expect("a signature");
        assert_eq!(signature.as_str().expect("text").len(), 2 + 2 * 65);
        let (nonce, word) = (op["nonce"].clone(), reply["data"]["userOps"]["nonce"].clone());
        let quantity =
            word.as_str().expect("a word").trim_start_matches("0x").trim_start_matches('0');
        assert_eq!(nonce, format!("0x{}", if quantity.is_empty() { "0" } else { quantity }));
        op.insert("nonce".into(), word);
        assert_eq!(Value::Object(op), reply["data"]["userOps"]);
        for number in NAMES.iter().chain(&["nonce", "maxFeePerGas", "maxPriorityFeePerGas"]) {
            let text = call["params"][0][number].as_str().expect("text");
            assert!(sendoff::json::read_text("quantity", text).is_ok(), "{number}: {text}");
        }
        // The core can read the operation for a hash.
        let op = call["params"][0].to_string();
        let options =
            json!({"entryPoint": ENTRY_POINT, "chainId": 80002, "version": "0.7"}).to_string();
        assert!(sendoff::json::user_op_hash(&op, &options).is_ok());
    }
}

#[tokio::test]
async fn without_a_valid_reply_on_loss_decides() {
    let result = json!({"callGasLimit": "0x1"});
    let large = json!({"callGasLimit": "0x1", "x": "a".repeat(70_000)});
    let error = json!({"code": -32500, "message": "AA24 signature error"});
    let reply = |fields: Value| {
        let mut reply = json!({"jsonrpc": "2.0", "id": 1});
        let members = reply.as_object_mut().expect("an object");
        members.extend(fields.as_object().expect("an object").clone());
        replies(&reply).url
    };
    let limit = |name: &str, value: Value| reply(json!({"result": {name: value}}));
    let raw = |bytes: &str| Backend::replying(bytes).url;
    for (url, status) in [
        (reply(json!({"error": error})), 502),
        (replies(&json!([])).url, 502),
        (reply(json!({"result": result, "error": error})), 502),
        (twice(r#""result":{"callGasLimit":"0x1"},"result":{"callGasLimit":"0x2"}"#), 502),
        (twice(r#""result":{"callGasLimit":"0x1","callGasLimit":"0x2"}"#), 502),
        (reply(json!({"result": {}})), 502),
        (limit("x", json!("0x1")), 502),
        (limit("paymasterPostOpGasLimit", json!("0x1")), 502),
        (limit("callGasLimit", json!("0x0")), 502),
        (limit("verificationGasLimit", json!("0x0")), 502),
        (limit("preVerificationGas", json!("0x0")), 502),
        (limit("callGasLimit", json!("0x10000000001")), 502),
        (limit("preVerificationGas", json!(format!("0x{}", "f".repeat(64)))), 502),
        (reply(json!({"result": null})), 502),
        (reply(json!({"result": "0x1"})), 502),
        // The id of another call, or no id.
        (reply(json!({"id": 7, "result": result})), 502),
        (reply(json!({"id": "1", "result": result})), 502),
        (reply(json!({"id": null, "result": result})), 502),
        (replies(&json!({"jsonrpc": "2.0", "result": result})).url, 502),
        (raw(&failed("500 Internal Server Error")), 502),
        (raw(&failed("429 Too Many Requests")), 502),
        (limit("callGasLimit", json!(1)), 502),
        (limit("callGasLimit", Value::Null), 502),
        (limit("callGasLimit", json!("0x")), 502),
        (limit("callGasLimit", json!("0x01")), 502),
        (limit("verificationGasLimit", json!(format!("0x1{}", "0".repeat(32)))), 502),
        (limit("preVerificationGas", json!(format!("0x1{}", "0".repeat(64)))), 502),
        (reply(json!({"result": large})), 502),
        (raw(&http("{\"jsonrpc\":\"2.0\",\"id\":1,\"res")), 502),
        (raw("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"result\":{}}"), 502),
        (raw("HTTP/1.1 307 Moved\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n"), 502),
        (raw("garbage"), 502),
        (Backend::raw(drop), 502),
        (Backend::raw(stall), 504),
        (Backend::start(|_, stream| stall_after(stream, PART)).url, 504),
    ] {
        let ms = if status == 504 { 300 } else { 10_000 };
        let refusing = waiting(&url, "refuse", ms);
        let message =
            ask(&refusing, &estimate::request()).await.refused(status, Some("ER-TECH-0006"));
        assert_eq!(message, "the bundler gives no gas limits");
        assert_eq!(refusing.metric("sendoff_bundler_total{outcome=\"refused\"}").await, 1);
        let replacing = waiting(&url, "file", ms);
        assert_eq!(limits(&ask(&replacing, &estimate::request()).await), FILE, "{status}");
        assert_eq!(replacing.metric("sendoff_bundler_total{outcome=\"replaced\"}").await, 1);
    }
}

/// The address of a bundler whose reply has these fields, and the id of the call.
fn twice(fields: &'static str) -> String {
    let answer = move |received: &Received, stream: &mut TcpStream| {
        let call: Value = serde_json::from_slice(&received.body).expect("JSON");
        let reply = http(&format!(r#"{{"jsonrpc":"2.0","id":{},{fields}}}"#, call["id"]));
        crate::support::wire::send(stream, reply);
    };
    Backend::start(answer).url
}

/// A failure of the bundler's host, with a valid reply as its body.
fn failed(status: &str) -> String {
    http(r#"{"jsonrpc":"2.0","id":1,"result":{"callGasLimit":"0x1"}}"#)
        .replacen("200 OK", status, 1)
}

const PART: &str = "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{";

#[tokio::test]
async fn refused_requests_do_not_reach_the_bundler() {
    let backend = replies(&json!({"jsonrpc": "2.0", "id": 1, "result": {"callGasLimit": FILE[0]}}));
    let gateway = gateway(&backend.url, "refuse");
    let mut other = estimate::request();
    other["details"]["caip2Id"] = "eip155:1".into();
    let mut own = estimate::request();
    own["details"]["recipientWalletAddress"] = crate::support::USER_SWA.into();
    for body in [other, own, json!({})] {
        assert_eq!(ask(&gateway, &body).await.status, 400);
    }
    assert!(!backend.was_called());
}

/// An address that contains a key is read from a variable, and is not logged.
#[tokio::test]
async fn a_secret_address_of_a_bundler_is_not_logged() {
    let backend = replies(
        &json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "bundler-secret"}}),
    );
    let url = format!("{}/rpc/bundler-secret?key=bundler-secret", backend.url);
    let file = config(r#""none""#, "", &bundler("{ env = \"BUNDLER\" }", "file", 10_000));
    let mut gateway = Gateway::start_with(&file, &[("BUNDLER", &url), ("SENDOFF_LOG", "debug")]);
    assert_eq!(ask(&gateway, &estimate::request()).await.status, 200);
    assert_eq!(backend.received().line(), "POST /rpc/bundler-secret?key=bundler-secret HTTP/1.1");
    let log = gateway.stop();
    assert!(log.contains("the bundler gives no gas limits"), "{log}");
    assert!(!log.contains("bundler-secret"), "{log}");
}
