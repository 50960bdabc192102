//! The receipt of a user operation: whether it happened, what it cost, and why it failed.
//!
//! Source: ERC-7769 (`eth_getUserOperationReceipt`), and the receipts that bundlers and libraries
//! answer. The operation's hash and `success` decide. What else there is differs between them, and
//! is read where it can be.

use alloc::{string::String, vec::Vec};

use primitive_types::U256;

use super::RevertReason;
use crate::document::{
    Field, Fields, Integer, Is, Kind, MAX_SAFE, Node, Parts, Presence, Record, Row, Typed, Valued,
    choice, document, to_json, traits,
};
use crate::error::{IssueCode, Issues, Path, Wanted};
use crate::value::{FeeAmount, Opaque, ParseError, Text as _, Word, keyword};

document! {
    /// A receipt as a bundler's `eth_getUserOperationReceipt` answers, or a library. Other fields are ignored.
    ///
    /// Only `userOpHash` and `success` are required. An operation cannot succeed in a transaction that reverted.
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
    pub struct UserOpReceipt: "a receipt of a user operation, an object", open Ignored, checked by check_receipt, refined by status_of_success {
        /// The hash of the operation.
        "userOpHash" => pub user_op_hash: Word,
        /// `false` if the account's call reverted; a boolean, or its text.
        "success" => pub success: bool => SUCCESS,
        /// The amount that was paid, in wei: a quantity, with leading zeros or without, a decimal text or an integer.
        "actualGasCost" => pub actual_gas_cost: Reported<U256>,
        /// The gas that was paid for, as `actualGasCost`.
        "actualGasUsed" => pub actual_gas_used: Reported<U256>,
        /// The receipt of the transaction. Other fields are ignored.
        "receipt" => pub receipt: Reported<TransactionReceipt>,
        /// The reason why the operation failed: the bytes of the revert in hex, or text.
        "reason" => pub reason: Reported<String>,
    }
}

document! {
    /// The receipt of the transaction that held an operation. Other fields are ignored.
    ///
    /// ```
    /// use sendoff::user_op::{Reported, TransactionReceipt, TransactionStatus};
    ///
    /// let receipt: TransactionReceipt = r#"{"status":"0x1","blockNumber":"0x7"}"#.parse()?;
    /// assert_eq!(receipt.status, Reported::Read(TransactionStatus::Success));
    /// assert_eq!(receipt.transaction_hash, Reported::Absent);
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct TransactionReceipt: "the receipt of a transaction, an object", open Ignored {
        /// The transaction that held the operation.
        "transactionHash" => pub transaction_hash: Reported<Word>,
        /// The status of the transaction: 0 or `reverted` if it reverted, 1 or `success`.
        "status" => pub status: Reported<TransactionStatus>,
    }
}

/// A part of a receipt that does not decide the outcome.
///
/// ```
/// use sendoff::user_op::{Reported, TransactionReceipt};
///
/// let receipt: TransactionReceipt = r#"{"transactionHash":"pending"}"#.parse()?;
/// assert!(matches!(receipt.transaction_hash, Reported::Unread(text) if text.as_str() == r#""pending""#));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reported<T> {
    /// It is absent or null.
    #[default]
    Absent,
    /// What it says.
    Read(T),
    /// It says nothing that is known.
    Unread(Opaque),
}

/// Whether a transaction was executed.
///
/// ```
/// use sendoff::user_op::{TransactionReceipt, TransactionStatus};
///
/// let receipt: TransactionReceipt = r#"{"status":"reverted"}"#.parse()?;
/// assert_eq!(receipt.status.read(), Some(&TransactionStatus::Reverted));
/// # Ok::<(), sendoff::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransactionStatus {
    /// It was executed: 1, a quantity of 1, or `success`.
    Success,
    /// It reverted as a whole: 0, a quantity of 0, or `reverted`.
    Reverted,
}

