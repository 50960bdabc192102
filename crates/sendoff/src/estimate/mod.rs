//! The estimate: a request and the host's facts in, a prepared user operation out; and a reply
//! compared with its request.
//!
//! The walk: [`EstimateRequest`] and [`Facts`] are read, [`Estimate::new`] checks that they agree,
//! and [`respond`] cannot fail. On the other side [`verify`] returns the findings about a reply,
//! and [`signable`] the hash of a reply without findings.

mod request;
mod gas_limits;
mod gsn;
mod fees;
mod facts;
mod agreement;
mod reply;
mod finding;
mod gas_expectations;
mod expectations;
mod deployment;
mod scope;
mod respond;
mod comparison;
mod verify;
mod describe;
mod figures;
mod expect;
mod clear_signing;
mod warning;
mod signable;

pub use clear_signing::{ClearSigning, SignedOperation};
pub use deployment::{Deployment, SignatureForm};
pub use describe::CallDescription;
pub use expectations::Expectations;
pub use facts::Facts;
pub use fees::{Fees, TransactionFees};
pub use figures::GasFigures;
pub(crate) use figures::Margin;
pub use finding::{Finding, Rule, Verification};
pub use gas_expectations::{GasBounds, GasExpectations};
pub use gas_limits::GasLimits;
pub use gsn::{Gsn, GsnTokens};
pub use reply::{
    EstimateData, EstimateReply, EstimateStatus, Estimation, ReplyCallData, ReplyDetails, SwapFees,
};
pub use request::{EstimateRequest, GasDetails, RequestParts};
pub use respond::{Estimate, respond};
pub use signable::{Signable, signable};
pub use verify::{ReplySource, verify};
pub use warning::{Warning, WarningCode};
