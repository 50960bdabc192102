//! What the writes of version 1 share: amounts and orders.

use schemars::JsonSchema;
use sendoff::primitive_types::U256;
use sendoff::value::Amount;
use serde::Serialize;

use super::asked::Asked;
use super::fault::{Answered, Fault, QUANTITY, sentence};
use crate::order::Order;
use crate::switches::Ids;

/// The id of an order.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OrderId {
    pub(crate) order_id: String,
}

/// The id of an order that the server made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct BulkOrderId {
    pub(crate) bulk_order_id: String,
}

/// The id of an order, by the name that the switch gives it.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Accepted<T> {
    Published(T),
    #[schemars(skip)]
    Renamed(OrderId),
}

/// The reply with the id of an order: the operation's own, or the one that the switch asks for.
pub(crate) fn accepted<T>(asked: &Asked<'_>, id: String, of: fn(String) -> T) -> Accepted<T> {
    match asked.state.switches.ids {
        Ids::Published => Accepted::Published(of(id)),
        Ids::OrderId => Accepted::Renamed(OrderId { order_id: id }),
    }
}

/// The amount of a request, above zero.
pub(crate) fn amount(read: Option<U256>, expected: &str, found: &str) -> Answered<Amount> {
    let amount = read.and_then(|amount| amount.try_into().ok());
    amount.ok_or_else(|| Fault::Said(&QUANTITY, sentence(expected, found)))
}

/// Adds an order of a client, and returns its id.
pub(crate) fn add(asked: &mut Asked<'_>, order: Order) -> String {
    let id = asked.state.new_id("order");
    asked.state.add_order(Order { id: id.clone(), ..order }, asked.now);
    id
}

/// Adds an order of a server, and returns the id of its bulk order.
pub(crate) fn add_bulk(asked: &mut Asked<'_>, order: Order) -> BulkOrderId {
    let (id, bulk) = (asked.state.new_id("order"), asked.state.new_id("bulk"));
    asked.state.add_order(Order { id, bulk: bulk.clone(), ..order }, asked.now);
    BulkOrderId { bulk_order_id: bulk }
}
