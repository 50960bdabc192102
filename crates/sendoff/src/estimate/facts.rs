//! The facts: data that the host collects, because a pure core cannot look it up.

use super::{Fees, GasLimits, Gsn};
use crate::document::document;
use crate::user_op::Policies;
use crate::value::Address;

document! {
    /// The host's facts about the deployment, the user and the chain at the time of a request.
    ///
    /// ```
    /// use sendoff::estimate::Facts;
    ///
    /// let facts: Facts = r#"{
    ///     "clientSWA": "0xe8201e368557508bf183d4e2dce1b1a1e0bd20fa",
    ///     "userSWA": "0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906",
    ///     "policies": { "gsnEnabled": false, "sponsorshipEnabled": false },
    ///     "jobManager": "0x0543aD80b41C5f5956d34503668CDb965deCB617",
    ///     "paymaster": "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
    ///     "gasLimits": {
    ///         "callGasLimit": "0x552e4", "verificationGasLimit": "0x28428", "preVerificationGas": "0x15324",
    ///         "paymasterVerificationGasLimit": "0x139a2", "paymasterPostOpGasLimit": "0x1"
    ///     }
    /// }"#.parse()?;
    /// assert!(facts.gsn.required_networks.is_empty() && facts.fees.transaction_fees.as_slice().is_empty());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Facts: "the facts, an object" {
        /// The application's smart wallet.
        "clientSWA" => pub client_swa: Address,
        /// The user's smart wallet.
        "userSWA" => pub user_swa: Address,
        /// The features that are enabled for the application on the chain.
        "policies" => pub policies: Policies,
        /// The facts about the gas station network; absent in JSON means none.
        "gsn" => pub gsn: Gsn = Gsn::default(),
        /// The contract that starts jobs.
        "jobManager" => pub job_manager: Address,
        /// The contract that pays for the operation.
        "paymaster" => pub paymaster: Address,
        /// The gas limits of the operation's parts.
        "gasLimits" => pub gas_limits: GasLimits,
        /// The cost of the transfer on its chain; absent in JSON means not computed.
        "fees" => pub fees: Fees = Fees::default(),
    }
}
