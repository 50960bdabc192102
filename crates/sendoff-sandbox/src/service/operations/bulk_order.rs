//! The jobs of a bulk order.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::orders::hash;
use crate::order::{Order, OrderKind, Status};
use crate::service::asked::{Asked, page};
use crate::service::caller::user;
use crate::service::fault::{Fault, ORDER, check};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    page: Option<NonZeroU64>,
    size: Option<u64>,
    bulk_order_id: String,
}

/// The jobs in three piles.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Piles {
    executed: Vec<Job>,
    open: Vec<Job>,
    pending: Vec<Job>,
}

#[derive(Serialize, JsonSchema)]
struct Job {
    bulk_order_id: String,
    job_id: String,
    status: &'static str,
    transaction_hash: String,
    order_type: OrderKind,
    network_id: String,
}

/// The jobs of a bulk order. The path names a treasury wallet; what it ordered for a user is its own
/// too.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Result<Piles, Fault> {
    let (state, id) = (&*asked.state, &query.bulk_order_id);
    user(state, &asked.user)?;
    let orders = state.orders.iter().filter(|order| order.bulk == *id && !order.hidden);
    check(orders.clone().next().is_some(), &ORDER)?;
    let job = |order: &Order| Job {
        bulk_order_id: order.bulk.clone(),
        job_id: order.id.clone(),
        status: match order.status(asked.now) {
            Status::Created => "CREATED",
            Status::Running => "RUNNING",
            Status::Success => "SUCCESS",
            Status::Failed | Status::Rejected => "FAILURE",
        },
        transaction_hash: hash(order, asked.now),
        order_type: order.kind,
        network_id: order.network.clone(),
    };
    let pile = |is_in: fn(Status) -> bool| {
        let orders = orders.clone().filter(|order| is_in(order.status(asked.now)));
        page(orders.map(job), query.page, query.size, state)
    };
    Ok(Piles {
        executed: pile(Status::is_last),
        open: pile(|status| status == Status::Running),
        pending: pile(|status| status == Status::Created),
    })
}
