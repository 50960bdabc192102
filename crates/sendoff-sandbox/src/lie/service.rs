//! Lies of a bad service: replies that are late, lost, broken or of another world, and orders that
//! never end.

use alloc::{string::String, vec::Vec};

use sendoff::http::RateLimited;

use super::{How, Lie, On, each, edited};
use crate::Json;
use crate::draw::{draw, number};
use crate::fault::envelope;
use crate::http::{Delivery, Reply, Request};
use crate::order::Status;
use crate::profile::ErrorWord;
use crate::record::row;
use crate::state::State;
use crate::text::replaced;
use crate::time::NEVER;

const fn lie(name: &'static str, about: &'static str, on: On, how: How) -> Lie {
    Lie { name, about, on, may_be_ignored: false, needs_failure: false, source: "", how }
}

/// About an order that failed.
const fn failed(name: &'static str, about: &'static str, how: How) -> Lie {
    Lie { needs_failure: true, ..lie(name, about, On::Orders, how) }
}

/// In the words or the form of somebody's program.
const fn of(source: &'static str, lie: Lie) -> Lie {
    Lie { source, ..lie }
}

fn error(status: u16, code: Option<&str>, message: &str, trace: &str) -> Reply {
    Reply::json(status, &envelope(ErrorWord::Error, status, code, message, trace))
}

/// An error in the place of a JSON-RPC result, if there is one.
pub(super) fn refuse(body: &mut Json, error: Json) {
    if body.get("result").is_some() {
        body.remove("result");
        body.set("error", error);
    }
}

/// A receipt of an executed operation, without some fields and with others.
pub(super) fn reshape(body: &mut Json, removed: &[&str], set: &[(&str, &str)]) {
    let Some(receipt) = body.at_mut("result").filter(|result| **result != Json::Null) else {
        return;
    };
    for path in removed {
        match path.rsplit_once('.') {
            None => receipt.remove(path),
            Some((part, key)) => receipt.at_mut(part).into_iter().for_each(|part| part.remove(key)),
        }
    }
    for (path, json) in set {
        super::estimate::set(receipt, path, Json::parse(json).unwrap_or_default());
    }
}

/// A receipt of the operation that is asked about, whatever is true of it.
pub(super) fn forge(body: &mut Json, request: &Request, success: bool) {
    let asked = Json::parse(&request.body);
    let hash = asked.as_ref().and_then(|asked| asked.at("params.0")).cloned();
    if let Some(hash) = hash.filter(|_| body.get("result").is_some()) {
        body.set("result", row("userOpHash success", &[&hash, &success]));
    }
}

/// An error of words that no table has, other ones for each request.
fn random_refusal(trace: &str) -> Json {
    const CODES: [i64; 6] = [-32_602, -32_500, -32_507, -32_521, -32_603, -32_000];
    const SYLLABLES: [&str; 16] = [
        "ba", "do", "fi", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wa", "xe",
        "zu",
    ];
    let drawn = |purpose: &str, at: u64, of: usize| {
        let number = usize::try_from(number(draw(trace, purpose, at))).unwrap_or_default();
        number.checked_rem(of).unwrap_or_default()
    };
    let code = CODES.get(drawn("code", 0, CODES.len())).copied().unwrap_or_default();

    let mut message = String::new();
    for at in 0..12 {
        if at > 0 && at % 3 == 0 {
            message.push(' ');
        }
        let syllable = SYLLABLES.get(drawn("syllable", at, SYLLABLES.len()));
        message.push_str(syllable.copied().unwrap_or_default());
    }
    row("code message", &[&code, &message])
}

fn limited(trace: &str, retry_after: Option<&str>) -> Reply {
    let mut reply =
        error(RateLimited::STATUS, Some(RateLimited::ERROR_CODE), RateLimited::MESSAGE, trace);
    if let Some(seconds) = retry_after {
        reply.set_header("retry-after", seconds);
    }
    reply
}

fn page(status: u16) -> Reply {
    let mut reply = Reply::text(status, "<html><body>Something went wrong</body></html>".into());
    reply.set_header("content-type", "text/html");
    reply
}

fn never() -> Reply {
    let mut reply = Reply::text(504, String::new());
    reply.delivery = Delivery::Never;
    reply
}

