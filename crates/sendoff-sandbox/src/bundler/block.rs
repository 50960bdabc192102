//! Blocks: orders end, and operations are executed; an operation pays, and its call moves what it
//! says.

use super::gas::{VERIFICATION, call_gas, gas_used};
use super::nonces;
use crate::action::Action;
use crate::contract::Failure;
use crate::operation::UserOperation;
use crate::order;
use crate::spelled::lowered;
use crate::state::State;

/// Brings the ledger up to this time: ends orders and executes operations whose time has come, in
/// their order.
pub(crate) fn advance(state: &mut State, now: i64) {
    loop {
        let orders = state.orders.iter().enumerate();
        let open = orders.filter(|(_, order)| order.due <= now && !order.status.is_last());
        let order = open.map(|(place, order)| (order.due, place)).min();
        let operations = state.operations.iter().enumerate();
        let open = operations.filter(|(_, known)| known.due <= now && !known.executed);
        let operation = open.map(|(place, known)| (known.due, place)).min();
        match (order, operation) {
            (Some((due, place)), operation) if operation.is_none_or(|(other, _)| due <= other) => {
                if let Some(order) = state.orders.get_mut(place) {
                    order.settle(&mut state.ledger, state.switches.minimum);
                }
            }
            (_, Some((_, place))) => execute(state, place),
            _ => return,
        }
    }
}

/// Executes an operation in its block: it pays whether its call succeeds or not.
fn execute(state: &mut State, place: usize) {
    let Some(mut operation) = state.operations.get(place).cloned() else { return };
    state.blocks = state.blocks.saturating_add(1);
    (operation.executed, operation.block) = (true, state.blocks);
    let nonce = operation.nonce.value();
    if nonces::is_next(state, &operation.sender, nonce) {
        nonces::use_nonce(state, &operation.sender, nonce);
        let (used, done) = call(state, &operation);
        operation.success = done.is_ok();
        operation.reason = done.err().unwrap_or_default();
        let (op, deployment) = (&operation.operation, &mut state.deployment);
        let (base_fee, tip) = (deployment.base_fee.value(), op.max_priority_fee_per_gas.value());
        let price = base_fee.saturating_add(tip.into()).min(op.max_fee_per_gas.value().into());
        let gas_used = gas_used(op, used, deployment.version);
        let gas_cost = gas_used.saturating_mul(price);
        (operation.gas_used, operation.gas_cost) = (gas_used.into(), gas_cost.into());
        deployment.deposit = deployment.deposit.value().saturating_sub(gas_cost).into();
    } else {
        operation.reason = "AA25 invalid account nonce".into();
    }
    if let Some(known) = state.operations.get_mut(place) {
        *known = operation;
    }
}

/// Executes the call, and returns the gas that it used.
fn call(state: &mut State, operation: &UserOperation) -> (u64, Result<(), String>) {
    let op = &operation.operation;
    let failed = |gas, why: &str| (gas, Err(why.into()));
    // The EntryPoint makes no call then.
    if op.call_data.is_empty() {
        return (0, Ok(()));
    }
    let Some(call) = operation.call() else {
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
    let actions = Action::of(&call.intent, &user.wallet);
    if actions.iter().any(|action| action.from != user.wallet) {
        return failed(gas, "not from the user's wallet");
    }
    let (chain, minimum) = (call.intent.chain().to_string(), state.switches.minimum);
    let done = order::execute(&mut state.ledger, &chain, &actions, minimum);
    (gas, done.map_err(|(Failure::Rejected(reason) | Failure::Reverted(reason))| reason))
}
