//! All intents, as callers write them and as an independent encoder writes them. A new intent is added here for the laws.

use alloy_primitives::{Bytes, U256};
use alloy_sol_types::{SolValue, sol};
use proptest::prelude::*;
use proptest::sample::select;
use sendoff::intent::Intent;
use serde_json::{Value, json};

use crate::{address, amount, cased, chain, hex_bytes, quantity, uuid};

/// The intents by the `type` of their request.
pub const INTENTS: [&str; 3] = ["NFT_TRANSFER", "TOKEN_TRANSFER", "RAW_TRANSACTION"];

fn nft_id() -> BoxedStrategy<String> {
    prop_oneof![uuid(), Just("0".to_owned()), amount(), "0x[0-9a-f]{1,64}".prop_flat_map(cased)].boxed()
}

fn nft_transfer() -> impl Strategy<Value = Value> {
    let standard = select(vec!["ERC721", "ERC1155", "NFT", "erc-404_x"]);
    (chain(), nft_id(), address(), address(), amount(), standard).prop_map(
        |(chain, nft, to, collection, amount, standard)| {
            let amount = if standard == "ERC721" { "1".to_owned() } else { amount };
            json!({
                "caip2Id": chain, "nftId": nft, "recipientWalletAddress": to, "collectionAddress": collection,
                "amount": amount, "nftType": standard,
            })
        },
    )
}

fn token_transfer() -> impl Strategy<Value = Value> {
    let token = prop_oneof![Just(String::new()), address()];
    (chain(), address(), token, amount()).prop_map(|(chain, to, token, amount)| {
        json!({ "caip2Id": chain, "recipientWalletAddress": to, "tokenAddress": token, "amount": amount })
    })
}

fn raw_transaction() -> impl Strategy<Value = Value> {
    let transaction = (address(), address(), hex_bytes(40), quantity(256))
        .prop_map(|(from, to, data, value)| json!({ "from": from, "to": to, "data": data, "value": value }));
    (chain(), prop::collection::vec(transaction, 1..4))
        .prop_map(|(chain, transactions)| json!({ "caip2Id": chain, "transactions": transactions }))
}

/// The details of an intent of a type.
pub fn details(kind: &'static str) -> BoxedStrategy<Value> {
    match kind {
        "NFT_TRANSFER" => nft_transfer().boxed(),
        "TOKEN_TRANSFER" => token_transfer().boxed(),
        "RAW_TRANSACTION" => raw_transaction().boxed(),
        other => panic!("expected one of INTENTS, found `{other}`"),
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
    let amount = |amount: &sendoff::value::Amount| U256::from_be_bytes(amount.value().to_big_endian());
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
