//! The bundler's JSON-RPC: ERC-7769, and the reads of a chain node that a client needs beside it.

use alloc::{string::String, vec::Vec};

use sendoff::primitive_types::U256;
use sendoff::value::{Address, HexBytes};

use crate::Json;
use crate::draw::hex;
use crate::entry_point::{RpcError, UserOperation, call_limit};
use crate::fault::sentence;
use crate::json::object;
use crate::numbers::quantity;
use crate::record::row;
use crate::signed::Judge;
use crate::state::State;
use crate::text::cut;
use crate::view::{View, unread};

/// `getNonce(address,uint192)`.
const GET_NONCE: [u8; 4] = [0x35, 0x56, 0x7e, 0x1a];

/// The method that sends a user operation.
pub(crate) const SEND: &str = "eth_sendUserOperation";

/// Answers a JSON-RPC request.
pub(crate) fn answer(state: &mut State, body: &str, now: i64, judge: Judge<'_>) -> Json {
    let Some(request) = Json::parse(body) else {
        return failed(Json::Null, &RpcError::new(-32_700, "expected JSON"));
    };
    let id = request.get("id").cloned().unwrap_or(Json::Null);
    let none = Vec::new();
    let (method, params) = match (request.get("method"), request.get("params")) {
        (Some(Json::Text(method)), Some(Json::List(params))) => (method, params),
        (Some(Json::Text(method)), None) => (method, &none),
        _ => {
            return failed(
                id,
                &RpcError::new(-32_600, "expected a request with `method` and a list of `params`"),
            );
        }
    };
    match call(state, method, params, now, judge) {
        Ok(result) => object([("jsonrpc", "2.0".into()), ("id", id), ("result", result)]),
        Err(error) => failed(id, &error),
    }
}

fn failed(id: Json, error: &RpcError) -> Json {
    let error = row("code message", &[&error.code, &error.message]);
    object([("jsonrpc", "2.0".into()), ("id", id), ("error", error)])
}

fn call(
    state: &mut State,
    method: &str,
    params: &[Json],
    now: i64,
    judge: Judge<'_>,
) -> Result<Json, RpcError> {
    let parameters = |message| RpcError::new(-32_602, message);
    match (method, params) {
        ("eth_chainId", []) => Ok(quantity(state.deployment.chain_id.into()).into()),
        ("eth_supportedEntryPoints", []) => {
            Ok(Json::List(alloc::vec![(&state.deployment.entry_point).into()]))
        }
        ("eth_sendUserOperation", [operation, entry_point]) => {
            known_entry_point(state, entry_point)?;
            state.submit(operation, now, judge).map(Json::from)
        }
        ("eth_estimateUserOperationGas", [operation, entry_point, ..]) => {
            known_entry_point(state, entry_point)?;
            let sender = operation.text("sender").parse::<Address>().ok();
            let sender = sender.filter(|_| operation.text("callData").parse::<HexBytes>().is_ok());
            let sender = sender.ok_or_else(|| {
                parameters(
                    "expected an operation with an address as `sender` and `callData` in hex",
                )
            })?;
            state.account(&sender)?;
            Ok(gas(operation))
        }
        ("eth_getUserOperationByHash", [hash]) => {
            Ok(find(state, hash)?.map_or(Json::Null, |operation| by_hash(state, operation)))
        }
        ("eth_getUserOperationReceipt", [hash]) => {
            let receipt = find(state, hash)?.and_then(|operation| operation.receipt(state));
            Ok(receipt.unwrap_or(Json::Null))
        }
        ("eth_call", [call, ..]) => eth_call(state, call),
        ("eth_getBlockByNumber", [Json::Text(_), ..]) => Ok(row(
            "number timestamp",
            &[
                &quantity(state.blocks.into()),
                &quantity(now.div_euclid(1_000).max(0).unsigned_abs().into()),
            ],
        )),
        ("eth_getLogs", [filter @ Json::Object(_)]) => Ok(logs(state, filter)),
        (
            "eth_chainId"
            | "eth_supportedEntryPoints"
            | "eth_sendUserOperation"
            | "eth_estimateUserOperationGas"
            | "eth_getUserOperationByHash"
            | "eth_getUserOperationReceipt"
            | "eth_call"
            | "eth_getBlockByNumber"
            | "eth_getLogs",
            _,
        ) => {
            let expected = ["the parameters of `", method, "`"].concat();
            Err(unexpected(&expected, &Json::List(params.to_vec())))
        }
        _ => Err(RpcError {
            code: -32_601,
            message: ["the pocket service has no method `", cut(method), "`"].concat(),
        }),
    }
}

/// A parameter that is not what was expected.
fn unexpected(expected: &str, found: &Json) -> RpcError {
    RpcError { code: -32_602, message: sentence(expected, Some(&found.to_json())) }
}

