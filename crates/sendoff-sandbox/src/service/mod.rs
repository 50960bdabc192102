//! The service in front of the ledger and the bundler: who calls, what is asked, and the reply.

mod record;
pub(crate) mod envelope;
pub(crate) mod fault;
mod query;
#[cfg(feature = "schema")]
mod schemas;
mod asked;
pub(crate) mod caller;
mod network;
mod ordering;
mod moves;
pub(crate) mod operations;
pub(crate) mod route;
#[cfg(feature = "schema")]
mod payloads;

#[cfg(feature = "schema")]
pub use payloads::payloads;

use sendoff::http::Refusal;

use self::asked::{Asked, Served};
use self::fault::{FULL, check};
use self::route::{RPC, Route};
use crate::http::Request;
use crate::state::State;
use crate::switches::SuccessStatus;

/// A body that makes room before it is kept. Smaller ones are bounded by the numbers of orders and
/// operations.
const LARGE_BYTES: usize = 4 << 10;

/// The largest body, in bytes.
const MOST_BYTES: u32 = 1 << 20;

/// The reply to a request: credentials, limit, body, and the operation.
pub(crate) fn serve(state: &mut State, route: Route, request: &Request, now: i64) -> Served {
    let bytes = request.body.len();
    let fits = u32::try_from(bytes).is_ok_and(|bytes| bytes <= MOST_BYTES);
    check(fits, Refusal::too_large(MOST_BYTES))?;
    let is_small = bytes <= LARGE_BYTES && !state.is_full();
    check(is_small || state.make_room(), &FULL)?;
    check(request.method != "GET" || bytes == 0, Refusal::BODY_OF_GET)?;
    let Route { row, param } = route;
    let caller = match row.credentials {
        Some(operation) => caller::identify(state, operation, request, now)?,
        None => String::new(),
    };
    // A path names a user only where a server calls, which has no token.
    let user = if caller.is_empty() { param } else { caller };
    if row.id != RPC {
        caller::count(state, row.is_limited, now)?;
    }
    let status = match state.switches.success_status {
        SuccessStatus::Published => row.statuses.first().copied().unwrap_or(200),
        SuccessStatus::Ok => 200,
    };
    (row.serve)(&mut Asked { state, request, user, now, status })
}
