//! The bundler and the EntryPoint: what happens to a user operation.
//!
//! The checks are those of the published EntryPoint 0.7, in its order and with its reasons, and those that bundlers make before
//! it. The gas that an operation uses is a figure for each part.

use alloc::{format, string::String, vec::Vec};

use sendoff::primitive_types::U256;
use sendoff::user_op::{PaymasterData, UserOp};
#[cfg(feature = "signature")]
use sendoff::user_op::{check_signature, signing_digest};
use sendoff::value::{Address, HexBytes, Word};

use crate::Json;
use crate::contract::{Failure, encode_text};
use crate::draw;
use crate::json::object;
use crate::order::{self, Action};
use crate::profile::Nonces;
use crate::record::{quantity, record};
use crate::state::{State, User};

/// The gas of the account's validation, with the EntryPoint's own part of it.
pub(crate) const VERIFICATION: u64 = 100_000;
/// The gas of the paymaster's validation, with the EntryPoint's own part of it.
pub(crate) const PAYMASTER_VERIFICATION: u64 = 60_000;
/// The EntryPoint's own part of each.
const OWN_PART: u64 = 10_000;
/// The gas of the paymaster's work after the call.
pub(crate) const POST_OP: u64 = 1;
/// The gas that pays the bundler.
pub(crate) const PRE_VERIFICATION: u64 = 50_000;
/// The gas of a block: no bundle has more.
const BLOCK: u64 = 30_000_000;
/// The gas that the EntryPoint keeps for itself in a call.
const INNER_OVERHEAD: u64 = 10_000;
/// The gas of a call, for each intent; for raw transactions the gas of one.
const CALLS: [(&str, u64); 3] = [("TOKEN_TRANSFER", 150_000), ("NFT_TRANSFER", 180_000), ("RAW_TRANSACTION", 120_000)];

record! {
    /// A user operation that was accepted.
    #[derive(Clone, Debug, PartialEq, Eq)]
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

/// The largest number of operations that are kept.
const MOST_OPERATIONS: usize = 10_000;

/// The errors of validation by ERC-7769.
const ACCOUNT: i64 = -32_500;
const PAYMASTER: i64 = -32_501;
const TIME: i64 = -32_503;
const SIGNATURE: i64 = -32_507;
const PARAMETERS: i64 = -32_602;

impl State {
    /// The place and time of the next operation whose block has come.
    pub(crate) fn next_operation(&self, now: i64) -> Option<(i64, usize)> {
        let open = self.operations.iter().enumerate().rev().take_while(|(_, operation)| !operation.executed);
        open.map(|(at, operation)| (operation.due, at)).filter(|(due, _)| *due <= now).min()
    }

    /// The options of the operation's hash.
    pub(crate) fn entry_point(&self) -> Json {
        let at = &self.deployment;
        object([
            ("entryPoint", (&at.entry_point).into()),
            ("chainId", at.chain_id.into()),
            ("version", (&at.version).into()),
            ("gasFeeOrder", (&at.gas_fee_order).into()),
        ])
    }

