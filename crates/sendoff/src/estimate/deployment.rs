//! What the caller knows beforehand: the deployment, and what to expect of a reply.

use alloc::{format, vec::Vec};

use crate::document::{Read, document};
use crate::error::{Code, Issues, Path};
use crate::user_op::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder, GsnRequirement, Policies, Seconds};
use crate::value::{Address, FeeAmount, Quantity, keyword};

keyword! {
    /// What an account's key signs of a user operation's hash.
    ///
    /// ```
    /// use sendoff::estimate::SignatureForm;
    ///
    /// assert_eq!("typedData".parse(), Ok(SignatureForm::TypedData));
    /// ```
    pub enum SignatureForm: "`personal`, `raw` or `typedData`" {
        /// The EIP-191 personal message of the hash's 32 bytes.
        "personal" => Personal,
        /// The hash itself.
        "raw" => Raw,
        /// The hash as EIP-712 typed data, which it is in EntryPoint 0.8 and 0.9.
        "typedData" => TypedData,
    }
}

document! {
    /// What a reply must be for: the EntryPoint that its operation is sent to, the deployment's own addresses, and what
    /// else the caller expects.
    ///
    /// ```
    /// use sendoff::estimate::Deployment;
    ///
    /// let sandbox: Deployment = r#"{
    ///     "entryPoint": "0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da", "chainId": 1802466136, "version": "0.7",
    ///     "gasFeeOrder": "maxFirst",
    ///     "jobManager": "0x0543aD80b41C5f5956d34503668CDb965deCB617",
    ///     "paymaster": "0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
    ///     "clientSWA": "0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA"
    /// }"#.parse()?;
    /// assert_eq!(sandbox.entry_point().chain_id.get(), 1_802_466_136);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Deployment: "a deployment, an object", judged by judge_deployment, refined by with_rule {
        /// The EntryPoint's address.
        "entryPoint" => pub entry_point: Address,
        /// The chain on which it is deployed.
        "chainId" => pub chain_id: EvmChainId,
        /// Its version.
        "version" => pub version: EntryPointVersion,
        /// The order of fees in the operations sent to it; absent in JSON means `standard`.
        "gasFeeOrder" => pub gas_fee_order: GasFeeOrder = GasFeeOrder::Standard,
        /// The contract that starts jobs.
        "jobManager" => pub job_manager: Address,
        /// The contract that pays for operations.
        "paymaster" => pub paymaster: Address,
        /// The application's smart wallet.
        "clientSWA" => pub client_swa: Address,
        /// What the account's key signs; absent in JSON means `personal`.
        "signs" => pub signs: Option<SignatureForm>,
        /// What else is expected of the reply; absent in JSON means nothing.
        "expect" => pub expect: Option<Expectations>,
        /// Addresses that the user knows: a recipient that only looks like one of them is a warning.
        "known" => pub known: Option<Vec<Address>>,
        /// The user's own wallets: a raw transaction from any other is a warning.
        "wallets" => pub wallets: Option<Vec<Address>>,
    }
}

/// What could be read of a deployment.
type DeploymentParts = <Deployment as Read>::Partial;

/// The rule of a deployment: typed data exists since EntryPoint 0.8.
pub(super) fn judge_deployment(parts: &DeploymentParts, at: &Path<'_>, issues: &mut Issues) {
    if parts.signs == Some(Some(SignatureForm::TypedData)) && parts.version == Some(EntryPointVersion::V07) {
        let message =
            "expected `personal` or `raw` with EntryPoint 0.7, whose hash is no typed data, found `typedData`";
        issues.push(&Path::Field(at, "signs"), Code::Rule, message.into());
    }
}

/// The schema with the rule of a deployment.
#[cfg(feature = "schema")]
fn with_rule(mut schema: schemars::Schema) -> schemars::Schema {
    let first = EntryPointVersion::V07.as_str();
    let no_typed_data = serde_json::json!({ "not": { "const": SignatureForm::TypedData.as_str() } });
    schema.insert("if".into(), serde_json::json!({ "properties": { "version": { "const": first } } }));
    schema.insert("then".into(), serde_json::json!({ "properties": { "signs": no_typed_data } }));
    schema
}

impl Deployment {
    /// The EntryPoint that operations are sent to.
    #[must_use]
    pub const fn entry_point(&self) -> EntryPoint {
        EntryPoint {
            address: self.entry_point,
            chain_id: self.chain_id,
            version: self.version,
            gas_fee_order: self.gas_fee_order,
        }
    }

    /// What the account's key signs.
    #[must_use]
    pub fn signature_form(&self) -> SignatureForm {
        self.signs.unwrap_or(SignatureForm::Personal)
    }
}

document! {
    /// What the caller expects of a reply where the request says nothing. A field that is absent expects nothing.
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
        /// The user's smart wallet, which is the operation's sender.
        "userSWA" => pub user_swa: Option<Address>,
        /// What is enabled for the application.
        "policies" => pub policies: Option<Policies>,
        /// What the job asks of the gas station network.
        "gsn" => pub gsn: Option<GsnRequirement>,
        /// The most that the operation may cost, in wei.
        "maxCost" => pub max_cost: Option<FeeAmount>,
        /// The bounds of each gas limit.
        "gas" => pub gas: Option<GasExpectations>,
        /// The time, at which the paymaster must pay.
        "now" => pub now: Option<Seconds>,
    }
}

document! {
    /// The bounds of each gas limit.
    #[derive(Default)]
    pub struct GasExpectations: "bounds of gas limits, an object" {
        /// For the call itself.
        "callGasLimit" => pub call_gas_limit: Option<GasBounds>,
        /// For the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Option<GasBounds>,
        /// For what the EntryPoint cannot measure. It is charged whether the call succeeds or not.
        "preVerificationGas" => pub pre_verification_gas: Option<GasBounds>,
        /// For the paymaster's validation.
        "paymasterVerificationGasLimit" => pub paymaster_verification_gas_limit: Option<GasBounds>,
        /// For the paymaster's work after the call.
        "paymasterPostOpGasLimit" => pub paymaster_post_op_gas_limit: Option<GasBounds>,
    }
}

document! {
    /// The least and the most that a gas limit may be.
    #[derive(Default)]
    pub struct GasBounds: "bounds of a gas limit, an object of `least` and `most`", judged by judge_bounds {
        /// The least; absent in JSON means any.
        "least" => pub least: Option<Quantity>,
        /// The most; absent in JSON means any.
        "most" => pub most: Option<Quantity>,
    }
}

fn judge_bounds(parts: &<GasBounds as Read>::Partial, at: &Path<'_>, issues: &mut Issues) {
    if let (Some(Some(least)), Some(Some(most))) = (parts.least, parts.most)
        && least > most
    {
        issues.push(at, Code::Rule, format!("expected a least gas limit of at most {most}, found {least}"));
    }
}
