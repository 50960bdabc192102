//! The details of an intent: their parameters in call data, and their moves.

use alloc::vec::Vec;

use super::Move;
use crate::abi::{self, Reader};
use crate::document::Write;
use crate::value::{Address, Amount};

/// The details of an intent: in call data a tuple of their parameters, which are all of their fields.
pub(crate) trait Details: Write {
    /// Returns the parameters in the order of the ABI.
    fn encode(&self) -> Vec<abi::Item<'_>>;

    /// Returns the moves, in order, for the account `user`.
    fn moves(&self, user: &Address) -> Vec<Move>;
}

/// Reads an amount.
pub(super) fn amount(tuple: &mut Reader<'_>) -> Option<Amount> {
    let amount = Amount::try_from(tuple.uint()).ok();
    if amount.is_none() {
        tuple.before("an amount above zero");
    }
    amount
}
