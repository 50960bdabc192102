//! Texts that libraries read differently. alloy reads them as `docs/reference/tables/texts.md` shows.

use std::{collections::BTreeMap, str::FromStr};

use alloy_primitives::{Address, Bytes, U256};

#[test]
fn alloy_reads_texts_as_the_documentation_shows() {
    let file = include_str!("../../../docs/rows/alloy.json");
    let kinds: BTreeMap<String, BTreeMap<String, Option<String>>> =
        serde_json::from_str(file).unwrap();
    for (kind, texts) in &kinds {
        for (text, answer) in texts {
            assert_eq!(&read(kind, text), answer, "{kind}: {text:?}");
        }
    }
}

/// The meaning of a text: a number, a length in bytes, or `ok`.
fn read(kind: &str, text: &str) -> Option<String> {
    match kind {
        "quantity" | "amount" => U256::from_str(text).ok().map(|number| number.to_string()),
        "hexBytes" => Bytes::from_str(text).ok().map(|bytes| bytes.len().to_string()),
        "address" => Address::from_str(text).ok().map(|_| "yes".to_owned()),
        _ => panic!("no such kind: {kind}"),
    }
}