fn known_entry_point(state: &State, entry_point: &Json) -> Result<(), RpcError> {
    let known = &state.deployment.entry_point;
    if entry_point.as_text().is_some_and(|text| text.eq_ignore_ascii_case(known)) {
        return Ok(());
    }
    Err(unexpected(&["the EntryPoint ", known].concat(), entry_point))
}

fn find<'a>(state: &'a State, hash: &Json) -> Result<Option<&'a UserOperation>, RpcError> {
    let is_hash = |hash: &&str| hash.parse::<HexBytes>().is_ok_and(|hash| hash.len() == 32);
    let hash = hash
        .as_text()
        .filter(is_hash)
        .ok_or_else(|| unexpected("a hash, 32 bytes in hex", hash))?;
    let is_it =
        |operation: &&UserOperation| operation.hash.eq_ignore_ascii_case(hash) && !operation.hidden;
    Ok(state.operations.iter().rev().find(is_it))
}

fn by_hash(state: &State, operation: &UserOperation) -> Json {
    let block = operation.executed.then(|| quantity(operation.block.into()));
    let block_hash = operation.executed.then(|| operation.block_hash());
    let transaction = operation.executed.then(|| operation.transaction_hash.clone());
    row(
        "userOperation entryPoint blockNumber blockHash transactionHash",
        &[&operation.operation, &state.deployment.entry_point, &block, &block_hash, &transaction],
    )
}

/// The gas limits of an operation.
fn gas(operation: &Json) -> Json {
    let call = sendoff::json::decode_call(operation.text("callData"))
        .ok()
        .and_then(|call| Json::parse(&call));
    limits(&call.unwrap_or_default())
}

/// The gas limits of a call: the constants of the service's public SDK, so that figures which fit the live service fit here.
pub(crate) fn limits(call: &Json) -> Json {
    row(
        "callGasLimit verificationGasLimit preVerificationGas paymasterVerificationGasLimit paymasterPostOpGasLimit",
        &[&quantity(call_limit(call).into()), &"0x61a80", &"0x186a0", &"0x30d40", &"0x30d40"],
    )
}

/// The EntryPoint's events with these topics. Blocks do not count: none is taken back, so each is final.
fn logs(state: &State, filter: &Json) -> Json {
    let is_there = |address: &Json| {
        address.as_text().is_some_and(|at| at.eq_ignore_ascii_case(&state.deployment.entry_point))
    };
    let topics = filter.get("topics").and_then(Json::as_list).unwrap_or_default();
    let fits = |log: &Json| {
        let found = log.get("topics").and_then(Json::as_list).unwrap_or_default();
        topics.iter().enumerate().all(|(at, topic)| {
            let is = |topic: &Json| match (topic.as_text(), found.get(at).and_then(Json::as_text)) {
                (Some(topic), Some(found)) => topic.eq_ignore_ascii_case(found),
                _ => false,
            };
            *topic == Json::Null
                || is(topic)
                || topic.as_list().is_some_and(|any| any.iter().any(is))
        })
    };
    let events = state.operations.iter().filter_map(|operation| operation.event(state));
    let is_asked = filter.get("address").is_none_or(is_there);
    Json::List(events.filter(|log| is_asked && fits(log)).collect())
}

/// Reads a contract: `getNonce` of the EntryPoint, and the ledger's own on any of its chains.
fn eth_call(state: &State, call: &Json) -> Result<Json, RpcError> {
    let to = call.text("to").to_ascii_lowercase();
    let Ok(data) = call.text("data").parse::<HexBytes>() else {
        return Err(RpcError::new(-32_602, "expected a call with `data` in hex"));
    };
    let data: Vec<u8> = data.into();
    let reverted =
        |said: String| RpcError { code: 3, message: ["execution reverted: ", &said].concat() };
    let function = View::of_data(&data);
    let selector = || hex(data.get(..4).unwrap_or(&data));
    let name = function.map_or_else(selector, |function| function.name.into());
    let unreadable = || reverted(unread(&name, &to, ""));

    if to.eq_ignore_ascii_case(&state.deployment.entry_point) {
        let arguments =
            data.strip_prefix(&GET_NONCE).filter(|rest| rest.len() == 64).ok_or_else(unreadable)?;
        let (sender, key) = arguments.split_at_checked(32).ok_or_else(unreadable)?;
        let sender = hex(sender.get(12..).unwrap_or_default());
        let key = U256::from_big_endian(key);
        let U256([low, middle, high, _]) = key;
        let next = U256([state.sequence(&sender, key), low, middle, high]);
        return Ok(hex(&next.to_big_endian()).into());
    }
    let function = function.ok_or_else(unreadable)?;
    let args = function.decode(&data).ok_or_else(unreadable)?;
    let chains = state.catalogue.0.known_chains().iter().map(|chain| String::from(&chain.caip2_id));
    let chain = chains.into_iter().find(|chain| state.ledger.has(chain, &to)).unwrap_or_default();
    let answer = function.read(&state.ledger, &chain, &to, &args).map_err(reverted)?;
    Ok(hex(&function.encode(&answer)).into())
}
