//! Transactions as the caller made them.

use alloc::{format, vec::Vec};

use serde::Serialize;

use crate::document::{Node, Read, document, schema};
use crate::error::{Code, Issues, Path};
use crate::value::{Address, ChainId, HexBytes, Quantity};

document! {
    /// Transactions that the caller made: the `details` of `RAW_TRANSACTION`.
    ///
    /// ```
    /// use sendoff::intent::RawTransaction;
    ///
    /// let error = r#"{"caip2Id":"eip155:137","transactions":[]}"#.parse::<RawTransaction>().unwrap_err();
    /// assert_eq!(error.issues()[0].path, "transactions");
    /// ```
    pub struct RawTransaction: "the details of a raw transaction, an object" {
        /// The chain on which they run.
        "caip2Id" => caip2_id: ChainId,
        /// The transactions, in the order in which they run.
        "transactions" => transactions: Transactions,
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
        "data" => data: HexBytes,
        /// The sender: the user's wallet on this chain.
        "from" => from: Address,
        /// The account or contract that is called.
        "to" => to: Address,
        /// The native token sent along, in wei.
        "value" => value: Quantity,
    }
}

/// One to 1,000 transactions.
///
/// ```
/// use sendoff::intent::Transactions;
///
/// assert!(Transactions::new(vec![]).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Transactions {
    list: Vec<Transaction>,
}

impl Transactions {
    /// The most that one intent can hold.
    pub const MAX: usize = 1000;

    /// The transactions; none where there are none, or too many.
    #[must_use]
    pub fn new(list: Vec<Transaction>) -> Option<Self> {
        (1..=Self::MAX).contains(&list.len()).then_some(Self { list })
    }

    /// The transactions in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Transaction] {
        &self.list
    }
}

impl Read for Transactions {
    const EXPECTED: &'static str = "an array of 1 to 1000 transactions";

    fn read(node: &Node<'_>, at: &Path<'_>, issues: &mut Issues) -> Option<Self> {
        let Node::List(items) = &node else { return Self::mistyped(node, at, issues) };
        let count = items.len();
        if !(1..=Self::MAX).contains(&count) {
            issues.push(at, Code::Range, format!("expected {}, found {count}", Self::EXPECTED));
        }
        Vec::read(node, at, issues).and_then(Self::new)
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
