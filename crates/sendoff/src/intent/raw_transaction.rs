//! Raw transactions.

use alloc::vec::Vec;

use super::moves::function;
use super::{ContractCall, Details, Move};
use crate::abi::{self, Reader};
use crate::document::{
    Fields, Is, Items, Node, Read, Record, Typed, Valued, checked, document, to_json, traits,
};
use crate::error::{Error, Issues, Path};
use crate::value::{Address, Amount, ChainId, HexBytes, Quantity};

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

impl RawTransaction {
    /// Decodes the parameters; nothing after a flaw.
    pub(super) fn decode(tuple: &mut Reader<'_>) -> Option<Self> {
        Some(Self { caip2_id: tuple.text()?, transactions: Transactions::decode(tuple)? })
    }
}

impl Details for RawTransaction {
    fn encode(&self) -> Vec<abi::Item<'_>> {
        // Taken apart without `..`: a field that is no parameter does not compile.
        let Self { caip2_id, transactions: Transactions { list } } = self;
        let transactions = list.iter().map(|transaction| abi::Item::Json(transaction)).collect();
        alloc::vec![abi::Item::Text(caip2_id), abi::Item::List(transactions)]
    }

    fn moves(&self, _: &Address) -> Vec<Move> {
        self.transactions.list.iter().map(Transaction::to_move).collect()
    }
}

impl Transactions {
    fn decode(tuple: &mut Reader<'_>) -> Option<Self> {
        let (count, mut items) = tuple.list();
        let mut list = Vec::new();
        for _ in 0..count {
            let (json, at) = items.bytes();
            let transaction = compact(json);
            if transaction.is_none() {
                tuple.flaw().keep(at, "a transaction in compact JSON");
            }
            list.push(transaction?);
        }

        if !(1..=Self::MAX).contains(&count) {
            tuple.before("the offset of an array of 1 to 1000 transactions");
        }
        tuple.resume(&items);
        Some(Self { list })
    }
}

/// The transaction in compact JSON: the text that the writer makes of it.
fn compact(json: &[u8]) -> Option<Transaction> {
    let text = core::str::from_utf8(json).ok()?;
    let mut issues = Issues::default();
    let node = Node::parse(text, &Path::Root, &mut issues)?;
    let transaction = Transaction::read(&node, &Path::Root, &mut issues);
    // The tree, written again, must be the same text: no white space, no escapes.
    transaction.filter(|_| issues.is_empty() && to_json(&node) == text)
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
    pub struct Transaction: "a transaction, an object of `data`, `from`, `to` and `value`",
        listed as "an array of 1 to 1000 transactions"
    {
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

impl Transaction {
    /// The move of the transaction. One without data only moves the native token. A call with bytes after its arguments counts as
    /// unknown.
    fn to_move(&self) -> Move {
        let Self { data, from, to, value } = self;
        let (from, to) = (from.to_checksummed(), to.to_checksummed());
        if let Some((call, [])) = ContractCall::recognize(data.as_slice()) {
            return function(from, to, *value, &call);
        }

        match Amount::try_from(value.value()) {
            Ok(amount) if data.is_empty() => Move::Native { from, to, amount },
            _ => Move::Call { from, to, value: *value, data: data.clone() },
        }
    }
}

/// One to 1,000 transactions.
///
/// ```
/// use sendoff::intent::Transactions;
///
/// assert!(Transactions::new(vec![]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
        checked(Self { list })
    }

    /// The transactions in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Transaction] {
        &self.list
    }
}

impl Valued for Transactions {
    const IS: Is = <Items<Transaction, 1, { Self::MAX }>>::IS;

    fn record(&self) -> Record {
        Record::alone(&self.list)
    }
}

impl Typed for Transactions {
    fn of_fields(fields: &mut Fields<'_>) -> Option<Self> {
        fields.next().map(|list| Self { list })
    }
}

traits!(Transactions: read, serialize, schema(|generator| {
    let transaction = generator.subschema_for::<Transaction>();
    schemars::json_schema!({
        "type": "array",
        "description": Transaction::LIST,
        "items": transaction,
        "minItems": 1,
        "maxItems": Self::MAX,
    })
}));
