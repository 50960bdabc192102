//! Laws of text values and of reading: the spelling is kept, and no input makes a reader panic.

use laws::spelling::{call_everything, every_kind_keeps_spelling};
use laws::{address, amount, chain, hex_bytes, quantity, uuid};
use proptest::prelude::*;
use sendoff::json;
use serde_json::Value;

/// JSON of any shape, some of its keys and texts being ours.
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
