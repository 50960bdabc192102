//! Raw transactions.

use alloc::vec::Vec;

use serde::Serialize;

use super::parameter::{Parameter, parameters};
use super::{CallArgument, ContractCall, Move, MoveArgument};
use crate::abi::{Reader, Value};
use crate::document::{Compare, Differ, Node, Read, Write, document, from_document, schema, undivided};
use crate::error::{Error, IssueCode, Issues, Path};
use crate::value::{Address, Amount, ChainId, HexBytes, Quantity, fill};

document! {
    /// Raw transactions of the caller: the `details` of `RAW_TRANSACTION`.
    ///
    /// ```
    /// use sendoff::intent::RawTransaction;
    ///
    /// let error = r#"{"caip2Id":"eip155:137","transactions":[]}"#.parse::<RawTransaction>().unwrap_err();
    /// assert_eq!(error.issues()[0].path, "transactions");
    /// ```
    pub struct RawTransaction: "the details of a raw transaction, an object" {
        /// The chain on which the transactions are executed.
        "caip2Id" => pub caip2_id: ChainId,
        /// The transactions, in the order of execution.
        "transactions" => pub transactions: Transactions,
    }
}

document! {
    /// One transaction of an EVM chain. In call data it is compact JSON with its keys in this order.
    ///
    /// ```
    /// use sendoff::intent::Transaction;
    ///
    /// let transaction: Transaction = r#"{
    ///     "from": "0xA1B9eBBf597F3B8a18C543d3bE3253C73524D564", "to": "0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2",
    ///     "data": "0x", "value": "0x0"
    /// }"#.parse()?;
    /// assert!(transaction.data.is_empty());
    /// # Ok::<(), sendoff::error::Error>(())
    /// ```
    pub struct Transaction: "a transaction, an object of `data`, `from`, `to` and `value`" {
        /// The call data of the transaction.
        "data" => pub data: HexBytes,
        /// The sender: the user's wallet on this chain.
        "from" => pub from: Address,
        /// The account or contract that is called.
        "to" => pub to: Address,
        /// The native token that is sent along, in wei.
        "value" => pub value: Quantity,
    }
}

parameters!(RawTransaction: caip2_id, transactions);

impl RawTransaction {
    pub(super) fn moves(&self, _: &Address) -> Vec<Move> {
        self.transactions.as_slice().iter().map(Transaction::as_move).collect()
    }
}

impl Transaction {
    /// A transaction without data only moves the native token. A call with bytes after its arguments counts as unknown.
    pub(super) fn as_move(&self) -> Move {
        let (from, to, value) = (self.from.to_checksummed(), self.to.to_checksummed(), self.value);
        match (Amount::try_from(value.value()), ContractCall::decode(self.data.as_slice())) {
            (Ok(amount), _) if self.data.is_empty() => Move::Native { from, to, amount },
            (_, Some((call, []))) => {
                let argument =
                    |(name, value): (&str, &CallArgument)| MoveArgument { name: name.into(), value: value.to_text() };
                let arguments = call.arguments().map(argument).collect();
                Move::Function { from, to, value, function: call.signature().into(), arguments }
            }
            _ => Move::Call { from, to, value, data: self.data.clone() },
        }
    }

    /// Parses a transaction from compact JSON, with its keys in any order.
    fn from_compact_json(json: &[u8]) -> Option<Self> {
        let text = core::str::from_utf8(json).ok()?;
        let mut issues = Issues::default();
        let node = Node::parse(text, &Path::Root, &mut issues)?;
        // The tree, written again, must be the same text: no white space, no escapes.
        let transaction = Self::read(&node, &Path::Root, &mut issues).filter(|_| node.to_json() == text);
        issues.or(transaction).ok()
    }
}

/// One to 1,000 transactions.
///
/// ```
/// use sendoff::intent::Transactions;
///
/// assert!(Transactions::new(vec![]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Transactions {
    list: Vec<Transaction>,
}

impl Transactions {
    /// The largest number of transactions in one intent.
    pub const MAX: usize = 1000;

    /// The transactions.
    ///
    /// # Errors
    ///
    /// `range` for an empty list, or for too many.
    pub fn new(list: Vec<Transaction>) -> Result<Self, Error> {
        let mut issues = Issues::default();
        Self::check(list.len(), &Path::Root, &mut issues);
        issues.or(Some(Self { list }))
    }

    /// The transactions in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Transaction] {
        &self.list
    }

    fn check(count: usize, at: &Path<'_>, issues: &mut Issues) {
        if !(1..=Self::MAX).contains(&count) {
            issues.push(at, IssueCode::Range, fill("expected {}, found {}", &[&Self::EXPECTED, &count]));
        }
    }
}

impl Read for Transactions {
    const EXPECTED: &'static str = "an array of 1 to 1000 transactions";

    undivided!();

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let Node::List(items) = &node else { return Self::mistyped(node, at, issues) };
        Self::check(items.len(), at, issues);
        Vec::read(node, at, issues).and_then(|list| Self::new(list).ok())
    }
}

impl Write for Transactions {
    fn write(&self, out: &mut Vec<u8>) {
        self.list.write(out);
    }
}

impl Compare for Transactions {
    fn compare(expected: &Option<Self>, found: &Self, at: &Path<'_>, differ: Differ<'_>) {
        // Compared as a list: the clone is made only if something differs.
        if let Some(expected) = expected.as_ref().filter(|expected| *expected != found) {
            Vec::compare(&Some(expected.list.clone()), &found.list, at, differ);
        }
    }
}

from_document!(Transactions);

impl Parameter for Transactions {
    const TYPE: &'static str = "bytes[]";

    fn encode(&self) -> Value<'_> {
        Value::List(self.list.iter().map(|transaction| Value::Json(transaction)).collect())
    }

    fn decode(tuple: &mut Reader<'_>) -> Option<Self> {
        let (count, mut items) = tuple.list();
        let mut list = Vec::new();
        for _ in 0..count {
            let (json, at) = items.bytes();
            let Some(transaction) = Transaction::from_compact_json(json) else {
                tuple.flaw().keep(at, "a transaction in compact JSON");
                return None;
            };
            list.push(transaction);
        }
        let transactions = Self::new(list).ok();
        if transactions.is_none() {
            tuple.before("the offset of an array of 1 to 1000 transactions");
        }
        tuple.resume(&items);
        transactions
    }
}

schema::of!(Transactions, |generator| {
    let transaction = generator.subschema_for::<Transaction>();
    schemars::json_schema!({
        "type": "array",
        "description": Self::EXPECTED,
        "items": transaction,
        "minItems": 1,
        "maxItems": Self::MAX,
    })
});