    /// Accepts a user operation, and returns its hash.
    pub(crate) fn submit(&mut self, operation: &Json, now: i64) -> Result<String, RpcError> {
        let text = operation.to_json();
        let bad = |error: sendoff::error::Error| RpcError { code: PARAMETERS, message: format!("{error}") };
        let op: UserOp = text.parse().map_err(bad)?;
        let cost = sendoff::user_op::max_cost(&op);
        let cost = cost.map_err(|_| RpcError::new(PARAMETERS, "AA94 gas values overflow"))?;
        let hash = sendoff::json::user_op_hash(&text, &self.entry_point().to_json()).map_err(bad)?;
        let hash = String::from(hash.trim_matches('"'));
        if self.operations.iter().any(|known| known.hash == hash) {
            return Err(RpcError::new(PARAMETERS, "already known"));
        }

        let user = self.validate(&op, &hash, cost, now)?;
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
            due: now.saturating_add(self.delays.block),
            executed: false,
            success: false,
            reason: String::new(),
            gas_used: U256::zero(),
            gas_cost: U256::zero(),
            block: 0,
            transaction_hash,
            hidden: false,
        });
        Ok(hash)
    }

    /// The checks before the call, in the order of the EntryPoint. Returns the id of the sender's user.
    fn validate(&self, op: &UserOp, hash: &str, cost: U256, now: i64) -> Result<String, RpcError> {
        let sender = crate::contract::lower(&op.sender);
        let (cap, tip) = (U256::from(op.max_fee_per_gas.value()), U256::from(op.max_priority_fee_per_gas.value()));
        if tip > cap {
            return Err(RpcError::new(PARAMETERS, "maxPriorityFeePerGas is above maxFeePerGas"));
        }
        if cap < self.deployment.base_fee {
            return Err(RpcError::new(PARAMETERS, "maxFeePerGas is below the base fee"));
        }
        if op.pre_verification_gas.value() < U256::from(PRE_VERIFICATION) {
            return Err(RpcError::new(PARAMETERS, "preVerificationGas is too low"));
        }
        let user = self.users.values().find(|user| user.swa == sender);
        let user = user.ok_or_else(|| RpcError::new(ACCOUNT, "AA20 account not deployed"))?;
        if op.factory.is_some() {
            return Err(RpcError::new(ACCOUNT, "AA10 sender already constructed"));
        }
        // With less gas than it needs the account reverts, without a reason.
        let own = |limit: u128, needed: u64| limit < needed.saturating_sub(OWN_PART).into();
        if own(op.verification_gas_limit.value(), VERIFICATION) {
            return Err(RpcError::new(ACCOUNT, "AA23 reverted"));
        }
        let Some(paymaster) = &op.paymaster else {
            return Err(RpcError::new(ACCOUNT, "AA21 didn't pay prefund"));
        };
        if !self.is_next(&sender, op.nonce.value()) {
            return Err(RpcError::new(ACCOUNT, "AA25 invalid account nonce"));
        }
        if op.verification_gas_limit.value() < VERIFICATION.into() {
            return Err(RpcError::new(ACCOUNT, "AA26 over verificationGasLimit"));
        }

        let is_ours = self.deployment.paymaster.parse::<Address>().is_ok_and(|known| known == paymaster.address);
        if !is_ours {
            return Err(RpcError::new(PAYMASTER, "AA30 paymaster not deployed"));
        }
        if self.deployment.deposit < cost {
            return Err(RpcError::new(PAYMASTER, "AA31 paymaster deposit too low"));
        }
        let limit = paymaster.verification_gas_limit.value();
        let grant = PaymasterData::decode(paymaster.data.as_slice()).ok();
        let has_form = grant.is_some() || self.deployment.grant_signer.is_empty();
        if own(limit, PAYMASTER_VERIFICATION) || !has_form {
            return Err(RpcError::new(PAYMASTER, "AA33 reverted"));
        }
        if limit < PAYMASTER_VERIFICATION.into() {
            return Err(RpcError::new(PAYMASTER, "AA36 over paymasterVerificationGasLimit"));
        }
        // Signatures and times are judged after both have answered.
        self.is_signed(op, hash, user)?;
        if let Some(grant) = grant {
            self.is_granted(op, &grant, now)?;
        }
        if !fits_in_block(op) {
            return Err(RpcError::new(PARAMETERS, "AA95 out of gas"));
        }
        Ok(user.id.clone())
    }

    /// Checks the signature of the user's session key.
    fn is_signed(&self, op: &UserOp, hash: &str, user: &User) -> Result<(), RpcError> {
        let wrong = || RpcError::new(SIGNATURE, "AA24 signature error");
        let signature = op.signature.as_ref().map(HexBytes::as_slice).unwrap_or_default();
        let (Ok(_hash), Ok(_key)) = (hash.parse::<Word>(), user.session_key.parse::<Address>()) else {
            return Err(wrong());
        };
        #[cfg(feature = "signature")]
        let is_right = check_signature(signing_digest(_hash), signature, &_key).is_ok();
        #[cfg(not(feature = "signature"))]
        let is_right = signature.len() == 65 && matches!(signature.last(), Some(27 | 28));
        if is_right { Ok(()) } else { Err(wrong()) }
    }

    /// Checks the application's grant in the paymaster data. Data of another form is no grant.
    fn is_granted(&self, op: &UserOp, grant: &PaymasterData, now: i64) -> Result<(), RpcError> {
        let signer = &self.deployment.grant_signer;
        let is_ours = self.deployment.client_swa.parse::<Address>().is_ok_and(|known| known == grant.client_swa);
        if !is_ours || !self.is_granted_by(op, grant, signer) {
            return Err(RpcError::new(SIGNATURE, "AA34 signature error"));
        }
        let seconds = u64::try_from(now.div_euclid(1_000)).unwrap_or_default();
        let is_over = grant.valid_until.get() != 0 && grant.valid_until.get() < seconds;
        if is_over || grant.valid_after.get() > seconds {
            return Err(RpcError::new(TIME, "AA32 paymaster expired or not due"));
        }
        Ok(())
    }

    #[cfg(feature = "signature")]
    fn is_granted_by(&self, op: &UserOp, data: &PaymasterData, signer: &str) -> bool {
        let Ok(signer) = signer.parse::<Address>() else { return true };
        let job = draw::uuid_of_nonce(op.nonce.value()).parse();
        let Ok(job_id) = job else { return false };
        let (client_swa, valid_until, valid_after) = (data.client_swa, data.valid_until, data.valid_after);
        let grant = sendoff::user_op::PaymasterGrant { job_id, client_swa, valid_until, valid_after };
        check_signature(signing_digest(grant.hash()), &data.signature.to_bytes(), &signer).is_ok()
    }

    #[cfg(not(feature = "signature"))]
    fn is_granted_by(&self, _: &UserOp, _: &PaymasterData, _: &str) -> bool {
        true
    }

    /// `true` if a nonce can be used.
    fn is_next(&self, sender: &str, nonce: U256) -> bool {
        match self.switches.nonces {
            Nonces::Job => !self.nonces.contains_key(&format!("{sender} {nonce}")),
            Nonces::Sequence => self.sequence(sender, key_of(nonce)) == nonce.low_u64(),
        }
    }

    /// The next sequence of a key.
    pub(crate) fn sequence(&self, sender: &str, key: U256) -> u64 {
        match self.switches.nonces {
            Nonces::Sequence => self.nonces.get(&format!("{sender} {key}")).copied().unwrap_or_default(),
            Nonces::Job => {
                let used = self.operations.iter().filter(|op| op.executed && op.sender == sender);
                let used = used.filter(|op| key_of(op.nonce) == key).map(|op| op.nonce.low_u64());
                used.max().map_or(0, |last| last.saturating_add(1))
            }
        }
    }

    /// Notes that a nonce is used.
    fn use_nonce(&mut self, sender: &str, nonce: U256) {
        let (key, next) = match self.switches.nonces {
            Nonces::Job => (nonce, 1),
            Nonces::Sequence => (key_of(nonce), nonce.low_u64().saturating_add(1)),
        };
        self.nonces.insert(format!("{sender} {key}"), next);
    }

    /// Drops a waiting operation with the same nonce, if the new one pays at least a tenth more for each unit of gas.
    fn replace(&mut self, sender: &str, nonce: U256, op: &UserOp) -> Result<(), RpcError> {
        let waiting = |known: &UserOperation| !known.executed && known.sender == sender && known.nonce == nonce;
        let Some(known) = self.operations.iter().find(|known| waiting(known)) else { return Ok(()) };
        let before = known.operation.to_json().parse::<UserOp>().ok();
        let is_higher = before.is_none_or(|before| {
            let more = |new: u128, old: u128| {
                U256::from(new).saturating_mul(10.into()) >= U256::from(old).saturating_mul(11.into())
            };
            more(op.max_fee_per_gas.value(), before.max_fee_per_gas.value())
                && more(op.max_priority_fee_per_gas.value(), before.max_priority_fee_per_gas.value())
        });
        if !is_higher {
            return Err(RpcError::new(PARAMETERS, "replacement underpriced"));
        }
        self.operations.retain(|known| !waiting(known));
        Ok(())
    }

    /// Executes an operation in its block: it pays whether its call succeeds or not.
    pub(crate) fn execute_operation(&mut self, place: usize) {
        let Some(mut operation) = self.operations.get(place).cloned() else { return };
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
            operation.gas_used = gas_used(op, used);
            let price = self.deployment.base_fee.saturating_add(op.max_priority_fee_per_gas.value().into());
            operation.gas_cost = operation.gas_used.saturating_mul(price.min(op.max_fee_per_gas.value().into()));
            self.deployment.deposit = self.deployment.deposit.saturating_sub(operation.gas_cost);
        } else {
            operation.reason = "AA25 invalid account nonce".into();
        }
        if let Some(there) = self.operations.get_mut(place) {
            *there = operation;
        }
        // Operations that wait are at the end.
        self.operations.sort_by_key(|operation| !operation.executed);
    }

    /// Executes the call, and returns the gas that it used.
    fn call(&mut self, op: &UserOp, operation: &UserOperation) -> (u64, Result<(), String>) {
        let decoded = sendoff::json::decode_call(&format!("{}", op.call_data));
        let Some(call) = decoded.ok().and_then(|call| Json::parse(&call)) else {
            return (VERIFICATION, Err("the account does not know this call data".into()));
        };
        let gas = call_gas(&call);
        let is_ours = call.text("jobManager").eq_ignore_ascii_case(&self.deployment.job_manager);
        let is_users = call.text("userSWA").eq_ignore_ascii_case(&operation.sender);
        if !is_ours || !is_users {
            let reason = if is_ours { "not the user" } else { "the account knows no such job manager" };
            return (VERIFICATION, Err(reason.into()));
        }
        if op.call_gas_limit.value() < gas.into() {
            return (u64::try_from(op.call_gas_limit.value()).unwrap_or(u64::MAX), Err(String::new()));
        }

        let Some(user) = self.users.get(&operation.user) else { return (gas, Err("not the user".into())) };
        let (chain, actions) = actions(&call, &user.wallet);
        let is_foreign = actions.iter().any(|action| action.from != user.wallet);
        if is_foreign {
            return (gas, Err("not from the user's wallet".into()));
        }
        let done = order::execute(&mut self.ledger, &chain, &actions);
        (gas, done.map_err(|(Failure::Rejected(reason) | Failure::Reverted(reason))| reason))
    }
}

