//! The receipt of a user operation: whether it happened, what it cost, and why it failed.
//!
//! Source: ERC-7769 (`eth_getUserOperationReceipt`), the Solidity documentation (`Error`, `Panic`), the EntryPoint
//! contracts 0.7 to 0.9 (`FailedOp`, `FailedOpWithRevert`, `PostOpReverted`).

use alloc::string::String;

use primitive_types::U256;

use super::RevertReason;
use crate::document::{Node, Object, Read, from_document, schema, written_as};
use crate::error::{IssueCode, Issues, Path};
use crate::value::{Quantity, Word, decimal};

/// A receipt as a bundler's `eth_getUserOperationReceipt` answers.
///
/// Other fields are ignored. `reason` is only read if `success` is false. An operation cannot succeed in a transaction that
/// reverted.
///
/// ```
/// use sendoff::user_op::{UserOpOutcome, UserOpReceipt};
///
/// let receipt: UserOpReceipt = r#"{
///     "userOpHash": "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb",
///     "success": false, "actualGasCost": "0x4a817c800", "actualGasUsed": "0x34aef", "reason": "0x"
/// }"#.parse()?;
///
/// let outcome = receipt.outcome(receipt.user_op_hash);
/// assert!(matches!(outcome, UserOpOutcome::Failed { reason: None, .. }));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UserOpReceipt {
    /// The hash of the operation.
    pub user_op_hash: Word,
    /// `false` if the account's call reverted. The operation is still paid for, and its nonce is used.
    pub success: bool,
    /// The amount that was paid, in wei.
    pub actual_gas_cost: Quantity,
    /// The gas that was paid for.
    pub actual_gas_used: Quantity,
    /// The transaction that held the operation (`receipt.transactionHash` in JSON).
    pub transaction_hash: Option<Word>,
    /// The status of that transaction (`receipt.status` in JSON); 0 if it reverted.
    pub status: Option<Quantity>,
    /// The reason of a failure as it came, hex bytes or text; `None` if the operation succeeded, or if the bundler gives
    /// no reason. [`RevertReason::read`] decodes it.
    pub reason: Option<String>,
}

impl UserOpReceipt {
    /// Returns what this receipt says about the operation with this hash.
    #[must_use]
    pub fn outcome(&self, hash: Word) -> UserOpOutcome {
        if self.user_op_hash != hash {
            return UserOpOutcome::Other;
        }
        let (actual_gas_cost, actual_gas_used) = (self.actual_gas_cost.value(), self.actual_gas_used.value());
        let transaction_hash = self.transaction_hash;
        if self.success {
            UserOpOutcome::Succeeded { actual_gas_cost, actual_gas_used, transaction_hash }
        } else {
            let reason = self.reason.as_deref().and_then(RevertReason::read);
            UserOpOutcome::Failed { actual_gas_cost, actual_gas_used, transaction_hash, reason }
        }
    }

    /// The field `receipt`, if it has a part that is kept.
    fn transaction(&self) -> Option<TransactionReceipt> {
        let (hash, status) = (self.transaction_hash, self.status);
        (hash.is_some() || status.is_some()).then_some(TransactionReceipt { hash, status })
    }
}

impl Read for UserOpReceipt {
    const EXPECTED: &'static str = "a receipt of a user operation, an object";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::WANTED, at, issues)?;
        let user_op_hash = object.required("userOpHash");
        let success = object.required("success");
        let actual_gas_cost = object.required("actualGasCost");
        let actual_gas_used = object.required("actualGasUsed");
        let transaction = object.optional::<TransactionReceipt>("receipt");
        let reason = if success == Some(false) { object.optional("reason") } else { Some(None) };

        let status = transaction.as_ref().and_then(|transaction| transaction.as_ref()?.status);
        if success == Some(true) && status.is_some_and(|status| status.value().is_zero()) {
            let message = "expected another status than `0x0` beside `success: true`, found `0x0`";
            let receipt = Path::Field(at, "receipt");
            issues.push(&Path::Field(&receipt, "status"), IssueCode::Rule, message.into());
        }

        match (user_op_hash, success, actual_gas_cost, actual_gas_used, transaction, reason) {
            (
                Some(user_op_hash),
                Some(success),
                Some(actual_gas_cost),
                Some(actual_gas_used),
                Some(transaction),
                Some(reason),
            ) => Some(Self {
                user_op_hash,
                success,
                actual_gas_cost,
                actual_gas_used,
                transaction_hash: transaction.and_then(|TransactionReceipt { hash, .. }| hash),
                status,
                reason: reason.and_then(|Reason(reason)| reason),
            }),
            _ => None,
        }
    }
}

written_as!(UserOpReceipt, |receipt| {
    "userOpHash" => receipt.user_op_hash,
    "success" => receipt.success,
    "actualGasCost" => receipt.actual_gas_cost,
    "actualGasUsed" => receipt.actual_gas_used,
    "receipt" => receipt.transaction(),
    "reason" => receipt.reason,
});

