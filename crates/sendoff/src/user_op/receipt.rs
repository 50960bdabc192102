//! The receipt of a user operation: whether it happened, what it cost, and why it failed.
//!
//! Source: ERC-7769 (`eth_getUserOperationReceipt`), the Solidity documentation (`Error`, `Panic`),
//! the EntryPoint contracts 0.7 to 0.9 (`FailedOp`, `FailedOpWithRevert`, `PostOpReverted`).

use alloc::string::String;

use primitive_types::U256;

use super::RevertReason;
use crate::document::{
    Choice, Field, Is, Kind, Parts, Presence, Record, Row, Said, Shown, Table, Valued, document, traits,
};
use crate::error::{IssueCode, Issues, Path, Wanted};
use crate::value::{FeeAmount, Quantity, Word};

document! {
    /// A receipt as a bundler's `eth_getUserOperationReceipt` answers. Other fields are ignored.
    ///
    /// `reason` is only read if `success` is false. An operation cannot succeed in a transaction that reverted.
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
    pub struct UserOpReceipt: "a receipt of a user operation, an object", open alone, checked by check_receipt, refined by status_of_success {
        /// The hash of the operation.
        "userOpHash" => pub user_op_hash: Word,
        /// `false` if the account's call reverted.
        "success" => pub success: bool,
        /// The amount that was paid, in wei.
        "actualGasCost" => pub actual_gas_cost: Quantity,
        /// The gas that was paid for.
        "actualGasUsed" => pub actual_gas_used: Quantity,
        /// The receipt of the transaction. Other fields are ignored.
        "receipt" => pub receipt: Option<TransactionReceipt> => TRANSACTION,
        /// The reason why the operation failed: the bytes of the revert in hex, or text.
        ///
        /// `None` if the operation succeeded, or if the bundler gives no reason. [`RevertReason::read`] decodes it.
        "reason" => pub reason: Option<String> => REASON,
    }
}

document! {
    /// The receipt of the transaction that held an operation. Other fields are ignored.
    ///
    /// ```
    /// use sendoff::user_op::TransactionReceipt;
    ///
    /// let receipt: TransactionReceipt = r#"{"status":"0x1","blockNumber":"0x7"}"#.parse()?;
    /// assert!(receipt.transaction_hash.is_none());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct TransactionReceipt: "the receipt of a transaction, an object", open alone {
        /// The transaction that held the operation.
        "transactionHash" => pub transaction_hash: Option<Word>,
        /// The status of the transaction; `0x0` if it reverted.
        "status" => pub status: Option<Quantity>,
    }
}

impl UserOpReceipt {
    /// Returns what this receipt says about the operation with this hash.
    #[must_use]
    pub fn outcome(&self, hash: Word) -> UserOpOutcome {
        if self.user_op_hash != hash {
            return UserOpOutcome::Other;
        }

        let (actual_gas_cost, actual_gas_used) =
            (self.actual_gas_cost.value(), self.actual_gas_used.value());
        let transaction_hash = self.receipt.as_ref().and_then(|receipt| receipt.transaction_hash);
        if self.success {
            return UserOpOutcome::Succeeded { actual_gas_cost, actual_gas_used, transaction_hash };
        }
        let reason = self.reason.as_deref().and_then(RevertReason::read);
        UserOpOutcome::Failed { actual_gas_cost, actual_gas_used, transaction_hash, reason }
    }
}

/// What a failed operation says. A successful one may say anything.
const REASON: Row =
    Row::plain("", Is::Nullable(&REASON_TEXT), "").present(Presence::IfNot(&"success"));

static REASON_TEXT: Is =
    Is::Text(&Kind { wanted: Wanted { words: "hex bytes, text or null", kind: "" }, ..Kind::TEXT });

/// Without a name of its own in schemas.
const TRANSACTION: Row =
    Row::plain("", Is::Record(TransactionReceipt::TABLE), "").present(Presence::Optional);

/// An operation cannot succeed in a transaction that reverted.
fn check_receipt(receipt: Parts<'_, UserOpReceipt>, at: &Path<'_>, issues: &mut Issues) {
    let status = receipt.get(RECEIPT).and_then(|receipt| receipt.get(STATUS));
    if receipt.get(SUCCESS) == Some(true) && status.is_some_and(|status| status.value().is_zero()) {
        let message = "expected another status than `0x0` beside `success: true`, found `0x0`";
        let receipt = Path::Field(at, RECEIPT.key());
        issues.push(&Path::Field(&receipt, STATUS.key()), IssueCode::Rule, message.into());
    }
}

const SUCCESS: Field<UserOpReceipt, bool> = Field::of("success");
const RECEIPT: Field<UserOpReceipt, TransactionReceipt> = Field::of("receipt");
const STATUS: Field<TransactionReceipt, Quantity> = Field::of("status");

