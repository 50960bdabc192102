//! What moved: every transfer out of a wallet or into it that succeeded.

use std::cmp::Reverse;

use crate::ledger::Token;
use crate::order::{Action, ActionKind, Status};
use crate::state::State;

/// A move of tokens or of an NFT that succeeded.
pub(crate) struct Move {
    /// The user whose order or operation it was.
    pub(crate) sender: String,
    pub(crate) time: i64,
    pub(crate) hash: String,
    /// Its place in its transaction.
    place: u64,
    pub(crate) chain: String,
    pub(crate) action: Action,
}

/// All moves of a wallet, the newest first.
pub(crate) fn moves(state: &State, wallet: &str) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut add = |sender: &str, time, hash: &str, chain: &str, actions: &[Action]| {
        let mut place = 0_u64;
        let mut tell = |action: &Action| {
            place = place.saturating_add(1);
            if action.from == wallet || action.to == wallet {
                let [sender, hash, chain] = [sender, hash, chain].map(String::from);
                moves.push(Move { sender, time, hash, place, chain, action: action.clone() });
            }
        };
        for action in actions {
            action.moves(&state.ledger, chain, &mut tell);
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
    pub(crate) fn id(&self, state: &State, wallet: &str) -> String {
        state.stable_id("move", &format!("{} {} {wallet}", self.hash, self.place))
    }

    pub(crate) fn is_token(&self) -> bool {
        self.action.kind == ActionKind::Token
    }

    /// The token that moved; `None` of an NFT.
    pub(crate) fn token<'a>(&self, state: &'a State) -> Option<&'a Token> {
        state.ledger.token(&self.chain, &self.action.asset).filter(|_| self.is_token())
    }

    /// The name and the symbol of what moved.
    pub(crate) fn names(&self, state: &State) -> [String; 2] {
        let token = self.token(state).map(|token| [&token.name, &token.symbol]);
        let collection = state.ledger.collection(&self.chain, &self.action.asset);
        let collection = collection.map(|known| [&known.name, &known.symbol]);
        let names = if self.is_token() { token } else { collection };
        names.map(|names| names.map(String::clone)).unwrap_or_default()
    }

    pub(crate) fn description(&self, is_out: bool) -> String {
        let nft = if self.is_token() { "" } else { "NFT " };
        format!("{nft}{}", if is_out { "Withdraw" } else { "Deposit" })
    }
}
