//! The service in front of the ledger and the bundler: who calls, what is asked, and the reply.

pub(crate) mod fault;
pub(crate) mod caller;
mod asked;
mod network;
mod query;
mod ordering;
mod moves;
pub(crate) mod operations;
pub(crate) mod route;
#[cfg(feature = "schema")]
mod schemas;

#[cfg(feature = "schema")]
pub use schemas::payloads;

use sendoff::http::Refusal;
use serde_json::Value;

use self::asked::{Asked, body, status};
use self::fault::{FULL, Fault};
use self::route::{EXECUTE, RPC, Route};
use crate::bundler::rpc;
use crate::http::{Reply, Request};
use crate::json::text;
use crate::signed::Moment;
use crate::state::State;

/// A body that makes room before it is kept. Smaller ones are bounded by the numbers of orders and
/// operations.
const LARGE_BYTES: usize = 4 << 10;

/// The largest body, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The reply to a request: credentials, limit, body, and the operation.
pub(crate) fn serve(
    state: &mut State,
    route: Route,
    request: &Request,
    at: Moment<'_>,
) -> Result<Reply, Fault> {
    if request.body.len() > MOST_BYTES {
        return Err(Refusal::TOO_LARGE.into());
    }
    if (request.body.len() > LARGE_BYTES || state.is_full()) && !state.make_room() {
        return Err((&FULL).into());
    }
    if request.method == "GET" && !request.body.is_empty() {
        return Err(Refusal::BODY_OF_GET.into());
    }
    let Route { row, param } = route;
    let user = match row.credentials {
        Some(operation) => caller::identify(state, operation, request, at.now)?,
        None => String::new(),
    };
    if row.id != RPC {
        caller::count(state, row.is_limited, at.now)?;
    }
    let described = row.statuses.first().copied().unwrap_or(200);
    let status = status(state, described);
    (row.serve)(&mut Asked { state, request, user, param, at, now: at.now, status })
}

/// The user operation that a request sends.
pub(crate) fn sent(route: &Route, request: &Request) -> Option<Value> {
    match route.row.id {
        EXECUTE => body(request).ok(),
        RPC => {
            let call = rpc::read(&request.body).filter(|call| text(call, "method") == rpc::SEND)?;
            call.pointer("/params/0").cloned()
        }
        _ => None,
    }
}
