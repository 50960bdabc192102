//! What alloy makes of texts on which libraries differ: what `docs/moving.md` says of it is true.

use std::{collections::BTreeMap, str::FromStr};

use alloy_primitives::{Address, Bytes, U256};

#[test]
fn alloy_answers_as_the_documentation_says() {
    let file = include_str!("../../../docs/rows/alloy.json");
    let kinds: BTreeMap<String, BTreeMap<String, Option<String>>> = serde_json::from_str(file).unwrap();
    for (kind, texts) in &kinds {
        for (text, answer) in texts {
            assert_eq!(&read(kind, text), answer, "{kind}: {text:?}");
        }
    }
}

/// What a text means: a number, a length in bytes, or that it is well formed.
fn read(kind: &str, text: &str) -> Option<String> {
    match kind {
        "quantity" | "amount" => U256::from_str(text).ok().map(|number| number.to_string()),
        "hexBytes" => Bytes::from_str(text).ok().map(|bytes| bytes.len().to_string()),
        "address" => Address::from_str(text).ok().map(|_| "yes".to_owned()),
        _ => panic!("no such kind: {kind}"),
    }
}
