//! The details of an intent: their form, their parameters in call data, and their moves.

use alloc::vec::Vec;

use super::{Intent, IntentType, Move, nft_transfer, raw_transaction, token_transfer};
use crate::abi::{self, Reader};
use crate::document::{Table, Typed, Value, equal};
use crate::value::{Address, Amount};

/// The details of an intent in call data: a tuple of their parameters.
pub(crate) trait Parameters: Typed {
    /// Returns the parameters in order.
    fn encode(&self) -> Vec<abi::Item<'_>>;

    /// Decodes the parameters; nothing after a flaw.
    fn decode(tuple: &mut Reader<'_>) -> Option<Self>;

    /// Returns the moves, in order, for the account `user`.
    fn moves(&self, user: &Address) -> Vec<Move>;
}

/// The row of an intent, in the file of its details.
pub(super) struct Details {
    pub(super) table: &'static Table,
    /// The parameters in call data, in the order of the ABI: every field of the details, each with its type in Solidity.
    pub(super) parameters: &'static [(&'static str, &'static str)],
    pub(super) read: fn(&Value) -> Option<Intent>,
    pub(super) decode: fn(&mut Reader<'_>) -> Option<Intent>,
}

impl IntentType {
    /// The row of this intent.
    pub(super) const fn row(self) -> &'static Details {
        match self {
            Self::NftTransfer => &nft_transfer::DETAILS,
            Self::TokenTransfer => &token_transfer::DETAILS,
            Self::RawTransaction => &raw_transaction::DETAILS,
        }
    }

    /// The row of the intent with these details.
    pub(super) fn row_of(details: &Value) -> Option<&'static Details> {
        let tag = details.tag_of_details()?;
        Self::ALL.iter().map(|kind| kind.row()).find(|row| row.table.tag == tag)
    }

    /// Decodes the details of this intent; nothing after a flaw.
    pub(crate) fn decode(self, whole: &mut Reader<'_>) -> Option<Intent> {
        let row = self.row();
        let mut tuple = whole.tuple(row.parameters.len());
        let intent = (row.decode)(&mut tuple)?;
        whole.resume(&tuple);
        Some(intent)
    }
}

/// The tables of all intents.
pub(super) static TABLES: [&Table; IntentType::ALL.len()] = {
    let mut tables = [nft_transfer::DETAILS.table; IntentType::ALL.len()];
    let (mut places, mut kinds) = (tables.as_mut_slice(), IntentType::ALL);
    while let ([place, rest @ ..], [kind, others @ ..]) = (places, kinds) {
        let Details { table, parameters, .. } = kind.row();
        assert!(table.is_list_of(parameters), "expected every field of the details once");
        assert!(equal(table.tag, kind.as_str()), "expected the row of the intent");
        *place = *table;
        (places, kinds) = (rest, others);
    }
    tables
};

/// Reads an amount.
pub(super) fn amount(tuple: &mut Reader<'_>) -> Option<Amount> {
    let amount = Amount::try_from(tuple.uint()).ok();
    if amount.is_none() {
        tuple.before("an amount above zero");
    }
    amount
}