keyword! {
    /// The place of a part that is in a receipt and says nothing that is known.
    ///
    /// ```
    /// use sendoff::user_op::UnreadPart;
    ///
    /// assert_eq!(UnreadPart::Reason.as_str(), "receipt.reason");
    /// ```
    pub enum UnreadPart: "a part of a receipt, such as `receipt.reason`" {
        /// The amount that was paid.
        "receipt.actualGasCost" => ActualGasCost,
        /// The gas that was paid for.
        "receipt.actualGasUsed" => ActualGasUsed,
        /// The receipt of the transaction.
        "receipt.receipt" => Receipt,
        /// The transaction that held the operation.
        "receipt.receipt.transactionHash" => TransactionHash,
        /// The status of the transaction.
        "receipt.receipt.status" => Status,
        /// The reason why the operation failed.
        "receipt.reason" => Reason,
    }
}

impl UserOpReceipt {
    /// Returns what this receipt says about the operation with this hash.
    #[must_use]
    pub fn outcome(&self, hash: Word) -> UserOpOutcome {
        if self.user_op_hash != hash {
            return UserOpOutcome::Other;
        }

        let transaction = self.receipt.read();
        let transaction_hash = transaction.map(|receipt| &receipt.transaction_hash);
        let status = transaction.map(|receipt| &receipt.status);

        let parts = [
            (UnreadPart::ActualGasCost, self.actual_gas_cost.is_unread()),
            (UnreadPart::ActualGasUsed, self.actual_gas_used.is_unread()),
            (UnreadPart::Receipt, self.receipt.is_unread()),
            (UnreadPart::TransactionHash, transaction_hash.is_some_and(Reported::is_unread)),
            (UnreadPart::Status, status.is_some_and(Reported::is_unread)),
            (UnreadPart::Reason, !self.success && self.reason.is_unread()),
        ];
        let unread = parts.into_iter().filter(|(_, is_unread)| *is_unread);
        let unread: Vec<_> = unread.map(|(part, _)| part).collect();
        let unread = (!unread.is_empty()).then_some(unread);
        let actual_gas_cost = self.actual_gas_cost.read().copied().map(FeeAmount::from);
        let actual_gas_used = self.actual_gas_used.read().copied().map(FeeAmount::from);
        let transaction_hash = transaction_hash.and_then(Reported::read).copied();

        if self.success {
            UserOpOutcome::Succeeded { actual_gas_cost, actual_gas_used, transaction_hash, unread }
        } else {
            let reason = self.reason.read().and_then(|reason| RevertReason::read(reason));
            UserOpOutcome::Failed {
                actual_gas_cost,
                actual_gas_used,
                transaction_hash,
                reason,
                unread,
            }
        }
    }
}

impl<T> Reported<T> {
    /// What it says, if it could be read.
    #[must_use]
    pub const fn read(&self) -> Option<&T> {
        if let Self::Read(value) = self { Some(value) } else { None }
    }

    /// `true` if it is there and could not be read.
    #[must_use]
    pub const fn is_unread(&self) -> bool {
        matches!(self, Self::Unread(_))
    }
}

/// A type that a part can say.
pub(crate) trait Says: Sized {
    /// What the part says; `None` if it is nothing that is known.
    fn read(node: &Node<'_>) -> Option<Self>;

    fn to_json(&self) -> String;
}

impl<T: Typed> Says for T {
    fn read(node: &Node<'_>) -> Option<Self> {
        node.read()
    }

    fn to_json(&self) -> String {
        to_json(self)
    }
}

impl Says for U256 {
    fn read(node: &Node<'_>) -> Option<Self> {
        if let Some(text) = node.as_text() {
            quantity(text).unwrap_or_else(|| FeeAmount::parse(text).ok().map(|fee| fee.value()))
        } else {
            let Integer(number) = node.read::<Integer<0, MAX_SAFE>>()?;
            Some(number.unsigned_abs().into())
        }
    }

    fn to_json(&self) -> String {
        to_json(&FeeAmount::from(*self))
    }
}

/// The number of a quantity, with leading zeros or without; `None` for text without `0x`.
fn quantity(text: &str) -> Option<Option<U256>> {
    let digits = text.strip_prefix("0x")?;
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Some(None);
    }

