//! The details of an intent: their parameters in call data, and their moves.

use alloc::vec::Vec;

use super::Move;
use crate::abi::{self, Reader};
use crate::document::Typed;
use crate::value::{Address, Amount};

/// The details of an intent: in call data a tuple of their parameters.
pub(crate) trait Details: Typed {
    /// The parameters in the order of the ABI: every field of the details, each with its type in Solidity.
    const PARAMETERS: &'static [(&'static str, &'static str)];

    /// Returns the parameters in order.
    fn encode(&self) -> Vec<abi::Item<'_>>;

    /// Decodes the parameters; nothing after a flaw.
    fn decode(tuple: &mut Reader<'_>) -> Option<Self>;

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