/// `true` if the EntryPoint can give the call and the paymaster their gas in a block: it keeps a part, and a call gets at most 63
/// of 64 parts of what is left (EIP-150).
fn fits_in_block(op: &UserOp) -> bool {
    let post_op = op.paymaster.as_ref().map_or(0, |paymaster| paymaster.post_op_gas_limit.value());
    let wanted = op.call_gas_limit.value().saturating_add(post_op).saturating_add(INNER_OVERHEAD.into());
    wanted <= u128::from(BLOCK / 64 * 63)
}

/// The key of a nonce: its upper 192 bits.
const fn key_of(nonce: U256) -> U256 {
    let U256([_, low, middle, high]) = nonce;
    U256([low, middle, high, 0])
}

/// The gas of a call, by its intent.
pub(crate) fn call_gas(call: &Json) -> u64 {
    let kind = call.at("intent.type").and_then(Json::as_text).unwrap_or_default();
    let each = CALLS.iter().find(|(name, _)| *name == kind).map_or(0, |(_, gas)| *gas);
    let count = call.at("intent.details.transactions").and_then(Json::as_list).map_or(1, <[Json]>::len);
    each.saturating_mul(u64::try_from(count).unwrap_or(u64::MAX))
}

/// The effects of a call on the ledger: its chain, and what it moves.
pub(crate) fn actions(call: &Json, wallet: &str) -> (String, Vec<Action>) {
    let Some(details) = call.at("intent.details") else { return (String::new(), Vec::new()) };
    let text = |key: &str| details.text(key).to_ascii_lowercase();
    let number = |text: &str| {
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        hex.map_or_else(|| U256::from_dec_str(text).ok(), |hex| U256::from_str_radix(hex, 16).ok()).unwrap_or_default()
    };
    let (wallet, recipient) = (String::from(wallet), text("recipientWalletAddress"));
    let actions = match call.at("intent.type").and_then(Json::as_text).unwrap_or_default() {
        "TOKEN_TRANSFER" => {
            alloc::vec![Action::tokens(text("tokenAddress"), wallet, recipient, number(details.text("amount")))]
        }
        "NFT_TRANSFER" => {
            let id = details.text("nftId");
            // The ledger has ids of contracts; the service's own ids are UUIDs.
            let id = if id.contains('-') { id.into() } else { crate::record::decimal(number(id)) };
            alloc::vec![Action::nft(text("collectionAddress"), id, wallet, recipient, number(details.text("amount")))]
        }
        _ => {
            let list = details.get("transactions").and_then(Json::as_list).unwrap_or_default();
            let transaction = |json: &Json| {
                let lower = |key: &str| json.text(key).to_ascii_lowercase();
                Action::call(lower("from"), lower("to"), number(json.text("value")), json.text("data").into())
            };
            list.iter().map(transaction).collect()
        }
    };
    (details.text("caip2Id").into(), actions)
}

