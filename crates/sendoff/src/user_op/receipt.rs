//! The receipt of a user operation: whether it happened, what it cost, and why it failed.
//!
//! Source: ERC-7769 (`eth_getUserOperationReceipt`), the Solidity documentation (`Error`, `Panic`),
//! the EntryPoint contracts 0.7 to 0.9 (`FailedOp`, `FailedOpWithRevert`, `PostOpReverted`).

use alloc::string::String;

use primitive_types::U256;

use super::{RevertReason, revert_reason};
use crate::document::{
    Is, Kind, Others, Presence, Row, Table, Typed, Value, by_value, from_document, made, schema,
};
use crate::error::{IssueCode, Issues, Path, Wanted};
use crate::value::{FeeAmount, Quantity, Word};

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
        made(outcome_of(&self.to_value(), hash))
    }
}

/// A receipt. Other fields are ignored.
static RECEIPT: Table = Table {
    expected: "a receipt of a user operation, an object",
    rows: &[
        Row::of::<Word>("userOpHash"),
        Row::of::<bool>("success"),
        Row::of::<Quantity>("actualGasCost"),
        Row::of::<Quantity>("actualGasUsed"),
        Row { key: "receipt", is: Is::Record(&TRANSACTION), presence: Presence::Optional },
        Row { key: "reason", is: Is::Nullable(&REASON), presence: Presence::IfNot(&"success") },
    ],
    others: Others::Ignored,
    check: Some(check_receipt),
    ..Table::NONE
};

/// The receipt of the transaction that held the operation.
static TRANSACTION: Table = Table {
    expected: "the receipt of a transaction, an object",
    rows: &[Row::of::<Option<Word>>("transactionHash"), Row::of::<Option<Quantity>>("status")],
    others: Others::Ignored,
    ..Table::NONE
};

static REASON: Is = Is::Text(&Kind {
    wanted: &Wanted { words: "hex bytes, text or null", kind: "" },
    read: |text| Ok(Value::Text(text.into())),
});

/// An operation cannot succeed in a transaction that reverted.
fn check_receipt(receipt: &Value, at: &Path<'_>, issues: &mut Issues) {
    let status = receipt.field("receipt").field("status");
    if *receipt.field("success") == Value::Flag(true)
        && status.number().is_some_and(|status| status.is_zero())
    {
        let message = "expected another status than `0x0` beside `success: true`, found `0x0`";
        let receipt = Path::Field(at, "receipt");
        issues.push(&Path::Field(&receipt, "status"), IssueCode::Rule, message.into());
    }
}

impl Typed for UserOpReceipt {
    const IS: Is = Is::Record(&RECEIPT);

    fn of_value(value: Value) -> Option<Self> {
        let mut fields = value.into_fields()?;
        let (user_op_hash, success) =
            (Typed::of_value(fields.take())?, Typed::of_value(fields.take())?);
        let (actual_gas_cost, actual_gas_used) =
            (Typed::of_value(fields.take())?, Typed::of_value(fields.take())?);

        let (transaction_hash, status) = match fields.take() {
            Value::Absent => (None, None),
            transaction => {
                let mut fields = transaction.into_fields()?;
                (Typed::of_value(fields.take())?, Typed::of_value(fields.take())?)
            }
        };
        let reason = Typed::of_value(fields.take())?;
        Some(Self {
            user_op_hash,
            success,
            actual_gas_cost,
            actual_gas_used,
            transaction_hash,
            status,
            reason,
        })
    }

    fn into_value(self) -> Value {
        let Self {
            user_op_hash,
            success,
            actual_gas_cost,
            actual_gas_used,
            transaction_hash,
            status,
            reason,
        } = self;
        let transaction = if transaction_hash.is_some() || status.is_some() {
            Value::Record(
                alloc::vec![transaction_hash.into_value(), status.into_value()],
                &TRANSACTION,
            )
        } else {
            Value::Absent
        };

        let values = alloc::vec![
            user_op_hash.into_value(),
            success.into_value(),
            actual_gas_cost.into_value(),
            actual_gas_used.into_value(),
            transaction,
            reason.into_value(),
        ];
        Value::Record(values, &RECEIPT)
    }
}

