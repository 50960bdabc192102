//! Laws of text values and of reading: conversions keep the value, and no input makes a reader panic.

use laws::spelling::call_everything;
use laws::{any_json, from_schema::values, hex_bytes};
use primitive_types::{H160, H256, U256};
use proptest::prelude::*;
use proptest::strategy::Union;
use sendoff::error::IssueCode;
use sendoff::http::{Opaque, TraceId};
use sendoff::json;
use sendoff::uuid::Uuid;
use sendoff::value::{
    Address, Amount, FeeAmount, FeePayerAddress, HexBytes, JobId, NftId, Quantity, Quantity128,
    TokenAddress, Word,
};
use serde_json::Value;

use crate::schema::DOCUMENTS;

/// JSON of any shape, and documents.
fn any_document() -> impl Strategy<Value = Value> {
    prop_oneof![any_json(), Union::new(DOCUMENTS.iter().map(|(name, _)| values(name)))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn readers_are_total_on_text(text in prop_oneof![".{0,200}", any::<String>(), hex_bytes(300)]) {
        call_everything(&text);
    }

    #[test]
    fn readers_are_total_on_json(json in any_document()) {
        call_everything(&json.to_string());
    }
}

#[test]
fn conversions_keep_the_value() {
    let number = U256::from(0x9abc_def0_u64) << 64;
    let low = Quantity128::try_from(number).unwrap();
    assert_eq!((low.value(), Quantity::from(low).value()), (number.low_u128(), number));
    let most = Quantity::from(u128::MAX);
    assert_eq!(Quantity128::try_from(most).map(Quantity::from), Ok(most));
    for more in [U256::from(u128::MAX) + 1, U256::MAX] {
        let refusal = Quantity128::try_from(Quantity::from(more)).unwrap_err();
        assert_eq!(refusal.issues()[0].code, IssueCode::Range, "{more}");
    }

    assert_eq!(Amount::try_from(5_u64), Amount::try_from(5_u128));
    assert_eq!(FeeAmount::from(5_u64), FeeAmount::from(5_u128));
    assert_eq!(Quantity128::from(5_u64), Quantity128::from(5_u128));
    assert_eq!(Quantity::from(5_u64), Quantity128::from(5_u64).into());

    let (place, word, uuid) = (H160([7; 20]), H256([9; 32]), Uuid::from_u128(5));
    assert_eq!(Address::from(place).to_h160(), place);
    assert_eq!(Word::from(word).to_h256(), word);
    assert_eq!(JobId::from(uuid).to_uuid(), uuid);
    let there = Address::from(place);
    assert_eq!(
        [TokenAddress::from(there), FeePayerAddress::from(there).to_string().parse().unwrap()],
        [Some(there).into(); 2]
    );
    let ids = [NftId::from(uuid), NftId::from(number), "0x0f".parse().unwrap()];
    assert_eq!(ids.each_ref().map(NftId::uuid), [Some(uuid), None, None]);
    assert_eq!(ids.each_ref().map(NftId::token_id), [None, Some(number), Some(15.into())]);

    // The zeros in front belong to an id of hex digits, and letter case has no meaning.
    assert_ne!(ids[2], "0xf".parse().unwrap());
    assert_eq!(ids[2], "0x0F".parse().unwrap());

    let bytes = HexBytes::from([1, 2, 3]);
    assert_eq!(bytes.as_ref(), [1, 2, 3]);
    assert_eq!(Vec::from(bytes), [1, 2, 3]);
    let (trace, opaque): (TraceId, Opaque) = ("a trace".parse().unwrap(), "{ }".parse().unwrap());
    assert_eq!([trace.as_ref(), opaque.as_ref()], ["a trace", "{}"]);
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
