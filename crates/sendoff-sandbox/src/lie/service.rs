//! Lies of a bad service: replies that are late, lost, broken or of another world, and orders that
//! never end.

use alloc::string::String;

use sendoff::http::RateLimited;

use super::{How, Lie, On, each};
use crate::Json;
use crate::fault::envelope;
use crate::http::{Delivery, Reply};
use crate::order::Status;
use crate::profile::ErrorWord;
use crate::state::State;
use crate::text::replaced;
use crate::time::NEVER;

const fn lie(name: &'static str, about: &'static str, on: On, how: How) -> Lie {
    Lie { name, about, on, may_be_ignored: false, needs_failure: false, how }
}

/// About an order that failed.
const fn failed(name: &'static str, about: &'static str, how: How) -> Lie {
    Lie { needs_failure: true, ..lie(name, about, On::Orders, how) }
}

fn error(status: u16, code: Option<&str>, message: &str, trace: &str) -> Reply {
    Reply::json(status, &envelope(ErrorWord::Error, status, code, message, trace))
}

/// An error in the place of a JSON-RPC result, if there is one.
fn refuse(body: &mut Json, error: &str) {
    if body.get("result").is_some() {
        body.remove("result");
        body.set("error", Json::parse(error).unwrap_or_default());
    }
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
    lie("already-known", "The operation is accepted, and the error says so.", On::Send, How::Edit(|body| refuse(body, r#"{"code":-32602,"message":"already known"}"#))),
    lie("refused-and-done", "The operation is accepted, and the answer is an error.", On::Send, How::Edit(|body| refuse(body, r#"{"code":-32603,"message":"internal error"}"#))),
    lie("receipt-of-another", "The receipt is that of another operation.", On::Receipt, How::Each(&["userOpHash"], other_end)),
    lie("receipt-forgotten", "There is no receipt of an executed operation.", On::Receipt, How::Each(&["result"], |value| *value = Json::Null)),
    lie("receipt-contradicts-itself", "The receipt says `success` of a reverted transaction.", On::Receipt, How::Edit(|body| {
        each(body, &["success"], &|value| *value = true.into());
        if let Some(receipt) = body.at_mut("result.receipt") { receipt.set("status", "0x0".into()); }
    })),
    lie("receipt-of-words", "The receipt says `success` in a word.", On::Receipt, How::Each(&["success"], |value| *value = "true".into())),
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