from_document!(UserOpReceipt);

schema::of!(UserOpReceipt, |generator| {
    let transaction = schema::Fields::new(generator)
        .optional::<Word>("transactionHash", "The transaction that held the operation.")
        .optional::<Quantity>("status", "The status of the transaction; `0x0` if it reverted.")
        .open("The receipt of the transaction. Other fields are ignored.");
    let mut receipt = schema::Fields::new(generator)
        .required::<Word>("userOpHash", "The hash of the operation.")
        .required::<bool>("success", "`false` if the account's call reverted.")
        .required::<Quantity>("actualGasCost", "The amount that was paid, in wei.")
        .required::<Quantity>("actualGasUsed", "The gas that was paid for.")
        .open("A receipt as a bundler's `eth_getUserOperationReceipt` answers. Other fields are ignored.");
    if let Some(properties) = receipt.get_mut("properties").and_then(serde_json::Value::as_object_mut) {
        properties.insert("receipt".into(), transaction.to_value());
    }
    receipt.insert(
        "if".into(),
        serde_json::json!({ "properties": { "success": { "const": false } }, "required": ["success"] }),
    );
    receipt.insert(
        "then".into(),
        serde_json::json!({ "properties": { "reason": {
            "description": "The reason why the operation failed: the bytes of the revert in hex, or text.",
            "type": ["string", "null"],
        } } }),
    );
    receipt.insert(
        "else".into(),
        serde_json::json!({ "properties": { "receipt": { "properties": { "status": { "not": { "const": "0x0" } } } } } }),
    );
    receipt
});

/// The field `receipt` of a receipt: the receipt of its transaction.
struct TransactionReceipt {
    hash: Option<Word>,
    status: Option<Quantity>,
}

impl Read for TransactionReceipt {
    const EXPECTED: &'static str = "the receipt of a transaction, an object";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let mut object = Object::open(node, Self::WANTED, at, issues)?;
        let (hash, status) = (object.optional("transactionHash"), object.optional("status"));
        Some(Self { hash: hash?, status: status? })
    }
}

written_as!(TransactionReceipt, |receipt| {
    "transactionHash" => receipt.hash,
    "status" => receipt.status,
});

/// The field `reason` of a receipt.
struct Reason(Option<String>);

impl Read for Reason {
    const EXPECTED: &'static str = "hex bytes, text or null";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        match node {
            Node::Null => Some(Self(None)),
            Node::Text(text) => Some(Self(Some(text.clone().into()))),
            other => Self::mistyped(other, at, issues),
        }
    }
}

/// What a receipt says about an operation: `{outcome, actualGasCost, actualGasUsed, transactionHash?, reason?}` in
/// JSON, where amounts are decimals.
///
/// ```
/// use sendoff::user_op::UserOpOutcome;
///
/// let spent = |outcome: &UserOpOutcome| match outcome {
///     UserOpOutcome::Succeeded { actual_gas_cost, .. } | UserOpOutcome::Failed { actual_gas_cost, .. } => Some(*actual_gas_cost),
///     UserOpOutcome::Other => None,
/// };
/// assert_eq!(spent(&UserOpOutcome::Other), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(
        tag = "outcome",
        rename_all = "camelCase",
        rename_all_fields = "camelCase",
        transform = Self::name_outcome
    )
)]
pub enum UserOpOutcome {
    /// The account's call succeeded.
    Succeeded {
        /// The amount that was paid, in wei, as a decimal.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        actual_gas_cost: U256,
        /// The gas that was paid for, as a decimal.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        actual_gas_used: U256,
        /// The transaction that held the operation, in the receipt's spelling.
        #[cfg_attr(feature = "schema", schemars(with = "Word", skip_serializing_if = "Option::is_none"))]
        transaction_hash: Option<Word>,
    },
    /// The account's call reverted. The operation was paid for, and its nonce is used.
    Failed {
        /// The amount that was paid, in wei, as a decimal.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        actual_gas_cost: U256,
        /// The gas that was paid for, as a decimal.
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        actual_gas_used: U256,
        /// The transaction that held the operation, in the receipt's spelling.
        #[cfg_attr(feature = "schema", schemars(with = "Word", skip_serializing_if = "Option::is_none"))]
        transaction_hash: Option<Word>,
        /// The reason; absent if the bundler gives none.
        #[cfg_attr(feature = "schema", schemars(with = "RevertReason", skip_serializing_if = "Option::is_none"))]
        reason: Option<RevertReason>,
    },
    /// The receipt is for another operation.
    Other,
}

#[cfg(feature = "schema")]
impl UserOpOutcome {
    fn name_outcome(schema: &mut schemars::Schema) {
        schema::name_tag(schema, "outcome", "The outcome of the operation.");
    }
}

