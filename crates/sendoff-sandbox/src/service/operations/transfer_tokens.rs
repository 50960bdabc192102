//! The transfer of a token.

use sendoff::intent::{Intent, TokenTransfer};
use sendoff::value::{Address, TokenAddress};

use super::prelude::*;
use crate::number::of_units;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Body {
    #[serde(rename = "operation_type", alias = "opteration_type")]
    _operation_type: Option<OperationType>,
    network_name: String,
    #[schemars(with = "Option<String>", extend("$ref" = "#/components/schemas/TokenAddress"))]
    token_address: Option<TokenAddress>,
    #[schemars(regex(pattern = "^[0-9]+([.][0-9]+)?$"))]
    quantity: String,
    #[schemars(with = "String", extend("$ref" = "#/components/schemas/Address"))]
    recipient_address: Address,
}

/// An older page has none. The vendor's examples send `NFT_MINT` for everything, and its list has
/// `MINT`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum OperationType {
    TokenTransferExecute,
    NftMint,
    Mint,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Published {
    order_id: String,
}

/// Transfers tokens of the token's user.
pub(crate) fn of_user(asked: &mut Asked<'_>, body: Body) -> Answered<Accepted<Published>> {
    let order = checked(asked.state, &asked.user, body)?;
    let order_id = add(asked, order);
    Ok(accepted(asked, order_id, |order_id| Published { order_id }))
}

/// Transfers tokens of the user in the path.
pub(crate) fn of_server(asked: &mut Asked<'_>, body: Body) -> Answered<BulkOrderId> {
    let order = checked(asked.state, &asked.user, body)?;
    Ok(add_bulk(asked, order))
}

fn checked(state: &State, user: &str, body: Body) -> Answered<Order> {
    let network = Network::named(state, &body.network_name)?;
    let token_address = body.token_address.unwrap_or(TokenAddress::NATIVE);
    let token = token_address.contract().map(lowered).unwrap_or_default();
    let known = state.ledger.token(&network.chain.caip2_id.to_string(), &token);
    // The unit is the token's, so the amount is read here.
    let read = of_units(&body.quantity, known.map_or(18, |known| known.decimals));
    let expected = "a number above zero, with the decimals of the token at most";
    let amount = amount(read, expected, &body.quantity)?;

    let intent = Intent::TokenTransfer(TokenTransfer {
        caip2_id: network.chain.caip2_id.clone(),
        recipient_wallet_address: body.recipient_address,
        token_address,
        amount,
    });
    network.permits(state, &intent)?;
    let (known, wallet) = (known.ok_or(&DATA)?, wallet(state, user)?);
    check(known.balance(&wallet) >= amount.value(), &BALANCE)?;
    let (kind, actions) = (OrderKind::Tokens, Action::of(&intent, &wallet));
    Ok(Order { kind, user: user.into(), actions, ..network.order() })
}
