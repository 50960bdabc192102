//! Expectations of a reply.

use super::GasExpectations;
use crate::document::document;
use crate::user_op::{GsnRequirement, Policies, Seconds};
use crate::value::{Address, FeeAmount};

document! {
    /// Expectations of a reply in the fields that the request leaves open. An absent field expects nothing.
    ///
    /// ```
    /// use sendoff::estimate::Expectations;
    ///
    /// let cheap: Expectations = r#"{"maxCost":"3750000000000000","gas":{"preVerificationGas":{"most":"0x30d40"}}}"#.parse()?;
    /// assert!(cheap.user_swa.is_none());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Expectations: "expectations, an object" {
        /// The user's smart wallet, the operation's sender.
        "userSWA" => pub user_swa: Option<Address>,
        /// The features that are enabled for the application.
        "policies" => pub policies: Option<Policies>,
        /// The job's need for the gas station network.
        "gsn" => pub gsn: Option<GsnRequirement>,
        /// The most that the operation may cost, in wei.
        "maxCost" => pub max_cost: Option<FeeAmount>,
        /// The bounds of each gas limit.
        "gas" => pub gas: Option<GasExpectations>,
        /// The current time, at which the paymaster must pay.
        "now" => pub now: Option<Seconds>,
    }
}
