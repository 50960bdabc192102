//! The receipt of an operation.

use serde_json::Value;

use crate::draw;
use crate::number::quantity;
use crate::operation::UserOperation;
use crate::state::State;
use crate::view::encode_text;

/// The hash of `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`.
const EVENT: &str = "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f";

/// The hash of an operation's block.
pub(super) fn block_hash(operation: &UserOperation) -> String {
    draw::hex(&draw::draw("block", &quantity(operation.block), operation.block))
}

fn paymaster(operation: &UserOperation) -> String {
    let paymaster = operation.operation.paymaster.as_ref();
    paymaster.map(|paymaster| paymaster.address.to_string()).unwrap_or_default()
}

/// The EntryPoint's `UserOperationEvent` of an operation; `None` before its block.
pub(super) fn event(state: &State, operation: &UserOperation) -> Option<Value> {
    if !operation.executed {
        return None;
    }
    let account = |account: &str| format!("0x{:0>64}", account.get(2..).unwrap_or_default());
    let paymaster = account(&paymaster(operation).to_ascii_lowercase());
    let topics = [EVENT.into(), operation.hash.clone(), account(&operation.sender), paymaster];
    let [nonce, gas_cost, gas_used] =
        [operation.nonce, operation.gas_cost, operation.gas_used].map(|number| number.value());
    let data = [nonce, u8::from(operation.success).into(), gas_cost, gas_used];
    Some(Value::from_iter([
        ("address", Value::from(state.entry_point().address.to_string())),
        ("topics", topics.to_vec().into()),
        ("data", draw::hex(&data.map(|word| word.to_big_endian()).concat()).into()),
        ("blockNumber", quantity(operation.block).into()),
        ("blockHash", block_hash(operation).into()),
        ("transactionHash", operation.transaction_hash.clone().into()),
        ("transactionIndex", "0x0".into()),
        ("logIndex", "0x0".into()),
        ("removed", false.into()),
    ]))
}

/// The receipt, as ERC-7769 has it; `None` before its block.
pub(super) fn receipt(state: &State, operation: &UserOperation) -> Option<Value> {
    // What an intent moves is moved on its own chain.
    let event = event(state, operation).filter(|_| !operation.hidden)?;
    let entry_point = Value::from(state.entry_point().address.to_string());
    let gas_used = Value::from(quantity(operation.gas_used.value()));
    let transaction = Value::from_iter([
        ("transactionHash", Value::from(operation.transaction_hash.clone())),
        ("transactionIndex", "0x0".into()),
        ("blockHash", block_hash(operation).into()),
        ("blockNumber", quantity(operation.block).into()),
        ("from", entry_point.clone()),
        ("to", entry_point.clone()),
        ("cumulativeGasUsed", gas_used.clone()),
        ("gasUsed", gas_used.clone()),
        ("contractAddress", Value::Null),
        ("logs", vec![event.clone()].into()),
        ("status", "0x1".into()),
    ]);
    // `Error(string)`; a call that is out of gas reverts with nothing.
    let error = [&[0x08, 0xc3, 0x79, 0xa0][..], &encode_text(&operation.reason)].concat();
    let reason = if operation.reason.is_empty() { "0x".into() } else { draw::hex(&error) };
    let receipt = [
        ("userOpHash", Value::from(operation.hash.clone())),
        ("entryPoint", entry_point),
        ("sender", operation.sender.clone().into()),
        ("nonce", quantity(operation.nonce.value()).into()),
        ("paymaster", paymaster(operation).into()),
        ("actualGasCost", quantity(operation.gas_cost.value()).into()),
        ("actualGasUsed", gas_used),
        ("success", operation.success.into()),
        ("logs", vec![event].into()),
        ("receipt", transaction),
    ];
    let reason = (!operation.success).then(|| ("reason", reason.into()));
    Some(receipt.into_iter().chain(reason).collect())
}
