//! The plain way to a signature: through verification.

use alloc::{format, string::String, vec::Vec};

use primitive_types::{H256, U256};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::verify::{Examination, Finding, Rule, push_issues, read_reply};
use super::{CallDescription, EstimateRequest};
use crate::document::{Object, document};
use crate::error::{Code, Error, Issue, Issues, Path};
use crate::user_op::{
    EntryPoint, EntryPointVersion, EvmChainId, GasFeeOrder, PaymasterData, Seconds, UserOp, max_cost, signing_digest,
    user_op_hash,
};
use crate::value::{Address, Nonce, Word};

document! {
    /// What a reply must be for: the EntryPoint that its operation is sent to, and the deployment's own addresses.
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
    pub struct Deployment: "a deployment, an object" {
        /// The EntryPoint's address.
        "entryPoint" => entry_point: Address,
        /// The chain on which it is deployed.
        "chainId" => chain_id: EvmChainId,
        /// Its version.
        "version" => version: EntryPointVersion,
        /// The order of fees in the operations sent to it; absent in JSON means `standard`.
        "gasFeeOrder" => gas_fee_order: GasFeeOrder,
        /// The contract that starts jobs.
        "jobManager" => job_manager: Address,
        /// The contract that pays for operations.
        "paymaster" => paymaster: Address,
        /// The application's smart wallet.
        "clientSWA" => client_swa: Address,
    }
}

impl Deployment {
    /// The EntryPoint that operations are sent to.
    #[must_use]
    pub fn entry_point(&self) -> EntryPoint {
        EntryPoint {
            address: self.entry_point.clone(),
            chain_id: self.chain_id,
            version: self.version,
            gas_fee_order: self.gas_fee_order,
        }
    }
}

/// A user operation that may be signed: what was asked for, for the deployment that was expected.
///
/// There is no other way to make one than [`signable`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Signable {
    /// The hash of the operation.
    #[cfg_attr(feature = "schema", schemars(with = "Word"))]
    hash: H256,
    /// What a key signs: the hash's EIP-191 digest. A wallet's `signMessage` makes it itself, of the 32 bytes of `hash`.
    #[cfg_attr(feature = "schema", schemars(with = "Word"))]
    digest: H256,
    /// What the signature will do.
    account: Account,
}

impl Signable {
    /// The hash of the operation ([`user_op_hash`]).
    #[must_use]
    pub const fn hash(&self) -> H256 {
        self.hash
    }

    /// What is signed: the hash's EIP-191 digest ([`signing_digest`]).
    #[must_use]
    pub const fn digest(&self) -> H256 {
        self.digest
    }

    /// What the signature will do.
    #[must_use]
    pub const fn account(&self) -> &Account {
        &self.account
    }
}

impl Serialize for Signable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut signable = serializer.serialize_struct("Signable", 3)?;
        signable.serialize_field("hash", &Word::from(self.hash))?;
        signable.serialize_field("digest", &Word::from(self.digest))?;
        signable.serialize_field("account", &self.account)?;
        signable.end()
    }
}

/// What a signature will do, in plain data.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Account {
    /// What happens to the user's things.
    pub call: CallDescription,
    /// The operation that makes it happen.
    pub operation: Operation,
}

/// The operation under a signature.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SignedOperation"))]
pub struct Operation {
    /// The account that acts.
    pub sender: Address,
    /// What makes the operation unique.
    pub nonce: Nonce,
    /// Where it is executed.
    pub entry_point: Address,
    /// The chain on which it is executed, which need not be the one where things move.
    pub chain_id: EvmChainId,
    /// The most paid for a unit of gas, in wei, as a decimal.
    pub max_fee_per_gas: String,
    /// The tip for a unit of gas, in wei, as a decimal.
    pub max_priority_fee_per_gas: String,
    /// The most that it can cost, in wei, as a decimal ([`max_cost`]); null where the EntryPoint would refuse it.
    pub max_cost: Option<String>,
    /// Who pays it.
    pub paymaster: Address,
    /// When the paymaster stops paying, in seconds since the epoch; null where its data is of another layout.
    pub paymaster_valid_until: Option<Seconds>,
    /// When the paymaster begins to pay, likewise.
    pub paymaster_valid_after: Option<Seconds>,
}