/// The gas of an operation whose call used this much: EntryPoint 0.7 adds a tenth of what the call and the paymaster left.
fn gas_used(op: &UserOp, call: u64) -> U256 {
    let paymaster = op.paymaster.as_ref();
    let post_op = paymaster.map_or(0, |paymaster| paymaster.post_op_gas_limit.value());
    let limit = U256::from(op.call_gas_limit.value()).saturating_add(post_op.into());
    let executed = U256::from(call).saturating_add(u128::from(POST_OP).min(post_op).into());
    let unused = limit.saturating_sub(executed);
    let parts = [U256::from(VERIFICATION), U256::from(PAYMASTER_VERIFICATION), op.pre_verification_gas.value()];
    let sum = parts.into_iter().fold(executed, U256::saturating_add);
    sum.saturating_add(unused.checked_div(U256::from(10)).unwrap_or_default())
}

impl UserOperation {
    /// The receipt, as ERC-7769 has it; `None` before its block.
    pub(crate) fn receipt(&self, state: &State) -> Option<Json> {
        if !self.executed || self.hidden {
            return None;
        }
        let block = quantity(self.block.into());
        let block_hash = draw::hex(&draw::draw("block", &block, self.block));
        let receipt = object([
            ("transactionHash", (&self.transaction_hash).into()),
            ("transactionIndex", "0x0".into()),
            ("blockHash", (&block_hash).into()),
            ("blockNumber", (&block).into()),
            ("from", (&state.deployment.entry_point).into()),
            ("to", (&state.deployment.entry_point).into()),
            ("cumulativeGasUsed", quantity(self.gas_used).into()),
            ("gasUsed", quantity(self.gas_used).into()),
            ("contractAddress", Json::Null),
            ("logs", Json::List(Vec::new())),
            ("status", "0x1".into()),
        ]);
        let mut answer = object([
            ("userOpHash", (&self.hash).into()),
            ("entryPoint", (&state.deployment.entry_point).into()),
            ("sender", (&self.sender).into()),
            ("nonce", quantity(self.nonce).into()),
            ("paymaster", self.operation.text("paymaster").into()),
            ("actualGasCost", quantity(self.gas_cost).into()),
            ("actualGasUsed", quantity(self.gas_used).into()),
            ("success", self.success.into()),
        ]);
        if !self.success {
            // `Error(string)`; a call that is out of gas reverts with nothing.
            let data = [&[0x08, 0xc3, 0x79, 0xa0][..], &encode_text(&self.reason)].concat();
            answer.set("reason", if self.reason.is_empty() { "0x".into() } else { draw::hex(&data).into() });
        }
        answer.set("logs", Json::List(Vec::new()));
        answer.set("receipt", receipt);
        Some(answer)
    }
}