    let significant = digits.trim_start_matches('0');
    let significant = if significant.is_empty() { "0" } else { significant };
    Some(U256::from_str_radix(significant, 16).ok())
}

impl Says for TransactionStatus {
    fn read(node: &Node<'_>) -> Option<Self> {
        match node.as_text() {
            Some("reverted") => return Some(Self::Reverted),
            Some("success") => return Some(Self::Success),
            Some(text) if !text.starts_with("0x") => return None,
            _ => {}
        }
        match u64::try_from(<U256 as Says>::read(node)?) {
            Ok(0) => Some(Self::Reverted),
            Ok(1) => Some(Self::Success),
            _ => None,
        }
    }

    fn to_json(&self) -> String {
        to_json(if *self == Self::Success { &"success" } else { &"reverted" })
    }
}

/// `true` or `false`, or the text of it.
const SUCCESS: Row = Row::plain("", Is::FlagOr(&FLAG), "");

static FLAG: Kind = Kind {
    wanted: Wanted { words: "true or false", kind: "" },
    read: |text| match text {
        "true" => Ok(true.to_value()),
        "false" => Ok(false.to_value()),
        _ => Err(ParseError::FORMAT),
    },
    ..Kind::TEXT
};

fn reported<T: Says>(json: Opaque) -> Reported<T> {
    match Node::parse(json.as_str(), &Path::Root, &mut Issues::default()) {
        Some(Node::Null) => Reported::Absent,
        node => {
            let read = node.as_ref().and_then(T::read);
            read.map_or_else(|| Reported::Unread(json), Reported::Read)
        }
    }
}

impl<T: Says> Valued for Reported<T> {
    const IS: Is = Is::Json;

    fn record(&self) -> Record {
        match self {
            Self::Absent => Record::absent(),
            Self::Read(value) => Record::alone(&Opaque::of(&value.to_json())),
            Self::Unread(json) => Record::alone(json),
        }
    }

    fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<T: Says> Typed for Reported<T> {
    const PRESENCE: Presence = Presence::Optional;

    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        fields.next().map(|json: Option<Opaque>| json.map_or(Self::Absent, reported))
    }
}

#[cfg(feature = "schema")]
impl<T> schemars::JsonSchema for Reported<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Reported".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::Schema::default()
    }
}

const SUCCESS_FIELD: Field<UserOpReceipt, bool> = Field::of("success");
const RECEIPT: Field<UserOpReceipt, Reported<TransactionReceipt>> = Field::of("receipt");
const STATUS_FIELD: Field<TransactionReceipt, Reported<TransactionStatus>> = Field::of("status");

/// An operation cannot succeed in a transaction that reverted.
fn check_receipt(receipt: Parts<'_, UserOpReceipt>, at: &Path<'_>, issues: &mut Issues) {
    let transaction = receipt.get(RECEIPT);
    let transaction = transaction.as_ref().and_then(Reported::read);
    let status = transaction.and_then(|transaction| transaction.status.read());
    if status == Some(&TransactionStatus::Reverted) && receipt.get(SUCCESS_FIELD) == Some(true) {
        let message = "expected a status of success beside `success: true`, found that of a revert";
        let receipt = Path::Field(at, RECEIPT.path());
        issues.push(&Path::Field(&receipt, STATUS_FIELD.path()), IssueCode::Rule, message.into());
    }
}

/// The rule of [`check_receipt`] in a schema.
#[cfg(feature = "schema")]
fn status_of_success(mut schema: schemars::Schema) -> schemars::Schema {
    let reverted =
        serde_json::json!([{ "enum": [0, "reverted"] }, { "type": "string", "pattern": "^0x0+$" }]);
    let receipt = serde_json::json!({
        "type": "object",
        "properties": { "status": { "anyOf": reverted } },
        "required": ["status"],
    });
    let contradiction = serde_json::json!({
        "properties": { "success": { "enum": [true, "true"] }, "receipt": receipt },
        "required": ["success", "receipt"],
    });
    schema.insert("not".into(), contradiction);
    schema
}