/// The hash and digest of a reply's operation, where the reply answers the request and is for the deployment.
///
/// ```
/// use sendoff::estimate::{Estimate, respond, signable};
/// # let request = r#"{"type":"TOKEN_TRANSFER","jobId":"e4fb7f8b-d19d-4785-94af-4b911469a3b0","gasDetails":
/// # {"maxFeePerGas":"0x2255100","maxPriorityFeePerGas":"0x2255100"},"paymasterData":"0x","details":{"caip2Id":
/// # "eip155:84532","recipientWalletAddress":"0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2","tokenAddress":"","amount":"5"}}"#;
/// # let facts = r#"{"clientSWA":"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA","userSWA":
/// # "0x8B20023FC47D8F8BDB7418722dBB0e3e9964a906","policies":{"gsnEnabled":false,"sponsorshipEnabled":false},
/// # "jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617","paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
/// # "gasLimits":{"callGasLimit":"0x552e4","verificationGasLimit":"0x28428","preVerificationGas":"0x15324",
/// # "paymasterVerificationGasLimit":"0x139a2","paymasterPostOpGasLimit":"0x1"}}"#;
/// # let deployment = r#"{"entryPoint":"0xCa5b1b0d3893b5152014fD5B519FF50f7C40f9da","chainId":1802466136,"version":"0.7",
/// # "jobManager":"0x0543aD80b41C5f5956d34503668CDb965deCB617","paymaster":"0x74324fA6Fa67b833dfdea4C1b3A9898574d076e3",
/// # "clientSWA":"0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA"}"#;
/// # let reply = sendoff::json::estimate(request, facts).unwrap();
///
/// let signable = signable(&request.parse()?, &reply, &deployment.parse()?)?;
/// assert_eq!(signable.digest(), sendoff::user_op::signing_digest(signable.hash()));
/// assert_eq!(signable.account().operation.max_fee_per_gas, "36000000");
/// # Ok::<(), sendoff::error::Error>(())
/// ```
///
/// # Errors
///
/// `rule` at the place of each finding of [`super::verify`], and wherever the reply is for another deployment or has no
/// operation to hash.
pub fn signable(request: &EstimateRequest, reply: &str, deployment: &Deployment) -> Result<Signable, Error> {
    let mut issues = Issues::default();
    let signable = examined(request, reply, deployment, &mut issues);
    issues.or(signable)
}

/// The same, with every problem of the reply as an issue.
pub(crate) fn examined(
    request: &EstimateRequest,
    reply: &str,
    deployment: &Deployment,
    issues: &mut Issues,
) -> Option<Signable> {
    let mut findings = Vec::new();
    let reply = read_reply(reply, &mut findings);
    let parts = reply.as_ref().and_then(|reply| {
        let mut examination = Examination { reply, findings: &mut findings };
        let call = examination.examine(request);
        let op = examination.user_op();
        let client: Address = examination.part("data.callData.clientSWA")?;
        Some((call?, op?, client))
    });
    for Finding { path, message, .. } in findings {
        issues.add(Issue { path, code: Code::Rule, message });
    }
    let (call, op, client) = parts?;
    let paymaster = op.paymaster.as_ref()?;
    let paymaster_data = PaymasterData::decode(&paymaster.data.to_vec()).ok();
    let named_by_paymaster = paymaster_data.as_ref().map_or(&client, |data| &data.client_swa);
    for (path, found, expected, what) in [
        ("data.callData.clientSWA", &client, &deployment.client_swa, "client"),
        ("data.userOps.callData", &call.job_manager, &deployment.job_manager, "job manager"),
        ("data.userOps.callData", &call.client_swa, &deployment.client_swa, "client"),
        ("data.userOps.paymaster", &paymaster.address, &deployment.paymaster, "paymaster"),
        ("data.userOps.paymasterData", named_by_paymaster, &deployment.client_swa, "client"),
    ] {
        if found != expected {
            let message = format!("expected the deployment's {what} {expected}, found {found}");
            issues.add(Issue { path: path.into(), code: Code::Rule, message });
        }
    }
    let hash = user_op_hash(&op, &deployment.entry_point()).map_err(|error| {
        for Issue { path, code, message } in error.into_issues() {
            issues.add(Issue { path: format!("data.userOps.{path}"), code, message });
        }
    });
    let hash = hash.ok()?;
    let account = Account {
        call: CallDescription::of(&call),
        operation: Operation {
            sender: op.sender.to_checksummed(),
            nonce: op.nonce.clone(),
            entry_point: deployment.entry_point.to_checksummed(),
            chain_id: deployment.chain_id,
            max_fee_per_gas: wei(op.max_fee_per_gas.value().into()),
            max_priority_fee_per_gas: wei(op.max_priority_fee_per_gas.value().into()),
            max_cost: max_cost(&op).ok().map(wei),
            paymaster: paymaster.address.to_checksummed(),
            paymaster_valid_until: paymaster_data.as_ref().map(|data| data.valid_until),
            paymaster_valid_after: paymaster_data.as_ref().map(|data| data.valid_after),
        },
    };
    Some(Signable { hash, digest: signing_digest(hash), account })
}

/// An amount as a decimal.
fn wei(amount: U256) -> String {
    format!("{amount}")
}

impl Examination<'_> {
    /// The twelve fields of the operation; what else stands there is not part of it.
    fn user_op(&mut self) -> Option<UserOp> {
        const PATH: &str = "data.userOps";
        let node = self.node(PATH)?;
        let mut issues = Issues::default();
        let op = Object::open::<UserOp>(node, &Path::Field(&Path::Root, PATH), &mut issues)
            .and_then(|mut object| UserOp::take(&mut object));
        push_issues(Rule::Shape, issues, self.findings);
        op
    }
}