impl UserOpOutcome {
    const fn name(&self) -> &'static str {
        match self {
            Self::Succeeded { .. } => "succeeded",
            Self::Failed { .. } => "failed",
            Self::Other => "other",
        }
    }

    /// The cost, the gas and the transaction.
    const fn execution(&self) -> Option<(U256, U256, Option<Word>)> {
        match *self {
            Self::Succeeded { actual_gas_cost, actual_gas_used, transaction_hash }
            | Self::Failed { actual_gas_cost, actual_gas_used, transaction_hash, .. } => {
                Some((actual_gas_cost, actual_gas_used, transaction_hash))
            }
            Self::Other => None,
        }
    }

    const fn reason(&self) -> Option<&RevertReason> {
        if let Self::Failed { reason, .. } = self { reason.as_ref() } else { None }
    }
}

written_as!(UserOpOutcome, |outcome| {
    "outcome" => outcome.name(),
    "actualGasCost" => outcome.execution().map(|(cost, _, _)| decimal(cost)),
    "actualGasUsed" => outcome.execution().map(|(_, used, _)| decimal(used)),
    "transactionHash" => outcome.execution().and_then(|(_, _, transaction)| transaction),
    "reason" => outcome.reason(),
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::to_json;
    use crate::error::IssueCode;
    use alloc::{format, string::String, vec::Vec};

    const HASH: &str = "0x2941E29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb";

    fn receipt(success: &str, more: &str) -> String {
        format!(
            r#"{{"userOpHash":"{HASH}","success":{success},"actualGasCost":"0x64","actualGasUsed":"0xA","logs":[]{more}}}"#
        )
    }

    fn outcome(text: &str) -> String {
        let hash: Word = HASH.to_ascii_lowercase().parse().unwrap();
        to_json(&text.parse::<UserOpReceipt>().unwrap().outcome(hash))
    }

    fn issues(text: &str) -> Vec<(String, IssueCode)> {
        let error = text.parse::<UserOpReceipt>().unwrap_err();
        error.into_issues().into_iter().map(|issue| (issue.path, issue.code)).collect()
    }

    #[test]
    fn an_operation_that_reverted_has_failed() {
        let paid = r#""actualGasCost":"100","actualGasUsed":"10""#;
        assert_eq!(outcome(&receipt("true", "")), format!(r#"{{"outcome":"succeeded",{paid}}}"#));
        assert_eq!(outcome(&receipt("false", "")), format!(r#"{{"outcome":"failed",{paid}}}"#));
        let hash = r#","receipt":{"status":"0x1","transactionHash":"0xABcdef0000000000000000000000000000000000000000000000000000000000"}"#;
        assert_eq!(
            outcome(&receipt("true", hash)),
            format!(
                r#"{{"outcome":"succeeded",{paid},"transactionHash":"0xABcdef0000000000000000000000000000000000000000000000000000000000"}}"#
            )
        );
        assert_eq!(outcome(&receipt("true", r#","receipt":{}"#)), outcome(&receipt("true", "")));
    }

    #[test]
    fn a_receipt_of_another_operation_says_nothing_else() {
        let other = receipt("false", r#","reason":"a reason""#).replace("2beb", "2bec");
        assert_eq!(outcome(&other), r#"{"outcome":"other"}"#);
    }

    #[test]
    fn a_reason_is_only_read_if_the_call_failed() {
        for none in ["null", r#""""#, r#""0x""#] {
            assert_eq!(
                outcome(&receipt("false", &format!(r#","reason":{none}"#))),
                outcome(&receipt("false", "")),
                "{none}"
            );
        }
        assert_eq!(outcome(&receipt("true", r#","reason":5"#)), outcome(&receipt("true", "")));
        assert_eq!(issues(&receipt("false", r#","reason":5"#)), [("reason".into(), IssueCode::Type)]);
        assert!(outcome(&receipt("false", r#","reason":"0xAB""#)).ends_with(r#""text":"0xAB"}}"#));
    }

    #[test]
    fn every_problem_of_a_receipt_is_reported() {
        assert_eq!(issues("null"), [("".into(), IssueCode::Type)]);
        assert_eq!(
            issues(r#"{"userOpHash":"0x12","success":"yes","actualGasCost":100,"receipt":{"transactionHash":null}}"#),
            [
                ("userOpHash".into(), IssueCode::Format),
                ("success".into(), IssueCode::Type),
                ("actualGasCost".into(), IssueCode::Type),
                ("actualGasUsed".into(), IssueCode::Missing),
                ("receipt.transactionHash".into(), IssueCode::Type),
            ]
        );
        assert_eq!(issues(&receipt("true", r#","receipt":null"#)), [("receipt".into(), IssueCode::Type)]);
    }
}