/// Changes every list by this, the outermost only.
fn lists(json: &mut Json, change: &dyn Fn(&mut Json)) {
    match json {
        Json::List(_) => change(json),
        Json::Object(fields) => fields.iter_mut().for_each(|(_, value)| lists(value, change)),
        _ => {}
    }
}

/// Another digit at the end of a text.
fn other_end(json: &mut Json) {
    if let Json::Text(text) = json {
        let last = text.pop();
        text.push(if last == Some('0') { '1' } else { '0' });
    }
}

/// The orders and operations from these places on.
fn fates(state: &mut State, from: [usize; 2], hides: bool) -> bool {
    let [orders, operations] = from;
    for order in state.orders.iter_mut().skip(orders) {
        (order.due, order.hidden) = (NEVER, hides);
    }
    for operation in state.operations.iter_mut().skip(operations) {
        (operation.due, operation.hidden) = (NEVER, hides);
    }
    is_any(state, from)
}

fn is_any(state: &State, [orders, operations]: [usize; 2]) -> bool {
    state.orders.len() > orders || state.operations.len() > operations
}

/// The bundler loses what it accepted, once: what it lost before and is sent again stays.
fn lost(state: &mut State, [_, from]: [usize; 2]) -> bool {
    let earlier = state.operations.get(..from).unwrap_or_default();
    let was_lost: Vec<_> =
        earlier.iter().filter(|known| known.lost).map(|known| known.hash.clone()).collect();
    let mut is_any = false;
    for operation in state.operations.iter_mut().skip(from) {
        if !was_lost.contains(&operation.hash) {
            (operation.due, operation.hidden, operation.lost) = (NEVER, true, true);
            is_any = true;
        }
    }
    is_any
}

/// Later estimates of the same job are for the other account of the key.
fn deserted(state: &mut State, [_, from]: [usize; 2]) -> bool {
    let mut is_any = false;
    for operation in state.operations.iter_mut().skip(from) {
        (operation.deserted, is_any) = (true, true);
    }
    is_any
}

/// Orders alone: an operation's nonce is used once.
fn twice(state: &mut State, [orders, _]: [usize; 2]) -> bool {
    for place in orders..state.orders.len() {
        if let Some(mut order) = state.orders.get(place).cloned() {
            let created = order.created;
            order.id = state.new_id("order");
            order.hidden = true;
            state.add_order(order, created);
        }
    }
    state.orders.len() > orders
}

/// What is moved is not on the chain when the order is executed.
fn failing(state: &mut State, from: [usize; 2]) -> bool {
    let [orders, operations] = from;
    for order in state.orders.iter_mut().skip(orders) {
        order.caip2_id = String::new();
    }
    for operation in state.operations.iter_mut().skip(operations) {
        operation.user = String::new();
    }
    is_any(state, from)
}

const SETTLED: &[(&str, &str)] = &[
    ("CREATED", "SUCCESS"),
    ("RUNNING", "SUCCESS"),
    ("PENDING", "SUCCESS"),
    ("IN_PROGRESS", "SUCCESSFUL"),
];

/// The names of an order's id.
const IDS: [&str; 4] = ["orderId", "order_id", "jobId", "bulk_order_id"];
const HASHES: &[&str] = &["transaction_hash", "tx_hash"];
const SYMBOLS: &[&str] = &["symbol", "short_name", "token_name"];

