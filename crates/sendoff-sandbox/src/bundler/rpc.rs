//! The bundler's JSON-RPC: ERC-7769, and the reads of a chain node that a client needs beside it.

use sendoff::http::Opaque;
use sendoff::primitive_types::U256;
use sendoff::user_op::Call;
use sendoff::value::{Address, HexBytes};
use serde::Serialize;
use serde_json::{Value, to_value};

use super::error::{PARAMETERS, RpcError};
use super::gas::limits;
use super::nonces::sequence;
use super::receipt::{block_hash, event, receipt};
use super::submit::submit;
use super::validate::account;
use crate::draw::hex;
use crate::json::{self, cut, text};
use crate::number::quantity;
use crate::operation::UserOperation;
use crate::state::State;
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

/// A call of JSON-RPC.
pub(crate) fn read(body: &str) -> Option<Value> {
    let opaque: Opaque = body.parse().ok()?;
    json::parse(opaque.as_str()).ok()
}

/// Answers a JSON-RPC request.
pub(crate) fn answer(state: &mut State, body: &str, now: i64) -> Value {
    let request = read(body);
    let id = request.as_ref().map_or(&Value::Null, |request| json::at(request, "id")).clone();
    let outcome = match &request {
        Some(request) => match (json::at(request, "method"), json::at(request, "params")) {
            (Value::String(method), Value::Array(params)) => call(state, method, params, now),
            (Value::String(method), Value::Null) => call(state, method, &[], now),
            _ => Err(RpcError::new(-32_600, "expected `method` and a list of `params`")),
        },
        None => Err(RpcError::new(-32_700, "expected JSON")),
    };
    let answer = match outcome {
        Ok(result) => ("result", result),
        Err(error) => ("error", to_value(error).unwrap_or_default()),
    };
    Value::from_iter([("jsonrpc", "2.0".into()), ("id", id), answer])
}

fn call(state: &mut State, method: &str, params: &[Value], now: i64) -> Result<Value, RpcError> {
    Ok(match (method, params) {
        ("eth_chainId", []) => quantity(state.deployment.chain_id.value()).into(),
        ("eth_supportedEntryPoints", []) => vec![state.entry_point().address.to_string()].into(),
        (SEND, [operation, entry_point]) => {
            known_entry_point(state, entry_point)?;
            submit(state, operation, now)?.into()
        }
        ("eth_estimateUserOperationGas", [operation, entry_point, ..]) => {
            known_entry_point(state, entry_point)?;
            let expected = "an operation with an address as `sender` and `callData` in hex";
            let sender = text(operation, "sender").parse::<Address>();
            let data = text(operation, "callData").parse::<HexBytes>();
            let (Ok(sender), Ok(data)) = (sender, data) else {
                return Err(unexpected(expected, operation));
            };
            account(state, &sender)?;
            let call = Call::decode(data.as_slice()).ok();
            value(&limits(call.map(|call| call.intent).as_ref()))?
        }
        ("eth_getUserOperationByHash", [hash]) => {
            find(state, hash)?.map(|operation| by_hash(state, operation)).transpose()?.into()
        }
        ("eth_getUserOperationReceipt", [hash]) => {
            find(state, hash)?.and_then(|operation| receipt(state, operation)).into()
        }
        ("eth_call", [call, ..]) => eth_call(state, call)?.into(),
        // As far as a client reads it.
        ("eth_getBlockByNumber", [Value::String(_), ..]) => {
            let seconds = now.div_euclid(1_000).max(0).unsigned_abs();
            let [number, timestamp] = [state.blocks, seconds].map(quantity);
            Value::from_iter([("number", number), ("timestamp", timestamp)])
        }
        ("eth_getLogs", [filter @ Value::Object(_)]) => logs(state, filter).into(),
        _ if METHODS.contains(&method) => {
            let found = Value::Array(params.to_vec());
            return Err(unexpected(&format!("the parameters of `{method}`"), &found));
        }
        _ => {
            let (expected, found) = (METHODS.join("`, `"), cut(method));
            let said = format!("expected one of the methods `{expected}`, found `{found}`");
            return Err(RpcError::new(-32_601, said));
        }
    })
}

fn value(result: &impl Serialize) -> Result<Value, RpcError> {
    to_value(result).map_err(|error| RpcError::new(-32_603, error.to_string()))
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

/// An operation with its block; it has none before it is executed.
fn by_hash(state: &State, operation: &UserOperation) -> Result<Value, RpcError> {
    let executed = |text: String| operation.executed.then_some(text).into();
    Ok(Value::from_iter([
        ("userOperation", value(&operation.operation)?),
        ("entryPoint", state.entry_point().address.to_string().into()),
        ("blockNumber", executed(quantity(operation.block))),
        ("blockHash", executed(block_hash(operation))),
        ("transactionHash", executed(operation.transaction_hash.clone())),
    ]))
}

/// The EntryPoint's events with these topics. Blocks do not count: none is taken back, so each is
/// final.
fn logs(state: &State, filter: &Value) -> Vec<Value> {
    let is = |asked: &Value, found: &Value| {
        let texts = asked.as_str().zip(found.as_str());
        texts.is_some_and(|(asked, found)| asked.eq_ignore_ascii_case(found))
    };
    // Null is any, and a list is one of it.
    let fits = |asked: &Value, found: &Value| match asked {
        Value::Null => true,
        Value::Array(any) => any.iter().any(|asked| is(asked, found)),
        asked => is(asked, found),
    };
    let topics = json::at(filter, "topics").as_array().map(Vec::as_slice).unwrap_or_default();
    let is_asked = |log: &Value| {
        let found = |at| json::at(log, "topics").get(at).unwrap_or(&Value::Null);
        fits(json::at(filter, "address"), json::at(log, "address"))
            && topics.iter().enumerate().all(|(at, asked)| fits(asked, found(at)))
    };
    let events = state.operations.iter().filter_map(|operation| event(state, operation));
    events.filter(is_asked).collect()
}

/// Reads a contract: `getNonce` of the EntryPoint, and the ledger's own on any of its chains.
fn eth_call(state: &State, call: &Value) -> Result<String, RpcError> {
    let to = text(call, "to").to_ascii_lowercase();
    let data = text(call, "data").parse::<HexBytes>();
    let data = data.map_err(|_| unexpected("a call with `data` in hex", call))?;
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
    let ledger = &state.ledger;
    let has =
        |chain: &str| ledger.token(chain, &to).is_some() || ledger.collection(chain, &to).is_some();
    let chain = chains.find(|chain| has(chain)).unwrap_or_default();
    let answer = function.read(ledger, &chain, &to, &args).map_err(reverted)?;
    Ok(hex(&function.encode(&answer)))
}
