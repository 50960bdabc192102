//! The bundler's JSON-RPC: ERC-7769, and the reads of a chain node that a client needs beside it.

use sendoff::http::Opaque;
use sendoff::primitive_types::U256;
use sendoff::user_op::UserOp;
use sendoff::value::{Address, HexBytes};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::gas::{limits, transactions};
use super::nonces::sequence;
use super::receipt::{Log, block_hash, event, receipt};
use super::validate::account;
use super::{PARAMETERS, RpcError, decoded, submit};
use crate::draw::hex;
use crate::json::{self, cut, text};
use crate::number::quantity;
use crate::signed::Moment;
use crate::state::{State, UserOperation};
use crate::view::{View, unread};

/// `getNonce(address,uint192)`.
const GET_NONCE: [u8; 4] = [0x35, 0x56, 0x7e, 0x1a];

/// The method that sends a user operation.
pub(crate) const SEND: &str = "eth_sendUserOperation";

/// The methods.
const METHODS: [&str; 9] = [
    SEND,
    "eth_chainId",
    "eth_supportedEntryPoints",
    "eth_estimateUserOperationGas",
    "eth_getUserOperationByHash",
    "eth_getUserOperationReceipt",
    "eth_call",
    "eth_getBlockByNumber",
    "eth_getLogs",
];

/// An answer of JSON-RPC.
#[derive(Serialize)]
pub(crate) struct Answer {
    jsonrpc: &'static str,
    id: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<RpcError>,
}

/// A call of JSON-RPC.
pub(crate) fn read(body: &str) -> Option<Value> {
    let opaque: Opaque = body.parse().ok()?;
    json::parse(opaque.as_str()).ok()
}

/// Answers a JSON-RPC request.
pub(crate) fn answer(state: &mut State, body: &str, at: Moment<'_>) -> Answer {
    let Some(request) = read(body) else {
        let error = Some(RpcError::new(-32_700, "expected JSON"));
        return Answer { jsonrpc: "2.0", id: Value::Null, result: None, error };
    };
    let outcome = match (json::at(&request, "method"), json::at(&request, "params")) {
        (Value::String(method), Value::Array(params)) => call(state, method, params, at),
        (Value::String(method), Value::Null) => call(state, method, &[], at),
        _ => {
            let said = "expected a request with `method` and a list of `params`";
            Err(RpcError::new(-32_600, said))
        }
    };
    let (result, error) = match outcome {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(error)),
    };
    Answer { jsonrpc: "2.0", id: json::at(&request, "id").clone(), result, error }
}

/// A block, as far as a client reads it.
#[derive(Serialize)]
struct Block {
    number: String,
    timestamp: String,
}

/// An operation with its block.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ByHash<'a> {
    user_operation: &'a UserOp,
    entry_point: Address,
    block_number: Option<String>,
    block_hash: Option<String>,
    transaction_hash: Option<&'a str>,
}

fn call(
    state: &mut State,
    method: &str,
    params: &[Value],
    at: Moment<'_>,
) -> Result<Box<RawValue>, RpcError> {
    match (method, params) {
        ("eth_chainId", []) => raw(&quantity(state.deployment.chain_id.value())),
        ("eth_supportedEntryPoints", []) => raw(&[state.entry_point().address]),
        (SEND, [operation, entry_point]) => {
            known_entry_point(state, entry_point)?;
            raw(&submit(state, operation, at)?)
        }
        ("eth_estimateUserOperationGas", [operation, entry_point, ..]) => {
            known_entry_point(state, entry_point)?;
            let sender = text(operation, "sender").parse::<Address>();
            let data = text(operation, "callData").parse::<HexBytes>();
            let (Ok(sender), Ok(data)) = (sender, data) else {
                let said =
                    "expected an operation with an address as `sender` and `callData` in hex";
                return Err(RpcError::new(PARAMETERS, said));
            };
            account(state, &sender)?;
            raw(&limits(decoded(&data).map_or(1, |call| transactions(&call.intent))))
        }
        ("eth_getUserOperationByHash", [hash]) => {
            raw(&find(state, hash)?.map(|operation| by_hash(state, operation)))
        }
        ("eth_getUserOperationReceipt", [hash]) => {
            raw(&find(state, hash)?.and_then(|operation| receipt(state, operation)))
        }
        ("eth_call", [call, ..]) => raw(&eth_call(state, call)?),
        ("eth_getBlockByNumber", [Value::String(_), ..]) => raw(&Block {
            number: quantity(state.blocks),
            timestamp: quantity(at.now.div_euclid(1_000).max(0).unsigned_abs()),
        }),
        ("eth_getLogs", [filter @ Value::Object(_)]) => raw(&logs(state, filter)),
        _ if METHODS.contains(&method) => {
            let found = Value::Array(params.to_vec());
            Err(unexpected(&format!("the parameters of `{method}`"), &found))
        }
        _ => {
            let said = format!("the pocket service has no method `{}`", cut(method));
            Err(RpcError::new(-32_601, said))
        }
    }
}