#[rustfmt::skip]
pub(super) const LIES: &[Lie] = &[
    // Orders.
    lie("never-ends", "The order is accepted, and never ends.", On::Write, How::Fate(|state, from| fates(state, from, false))),
    lie("lost-order", "The order is accepted, and nobody hears of it again.", On::Write, How::Fate(|state, from| fates(state, from, true))),
    lie("fails-later", "The order is accepted, and fails.", On::Write, How::Fate(failing)),
    lie("done-twice", "The order is executed twice.", On::Write, How::Fate(twice)),
    lie("success-too-early", "An order that has not ended is shown as successful.", On::Orders, How::Reworded(SETTLED)),
    failed("success-of-a-failure", "An order that failed is shown as successful.", How::Reworded(&[(Status::Failed.as_str(), "SUCCESS"), ("REJECTED", "SUCCESS"), ("FAILURE", "SUCCESS"), ("FAILED_ON_CHAIN", "SUCCESSFUL")])),
    lie("failure-of-a-success", "An order that succeeded is shown as failed.", On::Orders, How::Reworded(&[("SUCCESS", "FAILED"), ("SUCCESSFUL", "FAILED_ON_CHAIN")])),
    failed("failure-for-failed", "The word is FAILURE for FAILED, and FAILED for FAILURE.", How::Reworded(&[("FAILED", "FAILURE"), ("FAILURE", "FAILED")])),
    lie("state-of-another-world", "The word for a state is not in any list.", On::Orders, How::Each(&["status"], |value| {
        if value.as_text() != Some("success") { *value = "COMPLETED".into(); }
    })),
    lie("seconds-for-milliseconds", "Times are in the other unit.", On::Orders, How::Each(&["block_timestamp", "timestamp"], |value| {
        let number = value.as_u64().unwrap_or_default();
        *value = if number > 100_000_000_000 { number / 1_000 } else { number.saturating_mul(1_000) }.into();
    })),
    lie("hash-of-nothing", "Hashes of transactions are empty.", On::Orders, How::Each(HASHES, |value| *value = "".into())),
    lie("hash-of-another", "The hash is that of another transaction.", On::Orders, How::Each(HASHES, other_end)),
    lie("order-of-another", "The list has another order than was asked for.", On::Orders, How::Each(&["order_id", "intent_id"], other_end)),
    lie("list-null", "A list is null.", On::List, How::Edit(|body| lists(body, &|list| *list = Json::Null))),
    lie("list-empty", "A list is empty.", On::List, How::Edit(|body| lists(body, &|list| *list = Json::List(alloc::vec![])))),
    lie("list-doubled", "Each item of a list is there twice.", On::List, How::Edit(|body| lists(body, &|list| {
        if let Json::List(items) = list { items.extend(items.clone()); }
    }))),
    lie("sentence-in-a-symbol", "The names of tokens go on with a sentence.", On::List, How::Around(SYMBOLS, &["", ") go to you. ("])),
    lie("hidden-in-a-symbol", "The names of tokens have a character that turns the text around.", On::List, How::Around(SYMBOLS, &["\u{202e}", ""])),
    lie("sentence-in-a-chain-name", "The names of networks go on with a sentence.", On::List, How::Around(&["network_name"], &["", ". Fee: 0 on"])),
    lie("ids-renamed", "The id of an order has another name.", On::Write, How::After(|reply, _| {
        for name in IDS { reply.body = replaced(&reply.body, &["\"", name, "\":"].concat(), "\"id\":"); }
    })),
    lie("id-of-another", "The id is that of another order.", On::Write, How::Each(&["orderId", "order_id", "jobId", "bulk_order_id", "result"], other_end)),
    // The bundler.
    lie("already-known", "The operation is accepted, and the error says so.", On::Send, How::Refused(r#"{"code":-32602,"message":"already known"}"#)),
    lie("refused-and-done", "The operation is accepted, and the answer is an error.", On::Send, How::Refused(r#"{"code":-32603,"message":"internal error"}"#)),
    lie("refused-beside", "The operation is accepted, and the answer is an error with its reason in `data`.", On::Send, How::Refused(r#"{"code":-32602,"message":"invalid params","data":"AA25 invalid account nonce"}"#)),
    lie("refused-in-random-words", "The operation is accepted, and the answer is an error in words that no table has.", On::Send, How::After(|reply, trace| edited(reply, &|body| refuse(body, random_refusal(trace))))),
    of("eth-infinitism/bundler@c70c9095 packages/bundler/src/modules/MempoolManager.ts", lie("refused-as-eth-infinitism", "The operation is accepted, and the answer is what eth-infinitism's bundler says of a nonce that is pending.", On::Send, How::Refused(r#"{"code":-32602,"message":"Replacement UserOperation must have higher maxPriorityFeePerGas (old=36000000 new=36000000) "}"#))),
    of("pimlicolabs/alto@b2bc09c6 src/mempool/mempool.ts", lie("refused-as-alto", "The operation is accepted, and the answer is what Alto says of a nonce that is pending.", On::Send, How::Refused(r#"{"code":-32602,"message":"AA25 invalid account nonce: User operation already present in mempool, bump the gas price by minimum 10%"}"#))),
    of("alchemyplatform/rundler@6db381f4 crates/rpc/src/eth/error.rs", lie("refused-as-rundler", "The operation is accepted, and the answer is what Rundler says of a nonce that is pending.", On::Send, How::Refused(r#"{"code":-32602,"message":"replacement underpriced","data":{"currentMaxPriorityFee":"0x2255100","currentMaxFee":"0x2255100"}}"#))),
    of("etherspot/skandha@aff6647c packages/executor/src/services/MempoolService/service.ts", lie("refused-as-skandha", "The operation is accepted, and the answer is what Skandha says of a nonce that is pending.", On::Send, How::Refused(r#"{"code":-32602,"message":"User op cannot be replaced: fee too low"}"#))),
    of("stackup-wallet/stackup-bundler@f145dfd1 pkg/modules/checks/pendingops.go", lie("refused-as-stackup", "The operation is accepted, and the answer is what Stackup's bundler says of a nonce that is pending.", On::Send, How::Refused(r#"{"code":-32602,"message":"pending ops: replacement op must increase maxFeePerGas and MaxPriorityFeePerGas by >= 10%","data":"pending ops: replacement op must increase maxFeePerGas and MaxPriorityFeePerGas by >= 10%"}"#))),
    of("candidelabs/voltaire@df8159f8 voltaire_bundler/mempool/sender_mempool.py", lie("refused-as-voltaire", "The operation is accepted, and the answer is what Voltaire says of a nonce that is pending.", On::Send, How::Refused(r#"{"code":-32602,"message":"invalid UserOperation struct/fields"}"#))),
    lie("another-account-later", "The operation is accepted, the answer is that its gas is too low, and later estimates of its job are for another account of the same key.", On::Send, How::All(&[How::Fate(deserted), How::Refused(r#"{"code":-32500,"message":"AA26 over verificationGasLimit"}"#)])),
    lie("accepted-and-lost", "The operation is accepted, and the bundler loses it. It keeps it when it is sent again.", On::Send, How::Fate(lost)),
    lie("receipt-of-another", "The receipt is that of another operation.", On::Receipt, How::Each(&["userOpHash"], other_end)),
    lie("receipt-forgotten", "There is no receipt of an executed operation.", On::Receipt, How::Each(&["result"], |value| *value = Json::Null)),
    lie("receipt-contradicts-itself", "The receipt says `success` of a reverted transaction.", On::Receipt, How::Edit(|body| {
        each(body, &["success"], &|value| *value = true.into());
        if let Some(receipt) = body.at_mut("result.receipt") { receipt.set("status", "0x0".into()); }
    })),
    lie("receipt-of-words", "The receipt says `success` in a word.", On::Receipt, How::Each(&["success"], |value| *value = "true".into())),
    lie("receipt-of-a-success", "There is a receipt of success, whatever happened.", On::Receipt, How::Forged(true)),
    lie("receipt-of-a-failure", "There is a receipt of failure, whatever happened.", On::Receipt, How::Forged(false)),
    Lie { needs_failure: true, ..lie("receipt-of-success-for-a-failure", "The receipt says `success` of a call that reverted.", On::Receipt, How::Receipt(&["reason"], &[("success", "true")])) },
    lie("receipt-without-costs", "The receipt has no gas and no cost.", On::Receipt, How::Receipt(&["actualGasUsed", "actualGasCost"], &[])),
    lie("receipt-of-no-transaction", "The receipt of the transaction is empty bytes.", On::Receipt, How::Receipt(&[], &[("receipt", r#""0x""#)])),
    lie("receipt-without-its-transaction", "The hash of the transaction is null.", On::Receipt, How::Receipt(&[], &[("receipt.transactionHash", "null")])),
    lie("receipt-with-numbers", "Status, gas and cost are numbers.", On::Receipt, How::Receipt(&[], &[("receipt.status", "1"), ("actualGasCost", "100"), ("actualGasUsed", "10")])),
    of("eth-infinitism/bundler@c70c9095 packages/bundler/src/MethodHandlerERC4337.ts", lie("receipt-as-eth-infinitism", "The receipt has no EntryPoint and no paymaster, and that of the transaction has the fields of ethers.", On::Receipt, How::Receipt(&["entryPoint", "paymaster", "reason"], &[("receipt.byzantium", "true"), ("receipt.confirmations", r#""0x1""#), ("receipt.type", r#""0x2""#)]))),
    of("alchemyplatform/rundler@6db381f4 crates/rpc/src/types/mod.rs", lie("receipt-as-rundler", "The receipt has an empty reason and a status in a word.", On::Receipt, How::Receipt(&[], &[("reason", r#""""#), ("status", r#""mined""#)]))),
    of("stackup-wallet/stackup-bundler@f145dfd1 pkg/entrypoint/filter/receipt.go", lie("receipt-as-stackup", "The receipt has no EntryPoint, and that of the transaction has no status and no recipient.", On::Receipt, How::Receipt(&["entryPoint", "reason", "receipt.status", "receipt.to", "receipt.contractAddress"], &[("from", r#""0x5afe0000000000000000000000000000000bad00""#), ("receipt.effectiveGasPrice", r#""0x2255100""#)]))),
    of("candidelabs/voltaire@df8159f8 voltaire_bundler/user_operation/user_operation_handler.py", lie("receipt-as-voltaire", "That of the transaction has no status and no recipient, and an empty price of gas.", On::Receipt, How::Receipt(&["reason", "receipt.status", "receipt.to", "receipt.contractAddress"], &[("receipt.effectiveGasPrice", r#""0x""#)]))),
    of("bcnmy/bundler@60850b3a src/relayer/transaction-listener/EVMTransactionListener.ts", lie("receipt-as-biconomy", "Success and the transaction's status are words, costs are numbers, and the logs are null.", On::Receipt, How::Receipt(&[], &[("success", r#""true""#), ("actualGasCost", "100"), ("actualGasUsed", "10"), ("reason", r#""null""#), ("logs", "null"), ("receipt.status", r#""success""#), ("receipt.blockNumber", r#""1""#)]))),
    of("silius-rs/silius@492b511a crates/primitives/src/user_operation/mod.rs", lie("receipt-as-silius", "The receipt has no EntryPoint and no paymaster, and an empty reason.", On::Receipt, How::Receipt(&["entryPoint", "paymaster"], &[("reason", r#""""#)]))),
    // HTTP.
    lie("rate-limited", "The rate limit, with the seconds until it ends.", On::Any, How::Instead(|trace| limited(trace, Some("2")))),
    lie("rate-limited-wrongly", "The rate limit, with `retry-after: 0`.", On::Any, How::Instead(|trace| limited(trace, Some("0")))),
    lie("rate-limited-by-date", "The rate limit, with a date that is over in `retry-after`.", On::Any, How::Instead(|trace| limited(trace, Some("Thu, 01 Jan 1970 00:00:00 GMT")))),
    lie("rate-limited-silently", "The rate limit, without `retry-after`.", On::Any, How::Instead(|trace| limited(trace, None))),
    lie("unavailable", "503, and nothing is done.", On::Any, How::Instead(|trace| error(503, None, "Service Unavailable", trace))),
    lie("unauthorized", "401, although the token is right.", On::Any, How::Instead(|trace| error(401, Some("OAU_501"), "the token has expired, log in again", trace))),
    lie("page-for-json", "A page of HTML with the status 200, and nothing is done.", On::Any, How::Instead(|_| page(200))),
    lie("timeout-before", "No reply, and nothing is done.", On::Any, How::Instead(|_| never())),
    lie("timeout-after", "Done, and no reply.", On::Any, How::After(|reply, _| reply.delivery = Delivery::Never)),
    lie("error-after", "Done, and the reply is 500.", On::Any, How::After(|reply, trace| *reply = error(500, Some("ER-TECH-0005"), "Something went wrong", trace))),
    lie("gateway-timeout-after", "Done, and the reply is 504 with a page of HTML.", On::Any, How::After(|reply, _| *reply = page(504))),
    lie("error-as-success", "An error with the status 200, and nothing is done.", On::Any, How::Instead(|trace| {
        let mut reply = error(500, Some("ER-TECH-0005"), "Something went wrong", trace);
        reply.status = 200;
        reply
    })),
    lie("half-a-body", "Done, and the connection breaks in the middle of the body.", On::Any, How::After(|reply, _| reply.delivery = Delivery::Half)),
    lie("empty-body", "Done, and the body is empty.", On::Any, How::After(|reply, _| reply.body = String::new())),
    lie("slow", "Done, and the reply comes after half a minute.", On::Any, How::After(|reply, _| reply.delay_ms = 30_000)),
    lie("not-json", "The type of the content is JSON, and the content is not.", On::Any, How::Spelled("\"", "'")),
];
