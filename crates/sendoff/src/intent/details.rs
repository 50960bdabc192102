//! The details of an intent: their form, their parameters in call data, and their moves.

use alloc::vec::Vec;

use super::{Transaction, Transactions};
use crate::abi::{self, Reader};
use crate::document::{Is, Node, Table, Value, read_value, to_json};
use crate::error::{Issues, Path};
use crate::value::{Amount, Text};

/// The row of an intent, in the file of its details.
pub(crate) struct Details {
    pub(super) table: &'static Table,
    /// The parameters in call data, a tuple in the order of the ABI: every field of the details, each with its type in Solidity.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    /// The moves of these details, in order, for the account of the user.
    pub(super) moves: fn(details: &Value, user: &Value) -> Vec<Value>,
}

impl Details {
    /// Fails to compile unless every field is a parameter once.
    pub(super) const fn check(&self) {
        assert!(self.table.is_list_of(self.parameters), "expected every field of the details once");
    }

    /// Returns the parameters of these details in order.
    pub(super) fn encode<'a>(&self, details: &'a Value) -> Vec<abi::Value<'a>> {
        let encoded = |(key, _): &(&str, &str)| match details.field(key) {
            Value::Amount(amount) => abi::Value::Uint(amount.value()),
            Value::List(items) => {
                abi::Value::List(items.iter().map(|item| abi::Value::Json(item)).collect())
            }
            text => abi::Value::Text(text),
        };
        self.parameters.iter().map(encoded).collect()
    }

    /// Decodes the details. After a flaw they have no meaning.
    pub(crate) fn decode(&self, whole: &mut Reader<'_>) -> Value {
        let mut tuple = whole.tuple(self.parameters.len());
        let mut details = self.table.empty();
        for (key, _) in self.parameters {
            if let Some((place, row)) =
                self.table.rows.iter().enumerate().find(|(_, row)| row.key == *key)
            {
                details.set(place, decode(&row.is, &mut tuple));
            }
        }
        whole.resume(&tuple);
        details
    }
}

fn decode(is: &Is, tuple: &mut Reader<'_>) -> Value {
    match is {
        Is::Text(kind) if kind.wanted.words == Amount::EXPECTED => {
            let amount = Amount::try_from(tuple.uint());
            if amount.is_err() {
                tuple.before("an amount above zero");
            }
            amount.map_or(Value::Unread, Value::Amount)
        }
        Is::Text(kind) => tuple.text(kind),
        _ => transactions(tuple),
    }
}

fn transactions(tuple: &mut Reader<'_>) -> Value {
    let (count, mut items) = tuple.list();
    let mut list = Vec::new();

    for _ in 0..count {
        let (json, at) = items.bytes();
        let Some(transaction) = compact(json) else {
            tuple.flaw().keep(at, "a transaction in compact JSON");
            return Value::Unread;
        };
        list.push(transaction);
    }

    if !(1..=Transactions::MAX).contains(&count) {
        tuple.before("the offset of an array of 1 to 1000 transactions");
    }

    tuple.resume(&items);
    Value::List(list)
}

/// The transaction in compact JSON: the text that the writer makes of it.
fn compact(json: &[u8]) -> Option<Value> {
    let text = core::str::from_utf8(json).ok()?;
    let mut issues = Issues::default();
    let node = Node::parse(text, &Path::Root, &mut issues)?;
    // The tree, written again, must be the same text: no white space, no escapes.
    let transaction = read_value(&node, &Is::Record(Transaction::TABLE), &Path::Root, &mut issues);
    (issues.is_empty() && transaction.is_whole() && to_json(&node) == text).then_some(transaction)
}