by_value!(UserOpReceipt);
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
    if let Some(properties) =
        receipt.get_mut("properties").and_then(serde_json::Value::as_object_mut)
    {
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
        #[cfg_attr(
            feature = "schema",
            schemars(with = "Word", skip_serializing_if = "Option::is_none")
        )]
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
        #[cfg_attr(
            feature = "schema",
            schemars(with = "Word", skip_serializing_if = "Option::is_none")
        )]
        transaction_hash: Option<Word>,
        /// The reason; absent if the bundler gives none.
        #[cfg_attr(
            feature = "schema",
            schemars(with = "RevertReason", skip_serializing_if = "Option::is_none")
        )]
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

static OUTCOME: Table = Table {
    rows: &[
        Row::of::<String>("outcome"),
        Row::of::<FeeAmount>("actualGasCost"),
        Row::of::<FeeAmount>("actualGasUsed"),
        Row::of::<Option<Word>>("transactionHash"),
        Row::of::<Option<RevertReason>>("reason"),
    ],
    ..Table::NONE
};

/// Returns what the value of a receipt says about the operation with this hash.
pub(crate) fn outcome_of(receipt: &Value, hash: Word) -> Value {
    if *receipt.field("userOpHash") != Value::Word(hash) {
        let values =
            [Value::Keyword("other"), Value::Absent, Value::Absent, Value::Absent, Value::Absent];
        return Value::Record(values.into(), &OUTCOME);
    }

    let [cost, used] = ["actualGasCost", "actualGasUsed"].map(|key| amount(receipt.field(key)));
    let transaction = match receipt.field("receipt").field("transactionHash") {
        Value::Unread => Value::Absent,
        hash => hash.clone(),
    };
    let values = if *receipt.field("success") == Value::Flag(true) {
        alloc::vec![Value::Keyword("succeeded"), cost, used, transaction, Value::Absent]
    } else {
        let reason = revert_reason::read(receipt.field("reason").as_text());
        alloc::vec![Value::Keyword("failed"), cost, used, transaction, reason]
    };
    Value::Record(values, &OUTCOME)
}

/// A quantity as a decimal.
fn amount(quantity: &Value) -> Value {
    Value::FeeAmount(quantity.number().unwrap_or_default().into())
}

impl Typed for UserOpOutcome {
    const IS: Is = Is::Record(&OUTCOME);

    fn of_value(value: Value) -> Option<Self> {
        let mut fields = value.into_fields()?;
        let outcome = fields.take();
        if outcome.as_text() == "other" {
            return Some(Self::Other);
        }

        let mut amount = || FeeAmount::of_value(fields.take()).map(|amount| amount.value());
        let (actual_gas_cost, actual_gas_used) = (amount()?, amount()?);
        let (transaction_hash, reason) =
            (Typed::of_value(fields.take())?, Typed::of_value(fields.take())?);
        Some(if outcome.as_text() == "succeeded" {
            Self::Succeeded { actual_gas_cost, actual_gas_used, transaction_hash }
        } else {
            Self::Failed { actual_gas_cost, actual_gas_used, transaction_hash, reason }
        })
    }

    fn into_value(self) -> Value {
        let amount = |amount: U256| Value::FeeAmount(amount.into());
        let values = match self {
            Self::Succeeded { actual_gas_cost, actual_gas_used, transaction_hash } => [
                Value::Keyword("succeeded"),
                amount(actual_gas_cost),
                amount(actual_gas_used),
                transaction_hash.into_value(),
                Value::Absent,
            ],
            Self::Failed { actual_gas_cost, actual_gas_used, transaction_hash, reason } => [
                Value::Keyword("failed"),
                amount(actual_gas_cost),
                amount(actual_gas_used),
                transaction_hash.into_value(),
                reason.into_value(),
            ],
            Self::Other => [
                Value::Keyword("other"),
                Value::Absent,
                Value::Absent,
                Value::Absent,
                Value::Absent,
            ],
        };

        Value::Record(values.into(), &OUTCOME)
    }
}

by_value!(UserOpOutcome);

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
