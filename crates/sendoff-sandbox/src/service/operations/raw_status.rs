//! The state of a raw transaction.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::orders::{hash, orders_of};
use crate::order::{Order, OrderKind, Status};
use crate::service::asked::Asked;
use crate::service::fault::{Fault, ORDER};
use crate::switches::FailedWord;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Query {
    order_id: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Jobs {
    jobs: [Job; 1],
}

#[derive(Serialize, JsonSchema)]
struct Job {
    order_id: String,
    network_name: String,
    status: &'static str,
    transaction_hash: String,
}

/// The state of a transaction of the user.
pub(crate) fn answer(asked: &mut Asked<'_>, query: Query) -> Result<Jobs, Fault> {
    let mut orders = orders_of(asked.state, &asked.user);
    let is_it = |order: &&Order| order.id == query.order_id && order.kind == OrderKind::Raw;
    let order = orders.find(is_it).ok_or(&ORDER)?;
    let status = match order.status(asked.now) {
        Status::Created | Status::Running => "PENDING",
        Status::Success => "SUCCESS",
        Status::Failed | Status::Rejected => match asked.state.switches.raw_failure {
            FailedWord::Failure => "FAILURE",
            FailedWord::Failed => "FAILED",
        },
    };
    let (order_id, network_name) = (order.id.clone(), order.network.clone());
    let transaction_hash = hash(order, asked.now);
    Ok(Jobs { jobs: [Job { order_id, network_name, status, transaction_hash }] })
}
