//! The receipt of an operation.

use serde::Serialize;

use crate::draw;
use crate::number::quantity;
use crate::state::{State, UserOperation};
use crate::view::encode_text;

/// The hash of `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`.
const EVENT: &str = "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f";

/// A log of the EntryPoint.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Log {
    pub(super) address: String,
    pub(super) topics: [String; 4],
    data: String,
    block_number: String,
    block_hash: String,
    transaction_hash: String,
    transaction_index: &'static str,
    log_index: &'static str,
    removed: bool,
}

/// The receipt of the transaction of an operation.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TransactionReceipt {
    transaction_hash: String,
    transaction_index: &'static str,
    block_hash: String,
    block_number: String,
    from: String,
    to: String,
    cumulative_gas_used: String,
    gas_used: String,
    contract_address: Option<String>,
    logs: [Log; 1],
    status: &'static str,
}

/// The receipt of an operation, as ERC-7769 has it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Receipt {
    user_op_hash: String,
    entry_point: String,
    sender: String,
    nonce: String,
    paymaster: String,
    actual_gas_cost: String,
    actual_gas_used: String,
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    logs: [Log; 1],
    receipt: TransactionReceipt,
}

/// The hash of an operation's block.
pub(super) fn block_hash(operation: &UserOperation) -> String {
    draw::hex(&draw::draw("block", &quantity(operation.block), operation.block))
}

fn paymaster(operation: &UserOperation) -> String {
    let paymaster = operation.operation.paymaster.as_ref();
    paymaster.map(|paymaster| paymaster.address.to_string()).unwrap_or_default()
}

/// The EntryPoint's `UserOperationEvent` of an operation; `None` before its block.
pub(super) fn event(state: &State, operation: &UserOperation) -> Option<Log> {
    if !operation.executed {
        return None;
    }
    let account = |account: &str| format!("0x{:0>64}", account.get(2..).unwrap_or_default());
    let paymaster = account(&paymaster(operation).to_ascii_lowercase());
    let success = u8::from(operation.success).into();
    let data = [operation.nonce, success, operation.gas_cost, operation.gas_used];
    Some(Log {
        address: state.entry_point().address.to_string(),
        topics: [EVENT.into(), operation.hash.clone(), account(&operation.sender), paymaster],
        data: draw::hex(&data.map(|word| word.to_big_endian()).concat()),
        block_number: quantity(operation.block),
        block_hash: block_hash(operation),
        transaction_hash: operation.transaction_hash.clone(),
        transaction_index: "0x0",
        log_index: "0x0",
        removed: false,
    })
}

/// The receipt; `None` before its block.
pub(super) fn receipt(state: &State, operation: &UserOperation) -> Option<Receipt> {
    if operation.hidden {
        return None;
    }
    // What an intent moves is moved on its own chain.
    let logs = [event(state, operation)?];
    let entry_point = state.entry_point().address.to_string();
    let gas_used = quantity(operation.gas_used);
    // `Error(string)`; a call that is out of gas reverts with nothing.
    let error = [&[0x08, 0xc3, 0x79, 0xa0][..], &encode_text(&operation.reason)].concat();
    let reason = if operation.reason.is_empty() { "0x".into() } else { draw::hex(&error) };
    Some(Receipt {
        user_op_hash: operation.hash.clone(),
        entry_point: entry_point.clone(),
        sender: operation.sender.clone(),
        nonce: quantity(operation.nonce),
        paymaster: paymaster(operation),
        actual_gas_cost: quantity(operation.gas_cost),
        actual_gas_used: gas_used.clone(),
        success: operation.success,
        reason: (!operation.success).then_some(reason),
        logs: logs.clone(),
        receipt: TransactionReceipt {
            transaction_hash: operation.transaction_hash.clone(),
            transaction_index: "0x0",
            block_hash: block_hash(operation),
            block_number: quantity(operation.block),
            from: entry_point.clone(),
            to: entry_point,
            cumulative_gas_used: gas_used.clone(),
            gas_used,
            contract_address: None,
            logs,
            status: "0x1",
        },
    })
}
