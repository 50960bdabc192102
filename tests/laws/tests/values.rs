//! Laws of text values and of reading: the spelling is kept, and no input makes a reader panic.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use laws::{address, amount, chain, hex_bytes, quantity, uuid};
use proptest::prelude::*;
use sendoff::json;
use sendoff::value::{
    Address, Amount, ChainId, FeeAmount, FeePayerAddress, HexBytes, JobId, NftId, NftType, Nonce, Quantity,
    Quantity128, Signature, TokenAddress, Word,
};
use serde_json::Value;

/// `parse(s)?.to_string() == s`, in serde as well.
fn keeps_spelling<T: FromStr + Display + Debug + PartialEq + serde::Serialize + serde::de::DeserializeOwned>(
    text: &str,
) {
    let Ok(value) = text.parse::<T>() else { return };
    assert_eq!(value.to_string(), text);
    assert_eq!(serde_json::to_value(&value).unwrap(), Value::from(text));
    assert_eq!(serde_json::from_value::<T>(text.into()).unwrap(), value);
}

/// Checks that letter case does not change the meaning of hex and UUIDs.
fn ignores_case<T: FromStr + Debug + PartialEq>(text: &str) {
    if let (Ok(value), Ok(lower)) = (text.parse::<T>(), text.to_lowercase().parse::<T>()) {
        assert_eq!(value, lower);
    }
}

fn every_kind_keeps_spelling(text: &str) {
    keeps_spelling::<Quantity>(text);
    keeps_spelling::<Quantity128>(text);
    keeps_spelling::<Nonce>(text);
    keeps_spelling::<HexBytes>(text);
    keeps_spelling::<Word>(text);
    keeps_spelling::<Signature>(text);
    keeps_spelling::<Address>(text);
    keeps_spelling::<TokenAddress>(text);
    keeps_spelling::<FeePayerAddress>(text);
    keeps_spelling::<ChainId>(text);
    keeps_spelling::<JobId>(text);
    keeps_spelling::<NftId>(text);
    keeps_spelling::<NftType>(text);
    keeps_spelling::<Amount>(text);
    keeps_spelling::<FeeAmount>(text);
    ignores_case::<Quantity>(text);
    ignores_case::<Nonce>(text);
    ignores_case::<HexBytes>(text);
    ignores_case::<Address>(text);
    ignores_case::<JobId>(text);
    ignores_case::<NftId>(text);
}

/// Calls every function that takes documents or text, with this text for each argument.
fn call_everything(text: &str) {
    for kind in ["quantity", "hexBytes", "word", "address", "chainId", "jobId", "nftId", "amount", text] {
        let _ = json::read_text(kind, text);
    }
    for kind in ["EstimateRequest", "Facts", "Deployment", "Call", "UserOp", "PaymasterGrant", "Policy", "Window", text]
    {
        let _ = json::check_document(kind, text);
    }
    for function in json::FUNCTIONS {
        let _ = json::call(function.name, &vec![Some(text); function.arguments.len()]);
    }
    for function in json::signature::FUNCTIONS {
        let _ = json::signature::call(function.name, &vec![Some(text); function.arguments.len()]);
    }
}

/// JSON of any shape, with some keys and texts of the core's documents.
fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<String>(),
        address(),
        uuid(),
        chain(),
        amount(),
        Just("NFT_TRANSFER".to_owned()),
        Just("RAW_TRANSACTION".to_owned()),
    ];
    let key = prop::sample::select(vec![
        "type",
        "jobId",
        "gasDetails",
        "details",
        "paymasterData",
        "transactions",
        "caip2Id",
        "limit",
        "windowMs",
        "start",
        "count",
        "status",
        "data",
        "error",
        "callData",
        "userOps",
        "gsn",
        "requiredNetworks",
        "intent",
        "x",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::hash_map(key.clone().prop_map(String::from), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn spelling_is_kept(
        text in prop_oneof![
            quantity(256), hex_bytes(40), address(), uuid(), chain(), amount(),
            "0x[0-9a-fA-F]{64}", "0x[0-9a-fA-F]{130}", "[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}", ".{0,50}",
        ],
    ) {
        every_kind_keeps_spelling(&text);
    }

    #[test]
    fn readers_are_total_on_text(text in prop_oneof![".{0,200}", any::<String>(), hex_bytes(300)]) {
        call_everything(&text);
    }

    #[test]
    fn readers_are_total_on_json(json in any_json()) {
        call_everything(&json.to_string());
    }

    #[test]
    fn refusals_are_issues(json in any_json()) {
        let refusal = json::estimate(&json.to_string(), &json.to_string()).unwrap_err();
        let issues = refusal.issues();
        prop_assert!(!issues.is_empty());
        let mut paths: Vec<_> = issues.iter().map(|issue| &*issue.path).collect();
        paths.sort_unstable();
        let count = paths.len();
        paths.dedup();
        prop_assert_eq!(paths.len(), count, "a path occurs twice");
    }
}

#[test]
fn bounds_are_exact() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let code = |text: &str| {
        let refusal = json::estimate(text, "{}").unwrap_err();
        let root = refusal.issues().iter().find(|issue| issue.path.is_empty());
        root.map_or("", |issue| issue.code.as_str())
    };
    assert_eq!(code(&nested(64)), "type");
    assert_eq!(code(&nested(65)), "range");
    assert_eq!(code(&nested(100_000)), "range");
    let padded = |length: usize| format!("{{}}{}", " ".repeat(length - 2));
    assert_eq!(code(&padded(1 << 20)), "");
    assert_eq!(code(&padded((1 << 20) + 1)), "range");
    assert_eq!(code(r#""\ud800""#), "syntax");
    assert_eq!(code("1e400"), "type");
}

#[test]
fn hostile_documents_are_cheap() {
    // A million bytes of problems: unknown keys, duplicate keys, deep keys.
    let unknown: String = (0..100_000).map(|at| format!("\"{at}\":0,")).collect();
    let twice = "\"a\":0,".repeat(150_000);
    let long = format!("{{\"{}\":{{{}\"z\":0}}}}", "k".repeat(500_000), "\"a\":0,".repeat(80_000));
    for body in [format!("{{{unknown}\"z\":0}}"), format!("{{{twice}\"z\":0}}"), long] {
        let refusal = json::call("estimate", &[Some(&body), Some(&body)]).unwrap_err();
        assert!(refusal.len() < 16 << 20, "{} bytes", refusal.len());
    }
    let many = "0,".repeat(500_000);
    let _ = json::verify_estimate(&format!("[{many}0]"), &format!("[{many}0]"));
}
