//! The bundler and the EntryPoint: what happens to a user operation.
//!
//! The checks are those of the published EntryPoint 0.7, in its order and with its reasons, and
//! those that bundlers make before it.

mod gas;
mod nonces;
mod validate;
mod execute;
mod receipt;

pub(crate) use gas::call_limit;

use alloc::string::String;

use sendoff::primitive_types::U256;
use sendoff::user_op::UserOp;

use crate::Json;
use crate::draw;
use crate::record::{record, row};
use crate::signed::Judge;
use crate::state::State;
use crate::text::problems;

record! {
    /// A user operation that was accepted.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub(crate) struct UserOperation {
        hash: String,
        user: String,
        job: String,
        /// As it was sent.
        operation: Json,
        sender: String,
        nonce: U256,
        received: i64,
        due: i64,
        /// `true` after its block.
        executed: bool,
        success: bool,
        reason: String,
        gas_used: U256,
        gas_cost: U256,
        block: u64,
        transaction_hash: String,
        /// `true` if the bundler forgot it.
        hidden: bool,
        /// `true` if the bundler lost it: it can be sent again.
        lost: bool,
        /// `true` if later estimates of its job are for the other account of its key.
        deserted: bool,
    }
}

/// An error of JSON-RPC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl RpcError {
    pub(crate) fn new(code: i64, message: &str) -> Self {
        Self { code, message: message.into() }
    }
}

/// The other account of an account's key. Each key has two, whose addresses differ in the last bit.
pub(crate) fn other_account(account: &str) -> String {
    let mut other = String::from(account);
    let last = other.pop().and_then(|digit| char::from_digit(digit.to_digit(16)? ^ 1, 16));
    other.extend(last);
    other
}

/// The largest number of operations that are kept.
const MOST_OPERATIONS: usize = 10_000;

/// The error of JSON-RPC for parameters, which bundlers use for what they refuse before the EntryPoint.
const PARAMETERS: i64 = -32_602;

impl State {
    /// The place and time of the next operation whose block has come.
    pub(crate) fn next_operation(&self, now: i64) -> Option<(i64, usize)> {
        let open = self
            .operations
            .iter()
            .enumerate()
            .rev()
            .take_while(|(_, operation)| !operation.executed);
        open.map(|(at, operation)| (operation.due, at)).filter(|(due, _)| *due <= now).min()
    }

    /// The options of the operation's hash.
    pub(crate) fn entry_point(&self) -> Json {
        let at = &self.deployment;
        row(
            "entryPoint chainId version gasFeeOrder",
            &[&at.entry_point, &at.chain_id, &at.version, &at.gas_fee_order],
        )
    }

    /// Checks a user operation that is not known yet. Returns it with its hash and the id of its user.
    pub(crate) fn check(
        &self,
        operation: &Json,
        now: i64,
        judge: Judge<'_>,
    ) -> Result<(UserOp, String, String), RpcError> {
        let text = operation.to_json();
        let bad =
            |error: sendoff::error::Error| RpcError { code: PARAMETERS, message: problems(&error) };
        let op: UserOp = text.parse().map_err(bad)?;
        let cost = sendoff::user_op::max_cost(&op);
        let cost = cost.map_err(|_| RpcError::new(PARAMETERS, "AA94 gas values overflow"))?;
        let hash =
            sendoff::json::user_op_hash(&text, &self.entry_point().to_json()).map_err(bad)?;
        let hash = String::from(hash.trim_matches('"'));
        if self.operations.iter().any(|known| known.hash == hash && !known.lost) {
            return Err(RpcError::new(PARAMETERS, "already known"));
        }
        let user = self.validate(&op, &hash, cost, now, judge)?;
        Ok((op, hash, user))
    }

    /// Accepts a user operation, and returns its hash.
    pub(crate) fn submit(
        &mut self,
        operation: &Json,
        now: i64,
        judge: Judge<'_>,
    ) -> Result<String, RpcError> {
        let (op, hash, user) = self.check(operation, now, judge)?;
        let sender = crate::contract::lower(&op.sender);
        let nonce = op.nonce.value();
        self.replace(&sender, nonce, &op)?;

        if self.operations.len() >= MOST_OPERATIONS {
            let operations = core::mem::take(&mut self.operations);
            self.operations = operations.into_iter().skip(1).collect();
        }
        let job = draw::uuid_of_nonce(nonce);
        let transaction_hash = draw::hex(&self.draw("bundle"));
        self.operations.push(UserOperation {
            hash: hash.clone(),
            user,
            job,
            operation: operation.clone(),
            sender,
            nonce,
            received: now,
            due: now.saturating_add_unsigned(self.delays.block),
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

    /// Drops a waiting operation with the same nonce, if the new one pays at least a tenth more for each unit of gas.
    fn replace(&mut self, sender: &str, nonce: U256, op: &UserOp) -> Result<(), RpcError> {
        let waiting = |known: &UserOperation| {
            !known.executed && !known.lost && known.sender == sender && known.nonce == nonce
        };
        let Some(known) = self.operations.iter().find(|known| waiting(known)) else {
            return Ok(());
        };
        let before = known.operation.to_json().parse::<UserOp>().ok();
        let is_higher = before.is_none_or(|before| {
            let more = |new: u128, old: u128| {
                U256::from(new).saturating_mul(10.into())
                    >= U256::from(old).saturating_mul(11.into())
            };
            more(op.max_fee_per_gas.value(), before.max_fee_per_gas.value())
                && more(
                    op.max_priority_fee_per_gas.value(),
                    before.max_priority_fee_per_gas.value(),
                )
        });
        if !is_higher {
            return Err(RpcError::new(PARAMETERS, "replacement underpriced"));
        }
        self.operations.retain(|known| !waiting(known));
        Ok(())
    }
}
