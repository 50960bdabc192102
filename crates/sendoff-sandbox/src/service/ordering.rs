//! What the writes of version 1 share: amounts and orders.

use schemars::JsonSchema;
use sendoff::primitive_types::U256;
use sendoff::value::Amount;
use serde::Serialize;

use super::asked::Asked;
use super::fault::{Fault, QUANTITY, sentence};
use super::network::Network;
use crate::order::{Action, Order, OrderKind};

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

/// The amount of a request, above zero.
pub(crate) fn amount(read: Option<U256>, expected: &str, found: &str) -> Result<Amount, Fault> {
    let amount = read.and_then(|amount| amount.try_into().ok());
    amount.ok_or_else(|| Fault::Said(&QUANTITY, sentence(expected, found)))
}

/// Adds an order of a client, and returns its id.
pub(crate) fn add(asked: &mut Asked<'_>, user: &str, order: Order) -> String {
    let id = asked.state.new_id("order");
    asked.state.add_order(Order { id: id.clone(), user: user.into(), ..order }, asked.now);
    id
}

/// Adds an order of a server, and returns the id of its bulk order.
pub(crate) fn add_bulk(asked: &mut Asked<'_>, user: &str, order: Order) -> BulkOrderId {
    let (id, bulk) = (asked.state.new_id("order"), asked.state.new_id("bulk"));
    let order = Order { id, bulk: bulk.clone(), user: user.into(), ..order };
    asked.state.add_order(order, asked.now);
    BulkOrderId { bulk_order_id: bulk }
}

/// An order of an action on a network, of nobody yet.
pub(crate) fn order(kind: OrderKind, network: Network, action: Action) -> Order {
    let (network, caip2_id) = (network.name, network.chain.to_string());
    Order { kind, network, caip2_id, actions: vec![action], ..Order::default() }
}
