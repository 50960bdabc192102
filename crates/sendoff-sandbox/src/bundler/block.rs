//! Blocks: orders end, and operations are executed; an operation pays, and its call moves what it
//! says.

use std::mem;

use sendoff::intent::Intent;
use sendoff::user_op::UserOp;

use super::gas::{VERIFICATION, call_gas, gas_used};
use super::{decoded, nonces};
use crate::contract::Failure;
use crate::draw::{draw, hex};
use crate::order::{self, Action, ActionKind};
use crate::spelled::lowered;
use crate::state::{State, UserOperation};

/// Brings the ledger up to this time: ends orders and executes operations whose time has come, in
/// their order.
pub(crate) fn advance(state: &mut State, now: i64) {
    loop {
        let due = |place: &usize| Some((state.orders.get(*place)?.due, *place));
        let order = state.open.iter().filter_map(due).min().filter(|(due, _)| *due <= now);
        let operation = next_operation(state, now);
        match (order, operation) {
            (Some((due, place)), operation) if operation.is_none_or(|(other, _)| due <= other) => {
                state.open.retain(|open| *open != place);
                if let Some(order) = state.orders.get_mut(place) {
                    order.settle(&mut state.ledger, state.switches.minimum);
                }
            }
            (_, Some((_, place))) => execute(state, place),
            _ => return,
        }
    }
}

/// The time and place of the next operation whose block has come. Operations that wait are at the
/// end.
fn next_operation(state: &State, now: i64) -> Option<(i64, usize)> {
    let operations = state.operations.iter().enumerate().rev();
    let open = operations.take_while(|(_, operation)| !operation.executed);
    open.map(|(at, operation)| (operation.due, at)).filter(|(due, _)| *due <= now).min()
}

/// Executes an operation in its block: it pays whether its call succeeds or not.
fn execute(state: &mut State, place: usize) {
    let Some(mut operation) = state.operations.get(place).cloned() else { return };
    state.blocks = state.blocks.saturating_add(1);
    (operation.executed, operation.block) = (true, state.blocks);
    let (op, nonce) = (operation.operation.clone(), operation.nonce);
    if nonces::is_next(state, &operation.sender, nonce) {
        nonces::use_nonce(state, &operation.sender, nonce);
        let (used, done) = call(state, &op, &operation);
        operation.success = done.is_ok();
        operation.reason = done.err().unwrap_or_default();
        let deployment = &mut state.deployment;
        operation.gas_used = gas_used(&op, used, deployment.version);
        let price = deployment.base_fee.saturating_add(op.max_priority_fee_per_gas.value().into());
        let price = price.min(op.max_fee_per_gas.value().into());
        operation.gas_cost = operation.gas_used.saturating_mul(price);
        deployment.deposit = deployment.deposit.saturating_sub(operation.gas_cost);
    } else {
        operation.reason = "AA25 invalid account nonce".into();
    }

    let waiting = state.operations.iter().position(|known| !known.executed).unwrap_or(place);
    for there in state.operations.iter_mut().take(place.saturating_add(1)).skip(waiting) {
        mem::swap(there, &mut operation);
    }
}

/// Executes the call, and returns the gas that it used.
fn call(state: &mut State, op: &UserOp, operation: &UserOperation) -> (u64, Result<(), String>) {
    let failed = |gas, why: &str| (gas, Err(why.into()));
    // The EntryPoint makes no call then.
    if op.call_data.is_empty() {
        return (0, Ok(()));
    }
    let Some(call) = decoded(&op.call_data) else {
        return failed(VERIFICATION, "the account does not know this call data");
    };
    if call.job_manager != state.deployment.job_manager {
        return failed(VERIFICATION, "the account knows no such job manager");
    }
    if lowered(&call.user_swa) != operation.sender {
        return failed(VERIFICATION, "not the user");
    }
    let gas = call_gas(&call.intent);
    if op.call_gas_limit.value() < gas.into() {
        return failed(u64::try_from(op.call_gas_limit.value()).unwrap_or(u64::MAX), "");
    }

    let Some(user) = state.users.get(&operation.user) else { return failed(gas, "not the user") };
    let (chain, actions) = actions(&call.intent, &user.wallet);
    if actions.iter().any(|action| action.from != user.wallet) {
        return failed(gas, "not from the user's wallet");
    }
    let done = order::execute(&mut state.ledger, &chain, &actions, state.switches.minimum);
    (gas, done.map_err(|(Failure::Rejected(reason) | Failure::Reverted(reason))| reason))
}

impl UserOperation {
    /// The hash of the transaction on the intent's chain.
    pub(crate) fn downstream_hash(&self) -> String {
        hex(&draw(&self.hash, "downstream", 0))
    }

    /// Its effects on the ledger if it succeeded, with the wallet of its user.
    pub(crate) fn actions(&self, wallet: &str) -> (String, Vec<Action>) {
        let intent = self.intent().filter(|_| self.success);
        intent.map_or_else(Default::default, |intent| actions(&intent, wallet))
    }
}

/// The effects of an intent on the ledger: its chain, and what it moves.
fn actions(intent: &Intent, wallet: &str) -> (String, Vec<Action>) {
    let (chain, actions) = match intent {
        Intent::TokenTransfer(transfer) => {
            let token = transfer.token_address.contract().map(lowered).unwrap_or_default();
            let to = lowered(&transfer.recipient_wallet_address);
            let amount = transfer.amount.value();
            (&transfer.caip2_id, vec![Action::tokens(token, wallet.into(), to, amount)])
        }
        Intent::NftTransfer(transfer) => {
            // The ledger has ids of contracts; the service's own ids are UUIDs.
            let id = match transfer.nft_id.token_id() {
                Some(id) => id.to_string(),
                None => transfer.nft_id.to_string(),
            };
            let action = Action {
                kind: ActionKind::Nft,
                asset: lowered(&transfer.collection_address),
                id,
                from: wallet.into(),
                to: lowered(&transfer.recipient_wallet_address),
                amount: transfer.amount.value(),
                ..Action::default()
            };
            (&transfer.caip2_id, vec![action])
        }
        Intent::RawTransaction(raw) => {
            let transactions = raw.transactions.as_slice().iter().map(|transaction| {
                let [from, to] = [transaction.from, transaction.to].map(|at| lowered(&at));
                Action::call(from, to, transaction.value.value(), transaction.data.to_string())
            });
            (&raw.caip2_id, transactions.collect())
        }
    };
    (chain.to_string(), actions)
}
