//! Raw transactions.

use alloc::vec::Vec;

use super::details::Details;
use super::moves::of_transaction;
use crate::document::{Count, Is, Typed, Value, document, traits};
use crate::error::{Error, Issues, Path};
use crate::value::{Address, ChainId, HexBytes, Quantity};

document! {
    /// Raw transactions of the caller: the `details` of `RAW_TRANSACTION`.
    ///
    /// ```
    /// use sendoff::intent::RawTransaction;
    ///
    /// let error = r#"{"caip2Id":"eip155:137","transactions":[]}"#.parse::<RawTransaction>().unwrap_err();
    /// assert_eq!(error.issues()[0].path, "transactions");
    /// ```
    pub struct RawTransaction: "the details of a raw transaction, an object", details of "RAW_TRANSACTION" {
        /// The chain on which the transactions are executed.
        "caip2Id" => pub caip2_id: ChainId,
        /// The transactions, in the order of execution.
        "transactions" => pub transactions: Transactions,
    }
}

pub(super) static DETAILS: Details = Details {
    table: RawTransaction::TABLE,
    parameters: &[("caip2Id", "string"), ("transactions", "bytes[]")],
    moves: |details, _| details.field("transactions").items().iter().map(of_transaction).collect(),
};

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

/// One to 1,000 transactions.
///
/// ```
/// use sendoff::intent::Transactions;
///
/// assert!(Transactions::new(vec![]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
        COUNT.check(list.len(), &Path::Root, &mut issues);
        issues.or(Some(Self { list }))
    }

    /// The transactions in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Transaction] {
        &self.list
    }
}

/// A list that can hold no transaction, or too many, says nothing about those that it holds.
static COUNT: Count = Count {
    item: &Transaction::IS,
    least: 1,
    most: Transactions::MAX,
    expected: "an array of 1 to 1000 transactions",
    in_parts: false,
    is_first: true,
};

impl Typed for Transactions {
    const IS: Is = Is::Counted(&COUNT);

    fn of_value(value: Value) -> Option<Self> {
        Vec::of_value(value).map(|list| Self { list })
    }

    fn into_value(self) -> Value {
        self.list.into_value()
    }
}

traits!(Transactions: read, write, serialize, schema(|generator| {
    let transaction = generator.subschema_for::<Transaction>();
    schemars::json_schema!({
        "type": "array",
        "description": COUNT.expected,
        "items": transaction,
        "minItems": 1,
        "maxItems": Self::MAX,
    })
}));
