//! Every document is text and a value of serde, both ways.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display};
use std::fs;
use std::path::Path;
use std::str::FromStr;

use sendoff::error::Error;
use sendoff::{estimate::*, http::*, intent::*, submission::*, user_op::*};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

#[test]
fn every_document_has_display_from_str_and_serde() {
    let api = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sendoff/api.txt");
    let api = fs::read_to_string(api).unwrap();
    let with = |traits: &[&str]| -> BTreeSet<_> {
        let impls =
            api.lines().filter_map(|line| line.strip_prefix("impl")?.split_once(" for sendoff::"));
        impls
            .filter(|(what, _)| traits.iter().any(|name| what.ends_with(name)))
            .map(|(_, name)| name)
            .collect()
    };

    // A bearer token is a header's value, and is shown to nobody; what refusals, issues and errors
    // display is for people.
    let others = ["Bearer", "Error", "Issue", "IssueCode", "Refusal"];
    let mut read = with(&["FromStr", "Deserialize<'de>"]);
    read.retain(|name| !others.contains(&name.rsplit("::").next().unwrap()));

    assert!(read.len() > 90, "{read:?}");
    for name in ["FromStr", "Deserialize<'de>", "Serialize", "Display"] {
        let missing: Vec<_> = read.difference(&with(&[name])).copied().collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
    }
}

/// A document is the same after its text, and after serde.
fn comes_back<
    T: FromStr<Err = Error> + Display + Serialize + DeserializeOwned + Debug + PartialEq,
>(
    value: Value,
) where
    String: for<'a> From<&'a T>,
{
    let document: T = value.to_string().parse().unwrap();
    let text = document.to_string();
    assert_eq!(String::from(&document), text);
    assert_eq!(text.parse::<T>().unwrap(), document, "{text}");
    let through = serde_json::to_value(&document).unwrap();
    assert_eq!(through, text.parse::<Value>().unwrap());
    assert_eq!(serde_json::from_value::<T>(through).unwrap(), document);
    assert_eq!(serde_json::from_value::<T>(value).unwrap(), document);
}

#[test]
fn documents_whose_traits_are_written_by_hand_come_back() {
    let hash = format!("0x{}", "aB".repeat(32));
    let receipt = |success: bool, more: Value| {
        let mut receipt = json!({
            "userOpHash": hash, "success": success, "actualGasCost": "0x4A817C800", "actualGasUsed": "0x0", "logs": [],
        });
        receipt.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        receipt
    };
    let receipts = [
        receipt(true, json!({ "reason": 5, "receipt": { "status": "0x1" } })),
        receipt(true, json!({ "receipt": { "transactionHash": hash } })),
        receipt(false, json!({ "receipt": { "transactionHash": hash, "status": "0x0" } })),
        receipt(false, json!({ "reason": null })),
        receipt(false, json!({ "reason": "" })),
        receipt(false, json!({ "reason": "0xDEADbeef" })),
        receipt(false, json!({ "reason": "no \"hex\"\u{7}" })),
    ];
    for receipt in receipts {
        comes_back::<UserOpReceipt>(receipt.clone());
        comes_back::<SubmissionStep>(json!({ "type": "receipt", "receipt": receipt }));
    }
    comes_back::<SubmissionStep>(json!({ "type": "receipt", "receipt": null }));
    comes_back::<SubmissionStep>(json!({ "type": "brokenOff" }));
    let job = "e4fb7f8b-d19d-4785-94af-4b911469a3b0";
    comes_back::<SubmissionStep>(json!({ "type": "sent", "jobId": job, "hash": hash }));
    comes_back::<SubmissionStep>(
        json!({ "type": "sent", "jobId": job, "hash": hash, "validUntil": 0 }),
    );
    comes_back::<SubmissionStep>(
        json!({ "type": "replaced", "jobId": job, "hash": hash, "validUntil": 5 }),
    );
    comes_back::<SubmissionStep>(json!({ "type": "nonce", "used": false, "now": 5 }));
    comes_back::<Submission>(json!({ "jobId": job, "hash": hash, "phase": "sent" }));
    let replaced = json!([format!("0x{}", "Cd".repeat(32))]);
    comes_back::<Submission>(json!({
        "jobId": job, "hash": hash, "phase": "expired", "replaced": replaced, "validUntil": 5,
    }));
    let replies = [
        json!({ "status": "success", "data": { "a": [1, -1, 1.5, 9007199254740993_u64, null, true, "é", {}] } }),
        json!({ "status": "error", "error": { "code": -32603, "message": "internal" } }),
        json!({ "status": "error", "error": {
            "code": 429, "message": "", "errorCode": "ER-TECH-0100", "traceId": "t", "data": { "b": 1, "a": [] },
        } }),
    ];
    for reply in replies {
        comes_back::<Reply>(reply.clone());
        comes_back::<SubmissionStep>(json!({ "type": "answered", "reply": reply }));
    }
    comes_back::<ErrorReply>(
        json!({ "code": 1, "message": "m", "trace_id": "t", "details": null }),
    );
    comes_back::<Opaque>(json!({ "b": { "z": -5, "a": 0.1 }, "a": [] }));
    comes_back::<TransactionFees>(json!({ "solana:b": "1", "eip155:1": "0" }));
    comes_back::<GsnTokens>(json!([]));
    let transaction = json!({ "data": "0xAb", "from": format!("0x{}", "1".repeat(40)), "to": format!("0x{}", "2".repeat(40)), "value": "0x0" });
    comes_back::<Transactions>(json!([transaction]));
    comes_back::<Estimation>(
        serde_json::to_value(Estimation { amount: Some("7".parse().unwrap()) }).unwrap(),
    );
    comes_back::<SwapFees>(serde_json::to_value(SwapFees).unwrap());
}

/// Such a refusal is written as the answer of `findOperation`; one with other fields is made by a host alone.
#[test]
fn a_refusal_is_read_by_serde_as_from_text() {
    for refusal in
        [json!({ "refused": "not-found" }), json!({ "refused": "rate-limited", "retryAfter": 53 })]
    {
        let from_text: Refusal = refusal.to_string().parse().unwrap();
        assert_eq!(serde_json::from_value::<Refusal>(refusal).unwrap(), from_text);
    }
}
