//! The bundler and the EntryPoint: what happens to a user operation.
//!
//! The checks are those of the published EntryPoint 0.7, in its order and with its reasons, and
//! those that bundlers make before it.

mod gas;
mod nonces;
mod validate;
mod block;
mod receipt;
pub(crate) mod rpc;

pub(crate) use block::advance;
pub(crate) use gas::{GasLimits, limits};

use std::mem;

use sendoff::error::Error;
use sendoff::intent::Intent;
use sendoff::primitive_types::U256;
use sendoff::user_op::{Call, UserOp, max_cost, user_op_hash};
use sendoff::value::{HexBytes, Word};
use serde::Serialize;
use serde_json::Value;

use crate::draw;
use crate::signed::Moment;
use crate::spelled::lowered;
use crate::state::{State, UserOperation};

/// An error of JSON-RPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl RpcError {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Of an operation that cannot be read.
impl From<Error> for RpcError {
    fn from(error: Error) -> Self {
        Self::new(PARAMETERS, error.to_string())
    }
}

/// The error of JSON-RPC for parameters, which bundlers use for what they refuse before the
/// EntryPoint.
const PARAMETERS: i64 = -32_602;

/// The largest number of operations that are kept.
const MOST_OPERATIONS: usize = 10_000;

/// The other account of an account's key. Each key has two, whose addresses differ in the last bit.
pub(crate) fn other_account(account: &str) -> String {
    let mut other = String::from(account);
    let last = other.pop().and_then(|digit| char::from_digit(digit.to_digit(16)? ^ 1, 16));
    other.extend(last);
    other
}

/// The call of an account, if it knows the call data.
fn decoded(data: &HexBytes) -> Option<Call> {
    Call::decode(data.as_slice()).ok()
}

impl UserOperation {
    /// The intent of its call.
    pub(crate) fn intent(&self) -> Option<Intent> {
        decoded(&self.operation.call_data).map(|call| call.intent)
    }
}

/// An operation that can be accepted.
struct Checked {
    op: UserOp,
    hash: Word,
    /// The id of its user.
    user: String,
}

/// Checks a user operation that is not known yet.
fn check(state: &State, operation: &Value, at: Moment<'_>) -> Result<Checked, RpcError> {
    let op: UserOp = operation.to_string().parse()?;
    let cost = max_cost(&op).map_err(|_| RpcError::new(PARAMETERS, "AA94 gas values overflow"))?;
    let hash = user_op_hash(&op, &state.entry_point())?;
    let text = hash.to_string();
    if state.operations.iter().any(|known| known.hash == text && !known.lost) {
        return Err(RpcError::new(PARAMETERS, "already known"));
    }
    let user = validate::validate(state, &op, hash, cost, at)?;
    Ok(Checked { op, hash, user })
}

/// Shows a judge each signature that decides whether an operation is accepted.
pub(crate) fn signatures(state: &State, operation: &Value, at: Moment<'_>) {
    // Whether it is accepted does not matter here.
    drop(check(state, operation, at));
}

/// Accepts a user operation, and returns its hash.
pub(crate) fn submit(
    state: &mut State,
    operation: &Value,
    at: Moment<'_>,
) -> Result<String, RpcError> {
    let Checked { op, hash, user } = check(state, operation, at)?;
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
        nonce,
        received: at.now,
        due: at.now.saturating_add_unsigned(state.delays.block),
        executed: false,
        success: false,
        reason: String::new(),
        gas_used: U256::zero(),
        gas_cost: U256::zero(),
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
        !known.executed && !known.lost && known.sender == sender && known.nonce == nonce
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
    if !is_higher {
        return Err(RpcError::new(PARAMETERS, "replacement underpriced"));
    }
    state.operations.retain(|known| !waiting(known));
    Ok(())
}
