//! The mint of NFTs.

use sendoff::intent::{Intent, NftTransfer};
use sendoff::primitive_types::U256;
use sendoff::value::{Address, NftType};

use super::prelude::*;
use crate::ledger::{Nft, Standard};
use crate::service::fault::FULL;

/// The largest number of NFTs that one request mints.
const MOST_MINTED: u64 = 100;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Body {
    #[serde(rename = "operation_type", alias = "opteration_type")]
    _operation_type: OperationType,
    #[serde(alias = "ercType")]
    erc_type: Standard,
    network_name: String,
    #[schemars(with = "String", extend("$ref" = "#/components/schemas/Address"))]
    collection_address: Address,
    #[serde(rename = "collection_name")]
    _collection_name: String,
    #[schemars(regex(pattern = "^[0-9]+$"))]
    quantity: String,
    metadata: Metadata,
}

/// The vendor's list has `MINT`, and its examples have `NFT_MINT`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OperationType {
    NftMint,
    Mint,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Metadata {
    uri: String,
    nft_name: String,
    description: String,
}

/// Mints NFTs to the treasury wallet: the request names no recipient.
pub(crate) fn answer(asked: &mut Asked<'_>, body: Body) -> Answered<BulkOrderId> {
    let state = &mut *asked.state;
    let Body { metadata, erc_type, .. } = body;
    let network = Network::named(state, &body.network_name)?;
    let treasury = state.users.values().find(|user| user.is_treasury).ok_or(&DATA)?;
    let (user, wallet) = (treasury.id.clone(), treasury.wallet.clone());
    let collection = lowered(&body.collection_address);
    let known = state.ledger.collection(&network.chain.caip2_id.to_string(), &collection);
    let standard = known.map_or(erc_type, |known| known.standard);
    let expected = format!("`{}`", standard.as_str());
    check(standard == erc_type, Fault::field("erc_type", &expected, erc_type.as_str()))?;
    let count = body.quantity.parse().ok().filter(|count| (1..=MOST_MINTED).contains(count));
    let expected = format!("an integer from 1 to {MOST_MINTED}");
    let minted = amount(count.map(U256::from), &expected, &body.quantity)?;
    for (key, text, most) in [
        ("uri", &metadata.uri, 1_024),
        ("nftName", &metadata.nft_name, 256),
        ("description", &metadata.description, 1_024),
    ] {
        let (path, expected) = (format!("metadata.{key}"), format!("at most {most} bytes"));
        check(text.len() <= most, Fault::field(&path, &expected, text))?;
    }
    known.ok_or(&DATA)?;
    let moved = NftTransfer {
        caip2_id: network.chain.caip2_id.clone(),
        nft_id: U256::zero().into(),
        recipient_wallet_address: wallet.parse().map_err(|_| &DATA)?,
        collection_address: body.collection_address,
        amount: minted,
        nft_type: NftType::ERC721,
    };
    network.permits(state, &Intent::NftTransfer(moved))?;

    let (pieces, orders) = match erc_type {
        Standard::Erc721 => (U256::one(), minted.value().low_u64()),
        Standard::Erc1155 => (minted.value(), 1),
    };
    let Metadata { uri, nft_name: name, description } = metadata;
    let nft = Nft { name, description, uri, ..Nft::default() };
    check(state.ledger.has_room_for(&nft, orders), &FULL)?;
    let action = Action::mint(collection, nft, wallet, pieces);
    let (kind, actions) = (OrderKind::Mint, vec![action]);
    let order = Order { kind, user, actions, ..network.order() };
    let bulk = state.new_id("bulk");
    for _ in 0..orders {
        let (id, bulk) = (state.new_id("order"), bulk.clone());
        state.add_order(Order { id, bulk, ..order.clone() }, asked.now);
    }
    Ok(BulkOrderId { bulk_order_id: bulk })
}
