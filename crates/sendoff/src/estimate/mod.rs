//! The estimate: a request and the host's facts in, a prepared user operation out; and a reply held against its request.
//!
//! The walk: [`EstimateRequest`] and [`Facts`] are read, [`Estimate::new`] sees to it that they agree, and
//! [`respond`] cannot fail. On the other side [`verify`] says what a reply has wrong, and [`signable`] gives the hash of
//! a reply that has nothing wrong.

mod describe;
mod facts;
mod reply;
mod request;
mod respond;
mod rules;
mod signable;
mod verify;

pub use describe::{CallDescription, Move};
pub use facts::{Facts, Fees, GasLimits, Gsn, GsnTokens, TransactionFees};
#[cfg(feature = "schema")]
pub(crate) use reply::Success;
pub use reply::{Estimation, Reply, ReplyCallData, ReplyDetails, SwapFees};
pub use request::{EstimateRequest, GasDetails};
pub use respond::{Estimate, respond};
pub(crate) use signable::examined;
pub use signable::{Account, Deployment, Operation, Signable, signable};
pub use verify::{Finding, Rule, Verification, verify};
