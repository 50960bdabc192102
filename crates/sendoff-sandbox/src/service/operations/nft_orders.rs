//! The orders of NFTs with an id.

use std::sync::LazyLock;

use super::nfts::explorer_url;
use super::orders::{hash, orders_of};
use super::prelude::*;
use crate::ledger::{Collection, Nft, Standard};
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

/// An order with its action, and the collection of it.
pub(crate) struct Known<'a> {
    order: &'a Order,
    action: &'a Action,
    collection: &'a Collection,
}

/// The collection of an order in a ledger that does not have it.
static UNKNOWN: LazyLock<Collection> = LazyLock::new(Collection::default);

impl Known<'_> {
    /// A text of the NFT, or of the one that will be minted.
    fn text(&self, of: fn(&Nft) -> &String) -> String {
        let nft = self.collection.nfts.get(&self.action.id).or(self.action.nft.as_ref());
        nft.map(|nft| of(nft).clone()).unwrap_or_default()
    }
}

record! {
    pub(crate) Detail(it: &Known<'_>, key: HashKey, now: i64) {
        order_id: String = it.order.id.clone(),
        user_id: String = it.order.user.clone(),
        status: Status = it.order.status(now),
        network_name: String = it.order.network.clone(),
        entity_type: Standard = it.collection.standard,
        collection_address: String = it.action.asset.clone(),
        collection_name: String = it.collection.name.clone(),
        nft_id: String = it.action.id.clone(),
        order_type: OrderKind = it.order.kind,
        #[serde(skip_serializing_if = "Option::is_none")]
        transaction_hash: Option<String> =
            (key == HashKey::TransactionHash).then(|| hash(it.order, now)),
        #[serde(skip_serializing_if = "Option::is_none")]
        tx_hash: Option<String> = (key == HashKey::TxHash).then(|| hash(it.order, now)),
        created_at: String = rfc3339(it.order.created),
        updated_at: String = rfc3339(it.order.updated),
    }

    pub(crate) Ordered(state: &State, it: &Known<'_>) {
        explorer_smart_contract_url: String = explorer_url(&it.action.asset),
        description: String = it.text(|nft| &nft.description),
        r#type: Standard = it.collection.standard,
        collection_id: String = state.stable_id("collection", &it.action.asset),
        collection_name: String = it.collection.name.clone(),
        nft_token_id: String = it.action.id.clone(),
        token_uri: String = it.text(|nft| &nft.uri),
        id: String = it.order.id.clone(),
        image: &'static str = "",
        collection_address: String = it.action.asset.clone(),
        collection_image: &'static str = "",
        network_name: String = it.order.network.clone(),
        network_id: String = state.stable_id("network", &it.order.caip2_id),
        nft_name: String = it.text(|nft| &nft.name),
    }
}

/// The orders of the token's user.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Answered<NftOrders> {
    let (state, now) = (&*asked.state, asked.now);
    let is_it = |order: &&Order| {
        order.id == query.order_id && matches!(order.kind, OrderKind::Nft | OrderKind::Mint)
    };
    let orders = orders_of(state, &asked.user).filter(is_it).filter_map(|order| {
        let action = order.actions.first()?;
        let known = state.ledger.collection(&order.caip2_id, &action.asset);
        let collection = known.unwrap_or(&UNKNOWN);
        Some(Known { order, action, collection })
    });
    let orders: Vec<_> = orders.collect();
    check(!orders.is_empty(), &ORDER)?;
    let total = orders.len();
    let orders = page(orders, query.page, query.size, state).into_iter();
    Ok(match state.switches.nft_orders {
        NftOrdersKey::Details => {
            let detail = |it| Detail::new(&it, state.switches.nft_hash, now);
            NftOrders::Details { total, details: orders.map(detail).collect() }
        }
        NftOrdersKey::Nfts => {
            let nft = |it| Ordered::new(state, &it);
            NftOrders::Nfts { count: total, nfts: orders.map(nft).collect() }
        }
    })
}
