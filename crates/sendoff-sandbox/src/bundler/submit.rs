//! The acceptance of a user operation.

use std::mem;

use sendoff::primitive_types::U256;
use sendoff::user_op::{UserOp, max_cost, user_op_hash};
use serde_json::Value;

use super::error::{PARAMETERS, RpcError, check};
use super::validate::validate;
use crate::draw;
use crate::operation::UserOperation;
use crate::spelled::lowered;
use crate::state::State;

/// The largest number of operations that are kept.
const MOST_OPERATIONS: usize = 10_000;

/// Accepts a user operation, and returns its hash.
pub(crate) fn submit(state: &mut State, operation: &Value, now: i64) -> Result<String, RpcError> {
    let op: UserOp = operation.to_string().parse()?;
    let cost = max_cost(&op).map_err(|_| RpcError::new(PARAMETERS, "AA94 gas values overflow"))?;
    let word = user_op_hash(&op, &state.entry_point())?;
    let hash = word.to_string();
    let is_known = state.operations.iter().any(|known| known.hash == hash && !known.lost);
    check(!is_known, PARAMETERS, "already known")?;
    let user = validate(state, &op, word, cost, now)?;
    let (sender, nonce) = (lowered(&op.sender), op.nonce.value());
    replace(state, &sender, &op)?;

    if state.operations.len() >= MOST_OPERATIONS {
        let operations = mem::take(&mut state.operations);
        state.operations = operations.into_iter().skip(1).collect();
    }
    let transaction_hash = draw::hex(&state.draw("bundle"));
    state.operations.push(UserOperation {
        hash: hash.clone(),
        user,
        job: draw::uuid_of_nonce(nonce),
        operation: op,
        sender,
        nonce: nonce.into(),
        received: now,
        due: now.saturating_add_unsigned(state.delays.block),
        executed: false,
        success: false,
        reason: String::new(),
        gas_used: 0_u64.into(),
        gas_cost: 0_u64.into(),
        block: 0,
        transaction_hash,
        hidden: false,
        lost: false,
        deserted: false,
    });
    Ok(hash)
}

/// Drops a waiting operation with the same nonce, if the new one pays at least a tenth more for each
/// unit of gas.
fn replace(state: &mut State, sender: &str, op: &UserOp) -> Result<(), RpcError> {
    let nonce = op.nonce.value();
    let waiting = |known: &UserOperation| {
        !known.executed && !known.lost && known.sender == sender && known.nonce.value() == nonce
    };
    let Some(known) = state.operations.iter().find(|known| waiting(known)) else {
        return Ok(());
    };
    let more = |new: u128, old: u128| {
        U256::from(new).saturating_mul(10.into()) >= U256::from(old).saturating_mul(11.into())
    };
    let before = &known.operation;
    let is_higher = more(op.max_fee_per_gas.value(), before.max_fee_per_gas.value())
        && more(op.max_priority_fee_per_gas.value(), before.max_priority_fee_per_gas.value());
    check(is_higher, PARAMETERS, "replacement underpriced")?;
    state.operations.retain(|known| !waiting(known));
    Ok(())
}