choice! {
    /// What a receipt says about an operation: `{outcome, actualGasCost?, actualGasUsed?, transactionHash?, reason?, unread?}` in
    /// JSON, where amounts are decimals.
    ///
    /// ```
    /// use sendoff::user_op::UserOpOutcome;
    ///
    /// let spent = |outcome: &UserOpOutcome| match outcome {
    ///     UserOpOutcome::Succeeded { actual_gas_cost, .. } | UserOpOutcome::Failed { actual_gas_cost, .. } => *actual_gas_cost,
    ///     UserOpOutcome::Other => None,
    /// };
    /// assert_eq!(spent(&UserOpOutcome::Other), None);
    /// ```
    pub enum UserOpOutcome: "an outcome, an object with `outcome`",
        "outcome" of "" "`succeeded`, `failed` or `other`": "The outcome of the operation.", open Ignored
    {
        /// The account's call succeeded.
        "succeeded" => Succeeded {
            /// The amount that was paid, in wei, as a decimal; absent if the receipt does not say it.
            "actualGasCost" => actual_gas_cost: Option<FeeAmount>,
            /// The gas that was paid for, as a decimal; absent if the receipt does not say it.
            "actualGasUsed" => actual_gas_used: Option<FeeAmount>,
            /// The transaction that held the operation, in the receipt's spelling.
            "transactionHash" => transaction_hash: Option<Word>,
            /// The parts that are in the receipt and could not be read; absent if there are none.
            "unread" => unread: Option<Vec<UnreadPart>>,
        },
        /// The account's call reverted. The operation was paid for, and its nonce is used.
        "failed" => Failed {
            /// The amount that was paid, in wei, as a decimal; absent if the receipt does not say it.
            "actualGasCost" => actual_gas_cost: Option<FeeAmount>,
            /// The gas that was paid for, as a decimal; absent if the receipt does not say it.
            "actualGasUsed" => actual_gas_used: Option<FeeAmount>,
            /// The transaction that held the operation, in the receipt's spelling.
            "transactionHash" => transaction_hash: Option<Word>,
            /// The reason; absent if the bundler gives none.
            "reason" => reason: Option<RevertReason>,
            /// The parts that are in the receipt and could not be read; absent if there are none.
            "unread" => unread: Option<Vec<UnreadPart>>,
        },
        /// The receipt is for another operation.
        "other" => Other,
    }
}

traits!(UserOpOutcome: read, serialize, schema);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::to_json;
    use alloc::format;

    /// Vectors have the others.
    #[test]
    fn amounts_are_read_in_every_form() {
        const HASH: &str = "0x2941e29d31ed4583cf2b19591d761fe3212307d5d3b7d7133b3121caca712beb";

        let zeros = "0".repeat(100);
        let padded = format!(r#""0x{zeros}{}""#, "f".repeat(64));
        let beyond = format!(r#""0x1{zeros}""#);
        for (text, number) in [
            (r#""0x0""#, Some("0")),
            (r#""0""#, Some("0")),
            (&*padded, Some(&*crate::value::decimal(U256::MAX))),
            ("9007199254740991", Some("9007199254740991")),
            (&*beyond, None),
            (r#""0X1""#, None),
            (r#""0x_1""#, None),
            (r#""+1""#, None),
            (r#""1e3""#, None),
        ] {
            let receipt =
                format!(r#"{{"userOpHash":"{HASH}","success":true,"actualGasCost":{text}}}"#);
            let receipt: UserOpReceipt = receipt.parse().unwrap();
            let rest = number.map_or(r#""unread":["receipt.actualGasCost"]"#.into(), |number| {
                format!(r#""actualGasCost":"{number}""#)
            });
            let outcome = format!(r#"{{"outcome":"succeeded",{rest}}}"#);
            assert_eq!(to_json(&receipt.outcome(HASH.parse().unwrap())), outcome, "{text}");
        }
    }
}
