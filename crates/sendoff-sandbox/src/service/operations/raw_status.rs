//! The state of a raw transaction.

use super::orders::{hash, orders_of};
use super::prelude::*;
use crate::switches::FailedWord;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    order_id: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Jobs {
    jobs: [Job; 1],
}

record! {
    Job(order: &Order, now: i64, failed: FailedWord) {
        order_id: String = order.id.clone(),
        network_name: String = order.network.clone(),
        status: &'static str = match (order.status(now), failed) {
            (Status::Created | Status::Running, _) => "PENDING",
            (Status::Success, _) => "SUCCESS",
            (Status::Failed | Status::Rejected, FailedWord::Failure) => "FAILURE",
            (Status::Failed | Status::Rejected, FailedWord::Failed) => "FAILED",
        },
        transaction_hash: String = hash(order, now),
    }
}

/// The state of a transaction of the user.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Answered<Jobs> {
    let mut orders = orders_of(asked.state, &asked.user);
    let is_it = |order: &&Order| order.id == query.order_id && order.kind == OrderKind::Raw;
    let order = orders.find(is_it).ok_or(&ORDER)?;
    Ok(Jobs { jobs: [Job::new(order, asked.now, asked.state.switches.raw_failure)] })
}
