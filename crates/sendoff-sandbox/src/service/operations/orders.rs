//! The order history: what the user ordered, and what others sent to the user.

use std::cmp::Reverse;

use super::prelude::*;
use crate::service::moves::{Move, moves};
use crate::switches::Dates;
use crate::time;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    offset: Option<u64>,
    limit: Option<u64>,
    order_id: Option<String>,
    order_state: Option<OrderState>,
}

#[derive(PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum OrderState {
    Pending,
    Success,
    Failed,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct History {
    total: usize,
    jobs: Vec<Job>,
}

record! {
    Job(order: &Order, now: i64, date: fn(i64) -> String) {
        order_id: String = order.id.clone(),
        order_type: OrderKind = order.kind,
        network_name: String = order.network.clone(),
        status: Status = order.status(now),
        transaction_hash: String = hash(order, now),
        created_at: String = date(order.created),
        updated_at: String = date(order.updated),
    }
}

/// The orders of a user, the newest first.
pub(crate) fn orders_of<'a>(state: &'a State, user: &'a str) -> impl Iterator<Item = &'a Order> {
    state.orders.iter().rev().filter(move |order| order.user == user && !order.hidden)
}

/// The hash of an order's transaction; empty before it has one.
pub(crate) fn hash(order: &Order, now: i64) -> String {
    let is_there = matches!(order.status(now), Status::Success | Status::Failed);
    if is_there { order.transaction_hash.clone() } else { String::new() }
}

/// The history of the token's user.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Answered<History> {
    let (state, user, now) = (&*asked.state, &asked.user, asked.now);
    let wallet = wallet(state, user)?;
    // Such an order has an id of its own: the sender's is not the receiver's.
    let received = |moved: Move| Order {
        id: moved.id(state),
        kind: OrderKind::Received,
        network: state.network_name(&moved.chain).into(),
        status: Status::Success,
        transaction_hash: moved.hash,
        created: moved.time,
        updated: moved.time,
        ..Order::default()
    };
    let from_others = moves(state, &wallet).into_iter();
    let from_others = from_others.filter(|it| it.sender != *user && it.action.to == wallet);
    let mut orders: Vec<_> =
        orders_of(state, user).cloned().chain(from_others.map(received)).collect();
    orders.sort_by_key(|order| Reverse(order.created));

    if let Some(id) = &query.order_id {
        orders.retain(|order| order.id == *id);
        check(!orders.is_empty(), &ORDER)?;
    }
    orders.retain(|order| {
        let found = match order.status(now) {
            Status::Created | Status::Running => OrderState::Pending,
            Status::Success => OrderState::Success,
            Status::Failed | Status::Rejected => OrderState::Failed,
        };
        query.order_state.as_ref().is_none_or(|state| *state == found)
    });
    let date = if state.switches.dates == Dates::Go { time::go } else { time::rfc3339 };
    let jobs = orders.iter().map(|order| Job::new(order, now, date));
    Ok(History { total: orders.len(), jobs: part(jobs, query.offset, query.limit, state) })
}
