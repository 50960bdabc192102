//! The jobs of a bulk order.

use super::orders::hash;
use super::prelude::*;

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

record! {
    Job(order: &Order, now: i64) {
        bulk_order_id: String = order.bulk.clone(),
        job_id: String = order.id.clone(),
        status: &'static str = match order.status(now) {
            Status::Created => "CREATED",
            Status::Running => "RUNNING",
            Status::Success => "SUCCESS",
            Status::Failed | Status::Rejected => "FAILURE",
        },
        transaction_hash: String = hash(order, now),
        order_type: OrderKind = order.kind,
        network_id: String = order.network.clone(),
    }
}

/// The jobs of a bulk order. The path names a treasury wallet; what it ordered for a user is its own
/// too.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Answered<Piles> {
    let (state, now, id) = (&*asked.state, asked.now, &query.bulk_order_id);
    user(state, &asked.user)?;
    let orders = state.orders.iter().filter(|order| order.bulk == *id && !order.hidden);
    check(orders.clone().next().is_some(), &ORDER)?;
    let pile = |is_in: fn(Status) -> bool| {
        let orders = orders.clone().filter(|order| is_in(order.status(now)));
        page(orders.map(|order| Job::new(order, now)), query.page, query.size, state)
    };
    Ok(Piles {
        executed: pile(Status::is_last),
        open: pile(|status| status == Status::Running),
        pending: pile(|status| status == Status::Created),
    })
}
