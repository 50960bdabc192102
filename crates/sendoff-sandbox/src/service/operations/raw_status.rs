//! The state of a raw transaction.

use super::orders::{hash, orders_of};
use super::*;
use crate::order::{OrderKind, Status};
use crate::service::fault::ORDER;
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

/// Of a transaction of the token's user.
pub(crate) fn of_user(asked: &mut Asked<'_>, query: Query) -> Result<Jobs, Fault> {
    let state = &mut *asked.state;
    answer(state, &asked.user, &query.order_id, asked.now)
}

/// Of a transaction of the user in the path.
pub(crate) fn of_server(asked: &mut Asked<'_>, query: Query) -> Result<Jobs, Fault> {
    let state = &mut *asked.state;
    answer(state, &asked.param, &query.order_id, asked.now)
}

fn answer(state: &State, user: &str, id: &str, now: i64) -> Result<Jobs, Fault> {
    let mut orders = orders_of(state, user);
    let order = orders.find(|order| order.id == id && order.kind == OrderKind::Raw);
    let order = order.ok_or(&ORDER)?;
    let status = match order.status(now) {
        Status::Created | Status::Running => "PENDING",
        Status::Success => "SUCCESS",
        Status::Failed | Status::Rejected => match state.switches.raw_failure {
            FailedWord::Failure => "FAILURE",
            FailedWord::Failed => "FAILED",
        },
    };
    Ok(Jobs {
        jobs: [Job {
            order_id: order.id.clone(),
            network_name: order.network.clone(),
            status,
            transaction_hash: hash(order, now),
        }],
    })
}
