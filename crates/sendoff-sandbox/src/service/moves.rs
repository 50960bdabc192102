//! What moved: every transfer out of a wallet or into it that succeeded.

use std::cmp::Reverse;

use crate::action::{Action, ActionKind};
use crate::contract;
use crate::ledger::Token;
use crate::order::Status;
use crate::state::State;

/// A move of tokens or of an NFT that succeeded, out of a wallet or into it.
pub(crate) struct Move {
    /// The user whose order or operation it was.
    pub(crate) sender: String,
    pub(crate) time: i64,
    pub(crate) hash: String,
    /// Its place in its transaction.
    place: u64,
    pub(crate) chain: String,
    pub(crate) action: Action,
    wallet: String,
}

/// All moves of a wallet, the newest first.
pub(crate) fn moves(state: &State, wallet: &str) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut add = |sender: &str, time, hash: &str, chain: &str, actions: &[Action]| {
        let mut place = 0_u64;
        let mut tell = |action: &Action| {
            place = place.saturating_add(1);
            if action.from == wallet || action.to == wallet {
                let [sender, hash, chain, wallet] = [sender, hash, chain, wallet].map(String::from);
                let action = action.clone();
                moves.push(Move { sender, time, hash, place, chain, action, wallet });
            }
        };
        for action in actions {
            contract::moves(&state.ledger, chain, action, &mut tell);
        }
    };
    for order in state.orders.iter().rev() {
        if order.status == Status::Success && !order.hidden {
            let (hash, chain) = (&order.transaction_hash, &order.caip2_id);
            add(&order.user, order.updated, hash, chain, &order.actions);
        }
    }
    for operation in &state.operations {
        let Some(sender) = state.users.get(&operation.user) else { continue };
        if operation.success && !operation.hidden {
            let (chain, actions) = operation.actions(&sender.wallet);
            add(&sender.id, operation.due, &operation.downstream_hash(), &chain, &actions);
        }
    }
    moves.sort_by_key(|moved| Reverse(moved.time));
    moves
}

impl Move {
    /// Its id, of the wallet that it left or reached.
    pub(crate) fn id(&self, state: &State) -> String {
        state.stable_id("move", &format!("{} {} {}", self.hash, self.place, self.wallet))
    }

    /// The first of two for a move out of the wallet, the second for one into it.
    pub(crate) fn either(&self, out: &'static str, into: &'static str) -> &'static str {
        if self.action.from == self.wallet { out } else { into }
    }

    pub(crate) const fn seconds(&self) -> i64 {
        self.time.div_euclid(1_000)
    }

    fn is_token(&self) -> bool {
        self.action.kind == ActionKind::Token
    }

    /// The token that moved; `None` of an NFT.
    pub(crate) fn token<'a>(&self, state: &'a State) -> Option<&'a Token> {
        state.ledger.token(&self.chain, &self.action.asset).filter(|_| self.is_token())
    }

    /// The amount in the token's display unit; of an NFT the pieces.
    pub(crate) fn in_units(&self, state: &State) -> String {
        let amount = self.action.amount.value();
        self.token(state).map_or_else(|| amount.to_string(), |token| token.in_units(amount))
    }

    /// The name and the symbol of what moved.
    pub(crate) fn names(&self, state: &State) -> [String; 2] {
        let token = self.token(state).map(|token| [&token.name, &token.symbol]);
        let collection = state.ledger.collection(&self.chain, &self.action.asset);
        let collection = collection.map(|known| [&known.name, &known.symbol]);
        let names = if self.is_token() { token } else { collection };
        names.map(|names| names.map(String::clone)).unwrap_or_default()
    }

    pub(crate) fn description(&self) -> String {
        let nft = if self.is_token() { "" } else { "NFT " };
        format!("{nft}{}", self.either("Withdraw", "Deposit"))
    }
}
