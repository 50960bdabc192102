//! Lies about what happens to an order or an operation.

use serde::Deserialize;

use crate::order::Order;
use crate::state::State;
use crate::time::NEVER;

/// What happens to orders and operations that were accepted.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Fate {
    /// They never end.
    NeverEnds,
    /// They never end, and nobody hears of them.
    LostOrder,
    /// They fail: what is moved is not on the chain when they are executed.
    FailsLater,
    /// They are executed twice. Orders alone: an operation's nonce is used once.
    DoneTwice,
    /// The bundler loses an operation, once: what it lost before and is sent again stays.
    Lost,
    /// Later estimates of the same job are for the other account of the key.
    Deserted,
}

impl Fate {
    /// Changes the orders and operations from these places on. Returns `true` if it changed any.
    pub(super) fn decide(self, state: &mut State, [orders, operations]: [usize; 2]) -> bool {
        let earlier = state.operations.get(..operations).unwrap_or_default();
        let was_lost: Vec<_> =
            earlier.iter().filter(|known| known.lost).map(|known| known.hash.clone()).collect();
        let mut is_any = false;
        for operation in state.operations.iter_mut().skip(operations) {
            match self {
                Self::NeverEnds | Self::LostOrder => {
                    (operation.due, operation.hidden) = (NEVER, matches!(self, Self::LostOrder));
                }
                Self::FailsLater => operation.user.clear(),
                Self::Lost if !was_lost.contains(&operation.hash) => {
                    (operation.due, operation.hidden, operation.lost) = (NEVER, true, true);
                }
                Self::Deserted => operation.deserted = true,
                Self::DoneTwice | Self::Lost => continue,
            }
            is_any = true;
        }
        for place in orders..state.orders.len() {
            is_any |= self.decide_order(state, place);
        }
        is_any
    }

    fn decide_order(self, state: &mut State, place: usize) -> bool {
        let Some(order) = state.orders.get_mut(place) else { return false };
        match self {
            Self::NeverEnds | Self::LostOrder => {
                (order.due, order.hidden) = (NEVER, matches!(self, Self::LostOrder));
            }
            Self::FailsLater => order.caip2_id.clear(),
            Self::DoneTwice => {
                let (order, id) = (order.clone(), state.new_id("order"));
                let created = order.created;
                state.add_order(Order { id, hidden: true, ..order }, created);
            }
            Self::Lost | Self::Deserted => return false,
        }
        true
    }
}
