//! All intents, as callers write them.

use proptest::prelude::*;
use sendoff::intent::IntentType;
use serde_json::{Value, json};

use crate::from_schema::fields_beside;
use crate::{amount, cased, quantity, uuid};

/// The intents by the `type` of their request.
pub const INTENTS: [&str; IntentType::ALL.len()] = {
    let (mut names, mut at) = ([""; IntentType::ALL.len()], 0);
    while at < names.len() {
        names[at] = IntentType::ALL[at].as_str();
        at += 1;
    }
    names
};

pub(crate) fn nft_id() -> BoxedStrategy<String> {
    prop_oneof![uuid(), Just("0".to_owned()), amount(), "0x[0-9a-f]{1,64}".prop_flat_map(cased)]
        .boxed()
}

/// Any intent.
pub fn intent() -> impl Strategy<Value = Value> {
    prop::sample::select(INTENTS.to_vec()).prop_flat_map(|kind| {
        details(kind).prop_map(move |details| json!({ "type": kind, "details": details }))
    })
}

/// The details of an intent of a type, made from its schema, which has its name: `NftTransfer` for `NFT_TRANSFER`.
pub(crate) fn details(kind: &'static str) -> BoxedStrategy<Value> {
    let word = |word: &str| word[..1].to_owned() + &word[1..].to_ascii_lowercase();
    let name: String = kind.split('_').map(word).collect();
    let details = fields_beside(&name, &[]).prop_map(Value::from);
    match kind {
        "NFT_TRANSFER" => details
            .prop_map(|mut details| {
                if details["nftType"] == "ERC721" {
                    details["amount"] = "1".into();
                }
                details
            })
            .boxed(),
        "RAW_TRANSACTION" => (details, prop::collection::vec(quantity(256), 3))
            .prop_map(|(mut details, values)| {
                let transactions = details["transactions"].as_array_mut().unwrap();
                transactions
                    .iter_mut()
                    .zip(values)
                    .for_each(|(transaction, value)| transaction["value"] = value.into());
                details
            })
            .boxed(),
        _ => details.boxed(),
    }
}
