//! The caller's own knowledge: the deployment, and expectations of a reply.

use alloc::vec::Vec;

use crate::document::{Typed, Value, document};
use crate::error::{IssueCode, Issues, Path};
use crate::user_op::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder, GsnRequirement, Policies, Seconds};
use crate::value::{Address, FeeAmount, Quantity, fill, keyword};

keyword! {
    /// The form of a user operation's hash that an account's key signs.
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
        /// The hash as EIP-712 typed data, with EntryPoint 0.8 and 0.9.
        "typedData" => TypedData,
    }
}

document! {
    /// The deployment that a reply must match: the EntryPoint that executes its operation, the deployment's own
    /// addresses, and the caller's expectations.
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
    /// assert_eq!(sandbox.entry_point().chain_id.value(), 1_802_466_136);
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
        /// The form of hash that the account's key signs; absent in JSON means `personal`.
        "signs" => pub signs: Option<SignatureForm>,
        /// Further expectations of the reply; absent in JSON means none.
        "expect" => pub expect: Option<Expectations>,
        /// Addresses that the user knows: a recipient that only resembles one of them is a warning.
        "known" => pub known: Option<Vec<Address>>,
        /// The user's own wallets: a raw transaction from any other is a warning.
        "wallets" => pub wallets: Option<Vec<Address>>,
    }
}

/// The rule of a deployment: typed data exists since EntryPoint 0.8.
pub(super) fn judge_deployment(deployment: &Value, at: &Path<'_>, issues: &mut Issues) {
    let (signs, version) = (deployment.field("signs"), deployment.field("version"));
    if *signs == SignatureForm::TypedData.to_value() && *version == EntryPointVersion::V07.to_value() {
        let message = "expected `personal` or `raw` with EntryPoint 0.7, which has no typed data, found `typedData`";
        issues.push(&Path::Field(at, "signs"), IssueCode::Rule, message.into());
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

    /// The form of hash that the account's key signs.
    #[must_use]
    pub fn signature_form(&self) -> SignatureForm {
        self.signs.unwrap_or(SignatureForm::Personal)
    }
}

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

document! {
    /// The bounds of each gas limit.
    #[derive(Default)]
    pub struct GasExpectations: "bounds of gas limits, an object" {
        /// The bounds for the call itself.
        "callGasLimit" => pub call_gas_limit: Option<GasBounds>,
        /// The bounds for the account's validation.
        "verificationGasLimit" => pub verification_gas_limit: Option<GasBounds>,
        /// The bounds for work that the EntryPoint cannot measure. This gas is charged even if the call fails.
        "preVerificationGas" => pub pre_verification_gas: Option<GasBounds>,
        /// The bounds for the paymaster's validation.
        "paymasterVerificationGasLimit" => pub paymaster_verification_gas_limit: Option<GasBounds>,
        /// The bounds for the paymaster's work after the call.
        "paymasterPostOpGasLimit" => pub paymaster_post_op_gas_limit: Option<GasBounds>,
    }
}

document! {
    /// The lower and upper bound of a gas limit.
    #[derive(Default)]
    pub struct GasBounds: "bounds of a gas limit, an object of `least` and `most`", judged by judge_bounds {
        /// The lower bound; absent in JSON means no bound.
        "least" => pub least: Option<Quantity>,
        /// The upper bound; absent in JSON means no bound.
        "most" => pub most: Option<Quantity>,
    }
}

fn judge_bounds(bounds: &Value, at: &Path<'_>, issues: &mut Issues) {
    if let (Value::Quantity(least), Value::Quantity(most)) = (bounds.field("least"), bounds.field("most"))
        && least > most
    {
        issues.push(at, IssueCode::Rule, fill("expected a lower bound of at most {}, found {}", &[most, least]));
    }
}
