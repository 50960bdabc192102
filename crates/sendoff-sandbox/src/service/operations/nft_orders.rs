//! The orders of NFTs with an id.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::orders::{hash, orders_of};
use crate::ledger::{Collection, Nft, Standard};
use crate::order::{Action, Order, OrderKind, Status};
use crate::service::asked::{Asked, page};
use crate::service::fault::{Fault, ORDER, check};
use crate::state::State;
use crate::switches::{HashKey, NftOrdersKey};
use crate::time::rfc3339;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    page: Option<NonZeroU64>,
    size: Option<u64>,
    order_id: String,
}

/// The orders, by the key and in the form of the switch.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum NftOrders {
    Details { total: usize, details: Vec<Detail> },
    Nfts { count: usize, nfts: Vec<Ordered> },
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Detail {
    order_id: String,
    user_id: String,
    status: Status,
    network_name: String,
    entity_type: Standard,
    collection_address: String,
    collection_name: String,
    nft_id: String,
    order_type: OrderKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tx_hash: Option<String>,
    created_at: String,
    updated_at: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Ordered {
    explorer_smart_contract_url: String,
    description: String,
    r#type: Standard,
    collection_id: String,
    collection_name: String,
    nft_token_id: String,
    token_uri: String,
    id: String,
    image: &'static str,
    collection_address: String,
    collection_image: &'static str,
    network_name: String,
    network_id: String,
    nft_name: String,
}

/// The orders of the token's user.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Result<NftOrders, Fault> {
    let state = &*asked.state;
    let is_of_nfts = |order: &Order| matches!(order.kind, OrderKind::Nft | OrderKind::Mint);
    let orders = orders_of(state, &asked.user)
        .filter(|order| order.id == query.order_id && is_of_nfts(order));
    let orders: Vec<_> = orders.filter_map(|order| Some((order, order.actions.first()?))).collect();
    check(!orders.is_empty(), &ORDER)?;
    let total = orders.len();
    let orders = page(orders, query.page, query.size, state).into_iter();
    Ok(match state.switches.nft_orders {
        NftOrdersKey::Details => {
            let detail = |(order, action)| detail(state, order, action, asked.now);
            NftOrders::Details { total, details: orders.map(detail).collect() }
        }
        NftOrdersKey::Nfts => {
            let nft = |(order, action)| ordered(state, order, action);
            NftOrders::Nfts { count: total, nfts: orders.map(nft).collect() }
        }
    })
}

fn collection<'a>(state: &'a State, order: &Order, action: &Action) -> Option<&'a Collection> {
    state.ledger.collection(&order.caip2_id, &action.asset)
}

fn detail(state: &State, order: &Order, action: &Action, now: i64) -> Detail {
    let known = collection(state, order, action);
    let (transaction_hash, tx_hash) = match state.switches.nft_hash {
        HashKey::TransactionHash => (Some(hash(order, now)), None),
        HashKey::TxHash => (None, Some(hash(order, now))),
    };
    Detail {
        order_id: order.id.clone(),
        user_id: order.user.clone(),
        status: order.status(now),
        network_name: order.network.clone(),
        entity_type: known.map(|known| known.standard).unwrap_or_default(),
        collection_address: action.asset.clone(),
        collection_name: known.map(|known| known.name.clone()).unwrap_or_default(),
        nft_id: action.id.clone(),
        order_type: order.kind,
        transaction_hash,
        tx_hash,
        created_at: rfc3339(order.created),
        updated_at: rfc3339(order.updated),
    }
}

fn ordered(state: &State, order: &Order, action: &Action) -> Ordered {
    let known = collection(state, order, action);
    let nft = known.and_then(|known| known.nfts.get(&action.id)).or(action.nft.as_ref());
    let Nft { name, description, uri, .. } = nft.cloned().unwrap_or_default();
    Ordered {
        explorer_smart_contract_url: format!("https://sandbox.invalid/{}", action.asset),
        description,
        r#type: known.map(|known| known.standard).unwrap_or_default(),
        collection_id: state.stable_id("collection", &action.asset),
        collection_name: known.map(|known| known.name.clone()).unwrap_or_default(),
        nft_token_id: action.id.clone(),
        token_uri: uri,
        id: order.id.clone(),
        image: "",
        collection_address: action.asset.clone(),
        collection_image: "",
        network_name: order.network.clone(),
        network_id: state.stable_id("network", &order.caip2_id),
        nft_name: name,
    }
}
