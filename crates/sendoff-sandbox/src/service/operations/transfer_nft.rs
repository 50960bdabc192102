//! The transfer of an NFT.

use sendoff::intent::{Intent, NftTransfer};
use sendoff::value::{Address, NftId, NftType};

use super::prelude::*;
use crate::number::of_decimal;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Body {
    #[serde(rename = "operation_type", alias = "opteration_type")]
    _operation_type: OperationType,
    network_name: String,
    #[schemars(with = "String", extend("$ref" = "#/components/schemas/Address"))]
    collection_address: Address,
    #[serde(rename = "collection_name")]
    _collection_name: Option<String>,
    #[schemars(regex(pattern = "^[0-9]+$"))]
    quantity: String,
    #[schemars(with = "String", extend("$ref" = "#/components/schemas/Address"))]
    recipient_address: Address,
    #[schemars(with = "String", extend("$ref" = "#/components/schemas/NftId"))]
    nft_address: NftId,
    /// The user whose NFT it is, for a server.
    user_id: Option<String>,
}

/// The vendor's examples send `NFT_MINT` for everything, and its list has `MINT`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OperationType {
    NftTransfer,
    NftMint,
    Mint,
}

/// Transfers an NFT of the token's user.
pub(crate) fn of_user(asked: &mut Asked<'_>, body: Body) -> Answered<OrderId> {
    let order = checked(asked.state, &asked.user, body)?;
    Ok(OrderId { order_id: add(asked, order) })
}

/// Transfers an NFT of the user in the body.
pub(crate) fn of_server(asked: &mut Asked<'_>, mut body: Body) -> Answered<BulkOrderId> {
    let user = body.user_id.take();
    let user = user.ok_or_else(|| Fault::field("user_id", "text", "nothing"))?;
    let order = checked(asked.state, &user, body)?;
    Ok(add_bulk(asked, order))
}

fn checked(state: &State, user: &str, body: Body) -> Answered<Order> {
    let network = Network::named(state, &body.network_name)?;
    let expected = "an integer above zero";
    let amount = amount(of_decimal(&body.quantity), expected, &body.quantity)?;
    let collection = lowered(&body.collection_address);
    let id = body.nft_address.token_id();
    let intent = Intent::NftTransfer(NftTransfer {
        caip2_id: network.chain.caip2_id.clone(),
        nft_id: body.nft_address,
        recipient_wallet_address: body.recipient_address,
        collection_address: body.collection_address,
        amount,
        nft_type: NftType::ERC721,
    });
    let wallet = wallet(state, user)?;
    let known =
        state.ledger.collection(&network.chain.caip2_id.to_string(), &collection).ok_or(&DATA)?;
    network.permits(state, &intent)?;

    let owned = known.pieces(&id.ok_or(&DATA)?.to_string(), &wallet);
    check(!owned.is_zero(), &DATA)?;
    check(owned >= amount.value(), &BALANCE)?;
    let (kind, actions) = (OrderKind::Nft, Action::of(&intent, &wallet));
    Ok(Order { kind, user: user.into(), actions, ..network.order() })
}
