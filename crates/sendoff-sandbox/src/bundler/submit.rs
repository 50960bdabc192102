//! The acceptance of a user operation.

use std::mem;

use sendoff::primitive_types::U256;
use sendoff::user_op::{UserOp, max_cost, user_op_hash};
use sendoff::value::Word;
use serde_json::Value;

use super::error::{PARAMETERS, RpcError, check};
use super::validate::validate;
use crate::draw;
use crate::operation::UserOperation;
use crate::signed::Moment;
use crate::spelled::lowered;
use crate::state::State;

/// The largest number of operations that are kept.
const MOST_OPERATIONS: usize = 10_000;

/// An operation that can be accepted.
struct Checked {
    op: UserOp,
    hash: Word,
    /// The id of its user.
    user: String,
}

/// Checks a user operation that is not known yet.
fn checked(state: &State, operation: &Value, at: Moment<'_>) -> Result<Checked, RpcError> {
    let op: UserOp = operation.to_string().parse()?;
    let cost = max_cost(&op).map_err(|_| RpcError::new(PARAMETERS, "AA94 gas values overflow"))?;
    let hash = user_op_hash(&op, &state.entry_point())?;
    let text = hash.to_string();
    let is_known = state.operations.iter().any(|known| known.hash == text && !known.lost);
    check(!is_known, PARAMETERS, "already known")?;
    let user = validate(state, &op, hash, cost, at)?;
    Ok(Checked { op, hash, user })
}

/// Shows a judge each signature that decides whether an operation is accepted.
pub(crate) fn signatures(state: &State, operation: &Value, at: Moment<'_>) {
    // Whether it is accepted does not matter here.
    drop(checked(state, operation, at));
}

/// Accepts a user operation, and returns its hash.
pub(crate) fn submit(
    state: &mut State,
    operation: &Value,
    at: Moment<'_>,
) -> Result<String, RpcError> {
    let Checked { op, hash, user } = checked(state, operation, at)?;
    let (sender, nonce) = (lowered(&op.sender), op.nonce.value());
    replace(state, &sender, &op)?;

    if state.operations.len() >= MOST_OPERATIONS {
        let operations = mem::take(&mut state.operations);
        state.operations = operations.into_iter().skip(1).collect();
    }
    let transaction_hash = draw::hex(&state.draw("bundle"));
    let hash = hash.to_string();
    state.operations.push(UserOperation {
        hash: hash.clone(),
        user,
        job: draw::uuid_of_nonce(nonce),
        operation: op,
        sender,
        nonce: nonce.into(),
        received: at.now,
        due: at.now.saturating_add_unsigned(state.delays.block),
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
