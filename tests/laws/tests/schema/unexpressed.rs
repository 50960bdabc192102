//! For each rule that no schema expresses, an input that satisfies every schema and is refused.

use laws::deployment;
use super::{Schemas, read};
use sendoff::json;
use sendoff::schema::{Boundary, Form, UnexpressedRule};
use serde_json::{Value, json};

const DEMO: [&str; 2] =
    [include_str!("../../../demo/request.json"), include_str!("../../../demo/facts.json")];
const CHECKSUM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD";

/// A call as in vectors: its function, and its arguments as documents or texts.
fn call(rule: UnexpressedRule) -> (&'static str, Vec<Value>) {
    let [request, facts] = DEMO.map(|text| serde_json::from_str::<Value>(text).unwrap());
    let with = |document: &Value, pointer: &str, value: Value| {
        let mut document = document.clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        document.pointer_mut(parent).unwrap()[key] = value;
        document
    };
    let policy = json!({ "limit": 3, "windowMs": 1000 });
    let reply: Value = serde_json::from_str(&json::estimate(DEMO[0], DEMO[1]).unwrap()).unwrap();
    let op = reply["data"]["userOps"].clone();
    let entry_point = |version: &str| json!({ "entryPoint": facts["paymaster"], "chainId": 1, "version": version });
    match rule {
        UnexpressedRule::Text => {
            let deep = format!("{}1{}", "[".repeat(70), "]".repeat(70));
            ("readReply", vec![json!(format!(r#"{{"status":"success","data":{deep}}}"#))])
        }
        UnexpressedRule::Duplicate => (
            "touch",
            vec![json!(r#"{"limit":3,"limit":3,"windowMs":1000}"#), json!(null), json!(0)],
        ),
        UnexpressedRule::Digits => {
            ("touch", vec![policy, json!(r#"{"start":8640000000000000.4,"count":0}"#), json!(0)])
        }
        UnexpressedRule::Checksum => {
            ("estimate", vec![request, with(&facts, "/paymaster", json!(CHECKSUM))])
        }
        UnexpressedRule::Decimal => ("readText", vec![json!("amount"), json!("9".repeat(78))]),
        UnexpressedRule::Tip => {
            ("estimate", vec![with(&request, "/gasDetails/maxFeePerGas", json!("0x1")), facts])
        }
        UnexpressedRule::Recipient => {
            let user = facts["userSWA"].clone();
            ("estimate", vec![with(&request, "/details/recipientWalletAddress", user), facts])
        }
        UnexpressedRule::FeePayer => (
            "estimate",
            vec![with(&request, "/feePayerAddress", facts["paymaster"].clone()), facts],
        ),
        UnexpressedRule::FeeChain => {
            ("estimate", vec![request, with(&facts, "/fees/transactionFees/eip155:1", json!("1"))])
        }
        UnexpressedRule::Names => {
            let names = json!({ "chains": [{ "caip2Id": "eip155:1", "name": " Base" }] });
            ("checkDocument", vec![json!("Names"), names])
        }
        UnexpressedRule::Reply => {
            let place = deployment(&facts);
            ("signable", vec![request, with(&reply, "/status", json!("pending")), place])
        }
        UnexpressedRule::Layout => ("decodeCall", vec![json!("0x")]),
        UnexpressedRule::Units => ("unitsOf", vec![json!("0.5"), json!(0)]),
        UnexpressedRule::NonceKey => {
            ("readNonce", vec![request["jobId"].clone(), json!(format!("0x{}", "0".repeat(64)))])
        }
        UnexpressedRule::Factory => {
            let op = with(&op, "/factory", json!("0x7702000000000000000000000000000000000000"));
            ("userOpHash", vec![op, entry_point("0.8")])
        }
        UnexpressedRule::PaymasterSignature => {
            // The magic number of a paymaster signature, with a length above that of the data.
            let op = with(&op, "/paymasterData", json!("0xffff22e325a297439656"));
            ("userOpHash", vec![op, entry_point("0.9")])
        }
        UnexpressedRule::Gas => {
            ("maxCost", vec![with(&op, "/callGasLimit", json!(format!("0x1{}", "0".repeat(30))))])
        }
        UnexpressedRule::GasBounds => {
            let bounds = json!({ "gas": { "callGasLimit": { "least": "0x2", "most": "0x1" } } });
            let mut place = deployment(&facts);
            place["expect"] = bounds;
            ("signable", vec![request, reply, place])
        }
        UnexpressedRule::Catalogue => {
            let chain = json!({ "caip2Id": "eip155:1", "name": "A", "net": "main" });
            ("listNetworks", vec![json!({ "chains": [chain, chain] })])
        }
        UnexpressedRule::CatalogueStep => {
            let step = json!({ "type": "enable", "caip2Id": "eip155:1" });
            ("catalogueStep", vec![json!({ "chains": [] }), step])
        }
        UnexpressedRule::Submission => {
            ("submission", vec![json!(null), json!({ "type": "brokenOff" })])
        }
        UnexpressedRule::Replaced => {
            let hash = format!("0x{}", "ab".repeat(32));
            let state = json!({
                "jobId": request["jobId"], "hash": hash, "phase": "sent", "replaced": [hash.replace('b', "B")],
            });
            ("submission", vec![state, json!({ "type": "brokenOff" })])
        }
        UnexpressedRule::Cost => ("admit", vec![policy, json!(null), json!(0), json!(4)]),
        UnexpressedRule::Plan => ("plan", vec![policy, json!(null), json!(0), json!(300_001)]),
        UnexpressedRule::Script => ("redisAnswer", vec![policy, json!([9, 0, 0, 0, 0])]),
        UnexpressedRule::Parameters => {
            ("operationPath", vec![json!("portfolio"), json!({ "userId": "u" })])
        }
    }
}

fn answer(name: &str, arguments: &[String]) -> json::Answer {
    json::call(name, &arguments.iter().map(|argument| Some(argument.as_str())).collect::<Vec<_>>())
}

#[test]
fn every_rule_that_no_schema_expresses() {
    let (mut schemas, boundary) = (Schemas::new(), Boundary::new());
    for rule in UnexpressedRule::ALL {
        let (name, arguments) = call(*rule);
        let function = boundary.functions.iter().find(|function| function.name == name).unwrap();
        let mut texts = Vec::new();
        for (argument, value) in function.arguments.iter().zip(&arguments) {
            let text = value.as_str().map_or_else(|| value.to_string(), Into::into);
            let value = match argument.form {
                Form::Document | Form::Number | Form::Reply => serde_json::from_str(&text).unwrap(),
                Form::Text => value.clone(),
            };
            assert!(
                schemas.accept(&argument.schema, &value),
                "{rule}: `{}` breaks its schema: {text}",
                argument.name
            );
            texts.push(text);
        }
        let issues = answer(name, &texts).expect_err("a rule that is broken");
        let issues: Value = serde_json::from_str(&issues).unwrap();
        println!("{rule}: {name}: {}", issues["issues"][0]["message"]);
        assert_eq!(issues["issues"].as_array().unwrap().len(), 1, "{rule}: {issues}");
        assert!(
            boundary.schema["description"].as_str().unwrap().contains(&format!("- `{rule}`: "))
        );
    }
    assert!(read("Params", r#"{"userId":"u"}"#));
}
