//! All intents, as callers write them and as an independent encoder writes them. A new intent needs
//! its parameters here.

use alloy_primitives::{Bytes, U256};
use alloy_sol_types::{SolValue, sol};
use proptest::prelude::*;
use sendoff::intent::{Intent, IntentType};
use serde_json::Value;

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

/// The details of an intent of a type, made from its schema, which has its name: `NftTransfer` for `NFT_TRANSFER`.
pub fn details(kind: &'static str) -> BoxedStrategy<Value> {
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

sol! {
    struct Nft {
        string caip2Id; string nftId; string recipientWalletAddress; string collectionAddress; string nftType;
        uint256 amount;
    }
    struct Token { string caip2Id; string recipientWalletAddress; string tokenAddress; uint256 amount; }
    struct Raw { string caip2Id; bytes[] transactions; }
}

/// The parameters of an intent in call data, by alloy's encoder.
#[must_use]
pub fn parameters(intent: &Intent) -> Vec<u8> {
    let amount =
        |amount: &sendoff::value::Amount| U256::from_be_bytes(amount.value().to_big_endian());
    match intent {
        Intent::NftTransfer(details) => Nft {
            caip2Id: details.caip2_id.to_string(),
            nftId: details.nft_id.to_string(),
            recipientWalletAddress: details.recipient_wallet_address.to_string(),
            collectionAddress: details.collection_address.to_string(),
            nftType: details.nft_type.to_string(),
            amount: amount(&details.amount),
        }
        .abi_encode(),
        Intent::TokenTransfer(details) => Token {
            caip2Id: details.caip2_id.to_string(),
            recipientWalletAddress: details.recipient_wallet_address.to_string(),
            tokenAddress: details.token_address.to_string(),
            amount: amount(&details.amount),
        }
        .abi_encode(),
        Intent::RawTransaction(details) => {
            let json = |transaction| Bytes::from(serde_json::to_vec(transaction).unwrap());
            Raw {
                caip2Id: details.caip2_id.to_string(),
                transactions: details.transactions.as_slice().iter().map(json).collect(),
            }
            .abi_encode()
        }
    }
}
