//! The block of an operation: it pays, and its call moves what it says.

use alloc::{string::String, vec::Vec};
use core::mem;

use sendoff::user_op::UserOp;

use super::UserOperation;
use super::gas::{VERIFICATION, call_gas, gas_used};
use crate::Json;
use crate::contract::Failure;
use crate::draw::{draw, hex};
use crate::numbers::{decimal, of_decimal, of_hex};
use crate::order::{self, Action};
use crate::state::State;

impl State {
    /// Executes an operation in its block: it pays whether its call succeeds or not.
    pub(crate) fn execute_operation(&mut self, place: usize) {
        let Some(there) = self.operations.get_mut(place) else { return };
        let mut operation = mem::take(there);
        operation.executed = true;
        self.blocks = self.blocks.saturating_add(1);
        operation.block = self.blocks;
        let op = operation.operation.to_json().parse::<UserOp>();
        if let Ok(op) = op.as_ref()
            && self.is_next(&operation.sender, operation.nonce)
        {
            self.use_nonce(&operation.sender, operation.nonce);
            let (used, done) = self.call(op, &operation);
            (operation.success, operation.reason) = match done {
                Ok(()) => (true, String::new()),
                Err(reason) => (false, reason),
            };
            operation.gas_used = gas_used(op, used, &self.deployment.version);
            let price =
                self.deployment.base_fee.saturating_add(op.max_priority_fee_per_gas.value().into());
            operation.gas_cost =
                operation.gas_used.saturating_mul(price.min(op.max_fee_per_gas.value().into()));
            self.deployment.deposit = self.deployment.deposit.saturating_sub(operation.gas_cost);
        } else {
            operation.reason = "AA25 invalid account nonce".into();
        }
        // Operations that wait are at the end.
        let waiting = self.operations.iter().position(|known| !known.executed).unwrap_or(place);
        for there in self.operations.iter_mut().take(place.saturating_add(1)).skip(waiting) {
            mem::swap(there, &mut operation);
        }
    }

    /// Executes the call, and returns the gas that it used.
    fn call(&mut self, op: &UserOp, operation: &UserOperation) -> (u64, Result<(), String>) {
        // The EntryPoint makes no call then.
        if op.call_data.as_ref().is_empty() {
            return (0, Ok(()));
        }
        let decoded = sendoff::json::decode_call(&String::from(&op.call_data));
        let Some(call) = decoded.ok().and_then(|call| Json::parse(&call)) else {
            return (VERIFICATION, Err("the account does not know this call data".into()));
        };
        let gas = call_gas(&call);
        let is_ours = call.text("jobManager").eq_ignore_ascii_case(&self.deployment.job_manager);
        let is_users = call.text("userSWA").eq_ignore_ascii_case(&operation.sender);
        if !is_ours || !is_users {
            let reason =
                if is_ours { "not the user" } else { "the account knows no such job manager" };
            return (VERIFICATION, Err(reason.into()));
        }
        if op.call_gas_limit.value() < gas.into() {
            return (
                u64::try_from(op.call_gas_limit.value()).unwrap_or(u64::MAX),
                Err(String::new()),
            );
        }

        let Some(user) = self.users.get(&operation.user) else {
            return (gas, Err("not the user".into()));
        };
        let (chain, actions) = actions(&call, &user.wallet);
        let is_foreign = actions.iter().any(|action| action.from != user.wallet);
        if is_foreign {
            return (gas, Err("not from the user's wallet".into()));
        }
        let done = order::execute(&mut self.ledger, &chain, &actions, self.switches.minimum);
        (gas, done.map_err(|(Failure::Rejected(reason) | Failure::Reverted(reason))| reason))
    }
}

impl UserOperation {
    /// The hash of the transaction on the intent's chain.
    pub(crate) fn downstream_hash(&self) -> String {
        hex(&draw(&self.hash, "downstream", 0))
    }

    /// Its effects on the ledger if it succeeded, with the wallet of its user.
    pub(crate) fn actions(&self, wallet: &str) -> (String, Vec<Action>) {
        let call = sendoff::json::decode_call(self.operation.text("callData")).ok();
        let call = call.filter(|_| self.success).and_then(|call| Json::parse(&call));
        actions(&call.unwrap_or_default(), wallet)
    }
}

/// The effects of a call on the ledger: its chain, and what it moves.
fn actions(call: &Json, wallet: &str) -> (String, Vec<Action>) {
    let Some(details) = call.at("intent.details") else { return (String::new(), Vec::new()) };
    let text = |key: &str| details.text(key).to_ascii_lowercase();
    let number = |text: &str| {
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        hex.map_or_else(|| of_decimal(text), of_hex).unwrap_or_default()
    };
    let (wallet, recipient) = (String::from(wallet), text("recipientWalletAddress"));
    let actions = match call.at("intent.type").and_then(Json::as_text).unwrap_or_default() {
        "TOKEN_TRANSFER" => {
            alloc::vec![Action::tokens(
                text("tokenAddress"),
                wallet,
                recipient,
                number(details.text("amount"))
            )]
        }
        "NFT_TRANSFER" => {
            let id = details.text("nftId");
            // The ledger has ids of contracts; the service's own ids are UUIDs.
            let id = if id.contains('-') { id.into() } else { decimal(number(id)) };
            alloc::vec![Action::nft(
                text("collectionAddress"),
                id,
                wallet,
                recipient,
                number(details.text("amount"))
            )]
        }
        _ => {
            let list = details.get("transactions").and_then(Json::as_list).unwrap_or_default();
            let transaction = |json: &Json| {
                let lower = |key: &str| json.text(key).to_ascii_lowercase();
                Action::call(
                    lower("from"),
                    lower("to"),
                    number(json.text("value")),
                    json.text("data").into(),
                )
            };
            list.iter().map(transaction).collect()
        }
    };
    (details.text("caip2Id").into(), actions)
}
