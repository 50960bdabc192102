//! The gas limits of an operation.

use crate::document::document;
use crate::value::{Quantity, Quantity128};

document! {
    /// The gas limits of an operation's parts. Source: ERC-4337.
    ///
    /// ```
    /// use sendoff::estimate::GasLimits;
    ///
    /// let limits: GasLimits = r#"{
    ///     "callGasLimit": "0x552e4", "verificationGasLimit": "0x28428", "preVerificationGas": "0x15324",
    ///     "paymasterVerificationGasLimit": "0x139a2", "paymasterPostOpGasLimit": "0x1"
    /// }"#.parse()?;
    /// assert_eq!(limits.call_gas_limit.value(), 348_900);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct GasLimits: "gas limits, an object" {
        /// The gas for the call itself.
        "callGasLimit" => pub call_gas_limit: Quantity128,
        /// The gas for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Quantity128,
        /// The gas for work that the EntryPoint cannot measure.
        "preVerificationGas" => pub pre_verification_gas: Quantity,
        /// The gas for the paymaster's validation.
        "paymasterVerificationGasLimit" => pub paymaster_verification_gas_limit: Quantity128,
        /// The gas for the paymaster's work after the call.
        "paymasterPostOpGasLimit" => pub paymaster_post_op_gas_limit: Quantity128,
    }
}
