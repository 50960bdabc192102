//! The orders of NFTs with an id.

use std::num::NonZeroU64;

use super::orders::{hash, orders_of};
use super::*;
use crate::ledger::{Nft, Standard};
use crate::order::{Action, Order, OrderKind, Status};
use crate::service::asked::page;
use crate::service::fault::ORDER;
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
    let state = &mut *asked.state;
    let is_of_nfts = |order: &Order| matches!(order.kind, OrderKind::Nft | OrderKind::Mint);
    let orders = orders_of(state, &asked.user)
        .filter(|order| order.id == query.order_id && is_of_nfts(order));
    let orders: Vec<_> = orders.filter_map(|order| Some((order, order.actions.first()?))).collect();
    if orders.is_empty() {
        return Err((&ORDER).into());
    }
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

/// The standard and the name of the collection of an order.
fn collection(state: &State, order: &Order, action: &Action) -> (Standard, String) {
    let known = state.ledger.collection(&order.caip2_id, &action.asset);
    known.map(|known| (known.standard, known.name.clone())).unwrap_or_default()
}

fn detail(state: &State, order: &Order, action: &Action, now: i64) -> Detail {
    let (entity_type, collection_name) = collection(state, order, action);
    let (transaction_hash, tx_hash) = match state.switches.nft_hash {
        HashKey::TransactionHash => (Some(hash(order, now)), None),
        HashKey::TxHash => (None, Some(hash(order, now))),
    };
    Detail {
        order_id: order.id.clone(),
        user_id: order.user.clone(),
        status: order.status(now),
        network_name: order.network.clone(),
        entity_type,
        collection_address: action.asset.clone(),
        collection_name,
        nft_id: action.id.clone(),
        order_type: order.kind,
        transaction_hash,
        tx_hash,
        created_at: rfc3339(order.created),
        updated_at: rfc3339(order.updated),
    }
}

fn ordered(state: &State, order: &Order, action: &Action) -> Ordered {
    let (standard, collection_name) = collection(state, order, action);
    let known = state.ledger.collection(&order.caip2_id, &action.asset);
    let nft = known.and_then(|known| known.nfts.get(&action.id)).or(action.nft.as_ref());
    let Nft { name, description, uri, .. } = nft.cloned().unwrap_or_default();
    Ordered {
        explorer_smart_contract_url: format!("https://sandbox.invalid/{}", action.asset),
        description,
        r#type: standard,
        collection_id: state.stable_id("collection", &action.asset),
        collection_name,
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