/// The rule of [`check_receipt`] in a schema.
#[cfg(feature = "schema")]
fn status_of_success(mut schema: schemars::Schema) -> schemars::Schema {
    let status = schemars::json_schema!({ "not": { "const": "0x0" } });
    let receipt = schemars::json_schema!({ "properties": { "status": status } });
    schema.insert("else".into(), serde_json::json!({ "properties": { "receipt": receipt } }));
    schema
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
pub enum UserOpOutcome {
    /// The account's call succeeded.
    Succeeded {
        /// The amount that was paid, in wei.
        actual_gas_cost: U256,
        /// The gas that was paid for.
        actual_gas_used: U256,
        /// The transaction that held the operation, in the receipt's spelling.
        transaction_hash: Option<Word>,
    },
    /// The account's call reverted. The operation was paid for, and its nonce is used.
    Failed {
        /// The amount that was paid, in wei.
        actual_gas_cost: U256,
        /// The gas that was paid for.
        actual_gas_used: U256,
        /// The transaction that held the operation, in the receipt's spelling.
        transaction_hash: Option<Word>,
        /// The reason; absent if the bundler gives none.
        reason: Option<RevertReason>,
    },
    /// The receipt is for another operation.
    Other,
}

/// An outcome, by its name.
static OUTCOME: Choice = Choice {
    key: "outcome",
    tag: Is::Tag,
    tables: &[("succeeded", &SUCCEEDED), ("failed", &FAILED), ("other", &OTHER)],
    expected: "",
    unknown: "",
    said: Said::new(
        "What a receipt says about an operation: `{outcome, actualGasCost, actualGasUsed, transactionHash?, reason?}` in \
         JSON, where amounts are decimals.",
    ),
};

const fn named(name: &'static &'static str) -> Row {
    Row::plain("outcome", Is::Constant(name), "The outcome of the operation.")
}

const COST: Row =
    Row::plain("actualGasCost", String::IS, "The amount that was paid, in wei, as a decimal.");
const USED: Row =
    Row::plain("actualGasUsed", String::IS, "The gas that was paid for, as a decimal.");
const HASH: Row = Row::of::<Option<Word>>(
    "transactionHash",
    "The transaction that held the operation, in the receipt's spelling.",
);

static SUCCEEDED: Table = Table {
    rows: &[named(&"succeeded"), COST, USED, HASH],
    ..Table::answer("The account's call succeeded.")
};

static FAILED: Table = Table {
    rows: &[
        named(&"failed"),
        COST,
        USED,
        HASH,
        Row::of::<Option<RevertReason>>("reason", "The reason; absent if the bundler gives none."),
    ],
    ..Table::answer(
        "The account's call reverted. The operation was paid for, and its nonce is used.",
    )
};

static OTHER: Table =
    Table { rows: &[named(&"other")], ..Table::answer("The receipt is for another operation.") };

impl Shown for UserOpOutcome {
    const SHAPE: Is = Is::Choice(&OUTCOME);

    fn record(self) -> Record {
        let paid = |table, cost: U256, used: U256, hash: Option<Word>| {
            Record::of(table).with(FeeAmount::from(cost)).with(FeeAmount::from(used)).with(hash)
        };
        match self {
            Self::Succeeded { actual_gas_cost, actual_gas_used, transaction_hash } => {
                paid(&SUCCEEDED, actual_gas_cost, actual_gas_used, transaction_hash)
            }
            Self::Failed { actual_gas_cost, actual_gas_used, transaction_hash, reason } => {
                paid(&FAILED, actual_gas_cost, actual_gas_used, transaction_hash).with(reason)
            }
            Self::Other => Record::of(&OTHER),
        }
    }
}

traits!(UserOpOutcome: write, serialize, schema);

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
        assert_eq!(
            issues(&receipt("false", r#","reason":5"#)),
            [("reason".into(), IssueCode::Type)]
        );
        assert!(outcome(&receipt("false", r#","reason":"0xAB""#)).ends_with(r#""text":"0xAB"}}"#));
    }

    #[test]
    fn every_problem_of_a_receipt_is_reported() {
        assert_eq!(issues("null"), [("".into(), IssueCode::Type)]);
        assert_eq!(
            issues(
                r#"{"userOpHash":"0x12","success":"yes","actualGasCost":100,"receipt":{"transactionHash":null}}"#
            ),
            [
                ("userOpHash".into(), IssueCode::Format),
                ("success".into(), IssueCode::Type),
                ("actualGasCost".into(), IssueCode::Type),
                ("actualGasUsed".into(), IssueCode::Missing),
                ("receipt.transactionHash".into(), IssueCode::Type),
            ]
        );

        assert_eq!(
            issues(&receipt("true", r#","receipt":null"#)),
            [("receipt".into(), IssueCode::Type)]
        );
    }
}
