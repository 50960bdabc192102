//! The deployment that the caller knows.

use alloc::vec::Vec;

use super::Expectations;
use crate::document::{Field, Parts, checked, document};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::user_op::{EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder};
use crate::value::{Address, keyword};

keyword! {
    /// The form of a user operation's hash that an account's key signs.
    ///
    /// ```
    /// use sendoff::estimate::SignatureForm;
    ///
    /// assert_eq!("typedData".parse(), Ok(SignatureForm::TypedData));
    /// ```
    pub enum SignatureForm: "`personal`, `raw` or `typedData`" = Personal {
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
    /// addresses, and the caller's expectations. Its parts agree: typed data exists since EntryPoint 0.8.
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
    pub struct Deployment: "a deployment, an object", checked by check_deployment, refined by with_rule {
        /// The EntryPoint's address.
        "entryPoint" => pub(super) entry_point: Address,
        /// The chain on which it is deployed.
        "chainId" => pub(super) chain_id: EvmChainId,
        /// Its version.
        "version" => pub(super) version: EntryPointVersion,
        /// The order of fees in the operations sent to it; absent in JSON means `standard`.
        "gasFeeOrder" => pub(super) gas_fee_order: GasFeeOrder = GasFeeOrder::Standard,
        /// The contract that starts jobs.
        "jobManager" => pub job_manager: Address,
        /// The contract that pays for operations.
        "paymaster" => pub paymaster: Address,
        /// The application's smart wallet.
        "clientSWA" => pub client_swa: Address,
        /// The form of hash that the account's key signs; absent in JSON means `personal`.
        "signs" => pub(super) signs: Option<SignatureForm>,
        /// Further expectations of the reply; absent in JSON means none.
        "expect" => pub expect: Option<Expectations>,
        /// Addresses that the user knows: a recipient that only resembles one of them is a warning.
        "known" => pub known: Option<Vec<Address>>,
        /// The user's own wallets: a raw transaction from any other is a warning.
        "wallets" => pub wallets: Option<Vec<Address>>,
    }
}

const SIGNS: Field<Deployment, SignatureForm> = Field::of("signs");
const VERSION: Field<Deployment, EntryPointVersion> = Field::of("version");

/// EntryPoint 0.7 has no typed data.
fn check_deployment(deployment: Parts<'_, Deployment>, at: &Path<'_>, issues: &mut Issues) {
    let (signs, version) = (deployment.get(SIGNS), deployment.get(VERSION));
    if signs == Some(SignatureForm::TypedData) && version == Some(EntryPointVersion::V07) {
        let message = "expected `personal` or `raw` with EntryPoint 0.7, which has no typed data, found `typedData`";
        issues.push(&Path::Field(at, SIGNS.path()), IssueCode::Rule, message.into());
    }
}

/// The schema with the rule of a deployment.
#[cfg(feature = "schema")]
fn with_rule(mut schema: schemars::Schema) -> schemars::Schema {
    let first = EntryPointVersion::V07.as_str();
    let no_typed_data =
        serde_json::json!({ "not": { "const": SignatureForm::TypedData.as_str() } });
    schema.insert(
        "if".into(),
        serde_json::json!({ "properties": { "version": { "const": first } } }),
    );
    schema.insert("then".into(), serde_json::json!({ "properties": { "signs": no_typed_data } }));
    schema
}

impl Deployment {
    /// Creates a deployment whose accounts sign the personal message of a hash, without expectations.
    #[must_use]
    pub const fn new(
        entry_point: EntryPoint,
        job_manager: Address,
        paymaster: Address,
        client_swa: Address,
    ) -> Self {
        let EntryPoint { address: entry_point, chain_id, version, gas_fee_order } = entry_point;
        let (signs, expect, known, wallets) = (None, None, None, None);

        Self {
            entry_point,
            chain_id,
            version,
            gas_fee_order,
            job_manager,
            paymaster,
            client_swa,
            signs,
            expect,
            known,
            wallets,
        }
    }

    /// Returns the same deployment, whose accounts sign another form of a hash.
    ///
    /// # Errors
    ///
    /// `rule` at `signs` for typed data with EntryPoint 0.7.
    pub fn with_signature_form(self, signs: SignatureForm) -> Result<Self, Error> {
        checked(Self { signs: Some(signs), ..self })
    }

    /// Returns the same deployment with expectations of the reply, in place of those that it has.
    #[must_use]
    pub fn with_expectations(self, expect: Expectations) -> Self {
        Self { expect: Some(expect), ..self }
    }

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
        self.signs.unwrap_or_default()
    }
}
