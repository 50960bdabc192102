//! The facts: data that the host collects, because a pure core cannot look it up.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::document::{
    Is, Nothing, Pairs, Typed, Value, Write, by_value, document, from_document, schema, serialized, write_field,
};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::user_op::Policies;
use crate::value::{Address, ChainId, FeeAmount, Quantity, Quantity128, Spell, Text};

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

document! {
    /// The facts about the gas station network for a job.
    ///
    /// ```
    /// use sendoff::estimate::Gsn;
    ///
    /// let gsn: Gsn = r#"{"isPossible":true,"isRequired":true,"requiredNetworks":["eip155:137"],"tokens":[]}"#.parse()?;
    /// assert_eq!(&*gsn.required_networks[0].reference(), "137");
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Gsn: "the gas station network, an object" {
        /// Whether the network can be used.
        "isPossible" => pub is_possible: bool,
        /// Whether the job needs the network.
        "isRequired" => pub is_required: bool,
        /// The chains on which the job needs it.
        "requiredNetworks" => pub required_networks: Vec<ChainId>,
        /// Its tokens: always an empty list, because the specification does not show the form of a token.
        "tokens" => pub tokens: GsnTokens,
    }
}

/// The tokens of the gas station network: always an empty list, because the specification does not show the form of a
/// token.
///
/// ```
/// use sendoff::estimate::Gsn;
///
/// let gsn = r#"{"isPossible":true,"isRequired":false,"requiredNetworks":[],"tokens":["0x1"]}"#;
/// assert_eq!(gsn.parse::<Gsn>().unwrap_err().issues()[0].path, "tokens");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GsnTokens;

impl Typed for GsnTokens {
    const IS: Is = Is::Nothing(&Nothing {
        expected: "an empty array",
        template: "expected no tokens, whose form is not specified, found {}",
    });

    fn of_value(value: Value) -> Option<Self> {
        matches!(value, Value::List(_)).then_some(Self)
    }

    fn into_value(self) -> Value {
        Value::List(Vec::new())
    }
}

schema::of!(GsnTokens, |_| schemars::json_schema!({
    "type": "array",
    "description": "an empty array",
    "maxItems": 0,
}));

by_value!(GsnTokens);
from_document!(GsnTokens);

document! {
    /// The cost of a transfer on its chain.
    ///
    /// ```
    /// use sendoff::estimate::Fees;
    ///
    /// let fees: Fees = r#"{"approxTransactionFeesInUSDT":"","transactionFees":{"eip155:137":"177258950000"}}"#.parse()?;
    /// assert_eq!(fees.transaction_fees.as_slice().len(), 1);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    #[derive(Default)]
    pub struct Fees: "fees, an object of `approxTransactionFeesInUSDT` and `transactionFees`" {
        /// The fees in USDT; empty if they were not computed. The form is not specified.
        "approxTransactionFeesInUSDT" => pub approx_transaction_fees_in_usdt: String,
        /// The fees by chain, in a unit that is not specified.
        "transactionFees" => pub transaction_fees: TransactionFees,
    }
}

/// Fees by the chain on which they are paid, in the given order.
///
/// ```
/// use sendoff::estimate::TransactionFees;
///
/// let fee = ("eip155:137".parse()?, "177258950000".parse()?);
/// assert!(TransactionFees::new(vec![fee.clone()]).is_ok());
/// assert!(TransactionFees::new(vec![fee.clone(), fee]).is_err());
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TransactionFees {
    list: Vec<(ChainId, FeeAmount)>,
}

impl TransactionFees {
    /// The fees.
    ///
    /// # Errors
    ///
    /// `duplicate` at a chain that occurs twice.
    pub fn new(list: Vec<(ChainId, FeeAmount)>) -> Result<Self, Error> {
        let mut issues = Issues::default();
        let mut chains: Vec<_> = list.iter().map(|(chain, _)| chain).collect();
        chains.sort_unstable();
        for pair in chains.windows(2) {
            if let [chain, again] = pair
                && chain == again
            {
                let chain = again.to_text();
                issues.push(
                    &Path::Field(&Path::Root, &chain),
                    IssueCode::Duplicate,
                    "expected each chain once, found it twice".into(),
                );
            }
        }
        issues.or(Some(Self { list }))
    }

    /// The chains and their fees.
    #[must_use]
    pub fn as_slice(&self) -> &[(ChainId, FeeAmount)] {
        &self.list
    }
}

impl Typed for TransactionFees {
    const IS: Is = Is::Pairs(&Pairs {
        expected: "fees by CAIP-2 chain id, an object",
        key: &ChainId::KIND,
        value: &FeeAmount::KIND,
    });

    fn of_value(value: Value) -> Option<Self> {
        let Value::Pairs(pairs) = value else { return None };
        let fee = |(key, amount): (Box<str>, Value)| {
            let chain = ChainId::accept(&key).ok()?;
            <FeeAmount as Typed>::of_value(amount).map(|amount| (chain, amount))
        };
        pairs.into_iter().map(fee).collect::<Option<_>>().map(|list| Self { list })
    }

    fn into_value(self) -> Value {
        let pair = |(chain, amount): (ChainId, FeeAmount)| (chain.to_text().into(), amount.into_value());
        Value::Pairs(self.list.into_iter().map(pair).collect())
    }
}

schema::of!(TransactionFees, |generator| schemars::json_schema!({
    "type": "object",
    "description": "Fees by the chain on which they are paid.",
    "propertyNames": generator.subschema_for::<ChainId>(),
    "additionalProperties": generator.subschema_for::<FeeAmount>(),
}));

impl Write for TransactionFees {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        self.list.iter().for_each(|(chain, fee)| write_field(&chain.to_text(), fee, out));
        out.push(b'}');
    }
}

serialized!(TransactionFees);
from_document!(TransactionFees);
