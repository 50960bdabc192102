//! The facts: what a pure core cannot know, gathered by its host.

use alloc::{format, string::String, vec::Vec};

use serde::ser::{Serialize, Serializer};

use crate::document::{Node, Read, document, schema};
use crate::error::{Code, Issues, Path};
use crate::user_op::Policies;
use crate::value::{Address, ChainId, FeeAmount, Quantity, Quantity128};

document! {
    /// What the host knows of the deployment, the user and the chain when a request comes in.
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
        "clientSWA" => client_swa: Address,
        /// The user's smart wallet.
        "userSWA" => user_swa: Address,
        /// What is enabled for the application on the chain.
        "policies" => policies: Policies,
        /// What is known of the gas station network; absent in JSON means nothing.
        "gsn" => gsn: Gsn,
        /// The contract that starts jobs.
        "jobManager" => job_manager: Address,
        /// The contract that pays for the operation.
        "paymaster" => paymaster: Address,
        /// How much gas the parts of the operation may use.
        "gasLimits" => gas_limits: GasLimits,
        /// What the transfer costs on its chain; absent in JSON means not computed.
        "fees" => fees: Fees,
    }
}

document! {
    /// How much gas the parts of an operation may use. Source: ERC-4337.
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
        /// For the call itself.
        "callGasLimit" => call_gas_limit: Quantity128,
        /// For the account's validation.
        "verificationGasLimit" => verification_gas_limit: Quantity128,
        /// For what the EntryPoint cannot measure.
        "preVerificationGas" => pre_verification_gas: Quantity,
        /// For the paymaster's validation.
        "paymasterVerificationGasLimit" => paymaster_verification_gas_limit: Quantity128,
        /// For the paymaster's work after the call.
        "paymasterPostOpGasLimit" => paymaster_post_op_gas_limit: Quantity128,
    }
}

document! {
    /// What is known of the gas station network for a job.
    ///
    /// ```
    /// use sendoff::estimate::Gsn;
    ///
    /// let gsn: Gsn = r#"{"isPossible":true,"isRequired":true,"requiredNetworks":["eip155:137"],"tokens":[]}"#.parse()?;
    /// assert_eq!(gsn.required_networks[0].reference(), "137");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Gsn: "the gas station network, an object", absent means default {
        /// Whether it could be used.
        "isPossible" => is_possible: bool,
        /// Whether the job needs it.
        "isRequired" => is_required: bool,
        /// The chains on which it is needed.
        "requiredNetworks" => required_networks: Vec<ChainId>,
        /// Its tokens: none, for the specification does not show what one is.
        "tokens" => tokens: GsnTokens,
    }
}

/// The tokens of the gas station network: none, for the specification does not show what one is.
///
/// ```
/// use sendoff::estimate::Gsn;
///
/// let gsn = r#"{"isPossible":true,"isRequired":false,"requiredNetworks":[],"tokens":["0x1"]}"#;
/// assert_eq!(gsn.parse::<Gsn>().unwrap_err().issues()[0].path, "tokens");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GsnTokens;

impl Read for GsnTokens {
    const EXPECTED: &'static str = "an empty array";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let Node::List(tokens) = node else { return Self::mistyped(node, at, issues) };
        if !tokens.is_empty() {
            let message = format!("expected no tokens, whose form is not specified, found {}", tokens.len());
            issues.push(at, Code::Range, message);
        }
        Some(Self)
    }
}

schema::of!(GsnTokens, |_| schemars::json_schema!({
    "type": "array",
    "description": Self::EXPECTED,
    "maxItems": 0,
}));

impl Serialize for GsnTokens {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(<[(); 0]>::default())
    }
}

document! {
    /// What a transfer costs on its chain.
    ///
    /// ```
    /// use sendoff::estimate::Fees;
    ///
    /// let fees: Fees = r#"{"approxTransactionFeesInUSDT":"","transactionFees":{"eip155:137":"177258950000"}}"#.parse()?;
    /// assert_eq!(fees.transaction_fees.as_slice().len(), 1);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Fees: "fees, an object of `approxTransactionFeesInUSDT` and `transactionFees`", absent means default {
        /// The fees in USDT; empty where they were not computed. Its form is not specified.
        "approxTransactionFeesInUSDT" => approx_transaction_fees_in_usdt: String,
        /// The fees by chain, in a unit that is not specified.
        "transactionFees" => transaction_fees: TransactionFees,
    }
}

/// Fees by the chain on which they are paid, in the order in which they were given.
///
/// ```
/// use sendoff::estimate::TransactionFees;
///
/// let fee = ("eip155:137".parse()?, "177258950000".parse()?);
/// assert!(TransactionFees::new(vec![fee.clone()]).is_some());
/// assert!(TransactionFees::new(vec![fee.clone(), fee]).is_none());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TransactionFees {
    list: Vec<(ChainId, FeeAmount)>,
}

impl TransactionFees {
    /// The fees; none where a chain stands twice.
    #[must_use]
    pub fn new(list: Vec<(ChainId, FeeAmount)>) -> Option<Self> {
        let mut chains: Vec<_> = list.iter().map(|(chain, _)| chain.as_str()).collect();
        chains.sort_unstable();
        chains.is_sorted_by(|a, b| a < b).then_some(Self { list })
    }

    /// The chains and their fees.
    #[must_use]
    pub fn as_slice(&self) -> &[(ChainId, FeeAmount)] {
        &self.list
    }
}

impl Read for TransactionFees {
    const EXPECTED: &'static str = "fees by CAIP-2 chain id, an object";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let Node::Object(fields) = node else { return Self::mistyped(node, at, issues) };
        let mut list = Some(Vec::new());
        for field in fields {
            let at = Path::Field(at, &field.key);
            let chain = ChainId::read(&Node::Text(field.key.clone()), &at, issues);
            let amount = FeeAmount::read(&field.node, &at, issues);
            match (chain.zip(amount), &mut list) {
                (Some(fee), Some(list)) => list.push(fee),
                _ => list = None,
            }
        }
        list.map(|list| Self { list })
    }
}

schema::of!(TransactionFees, |generator| schemars::json_schema!({
    "type": "object",
    "description": "Fees by the chain on which they are paid.",
    "propertyNames": generator.subschema_for::<ChainId>(),
    "additionalProperties": generator.subschema_for::<FeeAmount>(),
}));

impl Serialize for TransactionFees {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.list.iter().map(|(chain, amount)| (chain, amount)))
    }
}