fn raw(result: &impl Serialize) -> Result<Box<RawValue>, RpcError> {
    to_raw_value(result).map_err(|error| RpcError::new(-32_603, error.to_string()))
}

/// A parameter that is not what was expected.
fn unexpected(expected: &str, found: &Value) -> RpcError {
    let found = found.to_string();
    RpcError::new(PARAMETERS, format!("expected {expected}, found `{}`", cut(&found)))
}

fn known_entry_point(state: &State, entry_point: &Value) -> Result<(), RpcError> {
    let known = state.entry_point().address.to_string();
    if entry_point.as_str().is_some_and(|text| text.eq_ignore_ascii_case(&known)) {
        return Ok(());
    }
    Err(unexpected(&format!("the EntryPoint {known}"), entry_point))
}

fn find<'a>(state: &'a State, hash: &Value) -> Result<Option<&'a UserOperation>, RpcError> {
    let is_hash = |hash: &&str| hash.parse::<HexBytes>().is_ok_and(|hash| hash.len() == 32);
    let hash =
        hash.as_str().filter(is_hash).ok_or_else(|| unexpected("a hash, 32 bytes in hex", hash))?;
    let is_it =
        |operation: &&UserOperation| operation.hash.eq_ignore_ascii_case(hash) && !operation.hidden;
    Ok(state.operations.iter().rev().find(is_it))
}

fn by_hash<'a>(state: &State, operation: &'a UserOperation) -> ByHash<'a> {
    let executed = operation.executed;
    ByHash {
        user_operation: &operation.operation,
        entry_point: state.entry_point().address,
        block_number: executed.then(|| quantity(operation.block)),
        block_hash: executed.then(|| block_hash(operation)),
        transaction_hash: executed.then_some(&operation.transaction_hash),
    }
}

/// The EntryPoint's events with these topics. Blocks do not count: none is taken back, so each is
/// final.
fn logs(state: &State, filter: &Value) -> Vec<Log> {
    let is = |asked: &Value, found: &str| {
        asked.as_str().is_some_and(|asked| asked.eq_ignore_ascii_case(found))
    };
    let topics = json::at(filter, "topics").as_array().map(Vec::as_slice).unwrap_or_default();
    let fits = |log: &Log| {
        topics.iter().enumerate().all(|(at, asked)| {
            let found = log.topics.get(at);
            let fits = |asked: &Value| found.is_some_and(|found| is(asked, found));
            let any = asked.as_array();
            asked.is_null() || fits(asked) || any.is_some_and(|any| any.iter().any(fits))
        })
    };
    let address = json::at(filter, "address");
    let is_asked = |log: &Log| address.is_null() || is(address, &log.address);
    let events = state.operations.iter().filter_map(|operation| event(state, operation));
    events.filter(|log| is_asked(log) && fits(log)).collect()
}

/// Reads a contract: `getNonce` of the EntryPoint, and the ledger's own on any of its chains.
fn eth_call(state: &State, call: &Value) -> Result<String, RpcError> {
    let to = text(call, "to").to_ascii_lowercase();
    let Ok(data) = text(call, "data").parse::<HexBytes>() else {
        return Err(RpcError::new(PARAMETERS, "expected a call with `data` in hex"));
    };
    let data = data.as_slice();
    let reverted = |said: String| RpcError::new(3, format!("execution reverted: {said}"));
    let function = View::of_data(data);
    let selector = || hex(data.get(..4).unwrap_or(data));
    let name = function.map_or_else(selector, |function| function.name.into());
    let unreadable = || reverted(unread(&name, &to, ""));

    if to.eq_ignore_ascii_case(&state.entry_point().address.to_string()) {
        let arguments =
            data.strip_prefix(&GET_NONCE).filter(|rest| rest.len() == 64).ok_or_else(unreadable)?;
        let (sender, key) = arguments.split_at_checked(32).ok_or_else(unreadable)?;
        let sender = hex(sender.get(12..).unwrap_or_default());
        let key = U256::from_big_endian(key);
        let U256([low, middle, high, _]) = key;
        let next = U256([sequence(state, &sender, key), low, middle, high]);
        return Ok(hex(&next.to_big_endian()));
    }
    let function = function.ok_or_else(unreadable)?;
    let args = function.decode(data).ok_or_else(unreadable)?;
    let mut chains = state.catalogue.known_chains().iter().map(|chain| chain.caip2_id.to_string());
    let chain = chains.find(|chain| state.ledger.has(chain, &to)).unwrap_or_default();
    let answer = function.read(&state.ledger, &chain, &to, &args).map_err(reverted)?;
    Ok(hex(&function.encode(&answer)))
}
