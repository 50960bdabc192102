//! The boundary: text in, text out, one function a capability, the same in every runtime.
//!
//! Documents and numbers come as JSON text, everything else as it is. A call answers with JSON text, or fails with
//! `{"issues": [{"path", "code", "message"}]}`: every problem of its arguments. A problem of the first argument has a
//! path from its root (`details.amount`), one of a later argument begins with that argument's name (`facts.userSWA`,
//! `now`).
//!
//! ```
//! let answer = sendoff::json::read_text("chainId", "eip155:137");
//! assert_eq!(answer.unwrap(), r#"{"namespace":"eip155","reference":"137"}"#);
//! let refusal = sendoff::json::read_text("amount", "1.5").unwrap_err();
//! assert!(refusal.starts_with(r#"{"issues":[{"path":"text","code":"format","#));
//! ```

mod document_kind;
mod text_kind;

use alloc::{format, string::String};

use crate::document::{Read, Write, document, read_document, read_text as read, to_json};
use crate::error::{Error, Issues, Path};
use crate::estimate::{self, CallDescription, Estimate};
use crate::rate_limit;
use crate::service;
use crate::user_op::{self, Call, EntryPoint, GasFeeOrder, PaymasterData, PaymasterGrant, UserOp};
use crate::value::{self, HexBytes, Text, Word};

pub(crate) use self::document_kind::DocumentKind;
pub(crate) use self::text_kind::TextKind;
#[cfg(feature = "schema")]
pub(crate) use self::text_kind::TextMeanings;

/// What a call answers: JSON text, or the JSON text of its issues.
pub type Answer = Result<String, String>;

/// The success reply to an estimate request, with the facts that only the host knows ([`estimate::respond`]).
///
/// # Errors
///
/// Every problem of both documents and of what they are together.
pub fn estimate(request: &str, facts: &str) -> Answer {
    answer(Estimate::read(request, facts).map(estimate::respond))
}

/// A reply held against its request: `{ok, findings: [{rule, path, message}]}` ([`estimate::verify`]).
///
/// # Errors
///
/// Every problem of the request; a reply never fails.
pub fn verify_estimate(request: &str, reply: &str) -> Answer {
    answer(read_document(request).map(|request| estimate::verify(&request, reply)))
}

/// The hash and digest of a reply's operation, and what a signature of it will do: `{hash, digest, account}`
/// ([`estimate::signable`]).
///
/// # Errors
///
/// Every problem of the request and of `where`, the deployment; `rule` wherever the reply does not answer the request or
/// is for another deployment.
pub fn signable(request: &str, reply: &str, deployment: &str) -> Answer {
    answer(estimate::read_signable(request, reply, deployment))
}

/// What one text means; the answer depends on its kind ([`crate::value`]).
///
/// # Errors
///
/// `format` at the root for an unknown kind, `format` or `range` at `text`.
pub fn read_text(kind: &str, text: &str) -> Answer {
    let mut issues = Issues::default();
    let meaning = value::read::<TextKind>(kind, &Path::Root, &mut issues)
        .and_then(|kind| kind.meaning(text, &Path::Field(&Path::Root, "text"), &mut issues));
    text_of(issues.or(meaning))
}

/// The call data of its content, as hex ([`Call::encode`]).
///
/// # Errors
///
/// Every problem of the content.
pub fn encode_call(call: &str) -> Answer {
    answer(read_document(call).map(|call: Call| HexBytes::from(call.encode())))
}

/// The content of call data ([`Call::decode`]).
///
/// # Errors
///
/// `format` at the root for anything that [`encode_call`] does not write.
pub fn decode_call(hex: &str) -> Answer {
    answer(bytes(hex).and_then(|bytes| Call::decode(&bytes)))
}

/// What call data will do, for a person to read ([`CallDescription`]).
///
/// # Errors
///
/// As [`decode_call`].
pub fn describe_call(hex: &str) -> Answer {
    answer(bytes(hex).and_then(|bytes| CallDescription::of_bytes(&bytes)))
}

document! {
    /// How an operation is packed.
    pub(crate) struct PackOptions: "options, an object of `gasFeeOrder`" {
        /// The order of fees; absent in JSON means `standard`.
        "gasFeeOrder" => gas_fee_order: GasFeeOrder = GasFeeOrder::Standard,
    }
}

/// The packed form of a user operation ([`user_op::pack`]); without options in the standard order of fees.
///
/// # Errors
///
/// Every problem of the operation and of `options`.
pub fn pack_user_op(op: &str, options: Option<&str>) -> Answer {
    let read = both(op, options.unwrap_or("{}"), "options");
    answer(read.map(|(op, options): (UserOp, PackOptions)| user_op::pack(&op, options.gas_fee_order)))
}

/// The hash of a user operation, as hex ([`user_op::user_op_hash`]); `options` are an [`EntryPoint`].
///
/// # Errors
///
/// Every problem of the operation and of `options`, and where the operation has no hash in that version.
pub fn user_op_hash(op: &str, options: &str) -> Answer {
    let read = both(op, options, "options");
    answer(read.and_then(|(op, at): (UserOp, EntryPoint)| user_op::user_op_hash(&op, &at)).map(Word::from))
}

/// The most that a user operation can cost, in wei, as a decimal text ([`user_op::max_cost`]).
///
/// # Errors
///
/// Every problem of the operation; `range` where the EntryPoint would refuse its gas values.
pub fn max_cost(op: &str) -> Answer {
    answer(read_document(op).and_then(|op: UserOp| user_op::max_cost(&op)).map(value::decimal))
}

/// What is signed of a hash, as hex ([`user_op::signing_digest`]).
///
/// # Errors
///
/// `format` at the root for a text that is not 32 bytes of hex.
pub fn signing_digest(hash: &str) -> Answer {
    answer(one(hash).map(|hash: Word| Word::from(user_op::signing_digest(hash.to_h256()))))
}

/// What a client signs so that the paymaster pays, as hex ([`PaymasterGrant::hash`]).
///
/// # Errors
///
/// Every problem of the grant.
pub fn paymaster_hash(grant: &str) -> Answer {
    answer(read_document(grant).map(|grant: PaymasterGrant| Word::from(grant.hash())))
}

/// The data that the paymaster takes, as hex ([`PaymasterData::encode`]).
///
/// # Errors
///
/// Every problem of its content.
pub fn encode_paymaster_data(data: &str) -> Answer {
    answer(read_document(data).map(|data: PaymasterData| HexBytes::from(data.encode())))
}

/// The content of paymaster data ([`PaymasterData::decode`]).
///
/// # Errors
///
/// `format` at the root for anything that [`encode_paymaster_data`] does not write.
pub fn decode_paymaster_data(hex: &str) -> Answer {
    answer(bytes(hex).and_then(|bytes| PaymasterData::decode(&bytes)))
}

/// Counts a call in its caller's window: `{window, verdict}` ([`rate_limit::admit`]); without a cost it counts one.
///
/// # Errors
///
/// Every problem of the policy, the window and both numbers.
pub fn admit(policy: &str, window: &str, now: &str, cost: Option<&str>) -> Answer {
    let read = rate_limit::read_call(policy, window, now, cost);
    answer(read.map(|(policy, window, now, cost)| rate_limit::admit(&policy, window, now, cost)))
}

/// The window after a request that does not count ([`rate_limit::touch`]).
///
/// # Errors
///
/// Every problem of the policy, the window and the time.
pub fn touch(policy: &str, window: &str, now: &str) -> Answer {
    let read = rate_limit::read_call(policy, window, now, None);
    answer(read.map(|(policy, window, now, _)| rate_limit::touch(&policy, window, now)))
}

/// The verdict that [`admit`] would give ([`rate_limit::peek`]).
///
/// # Errors
///
/// As [`admit`].
pub fn peek(policy: &str, window: &str, now: &str, cost: Option<&str>) -> Answer {
    let read = rate_limit::read_call(policy, window, now, cost);
    answer(read.map(|(policy, window, now, cost)| rate_limit::peek(&policy, window, now, cost)))
}

/// When `n` calls can be sent at the earliest: `[{at, count}]` ([`rate_limit::plan`]).
///
/// # Errors
///
/// Every problem of the policy, the window and both numbers; `range` at `n` for a plan of more than 100,000 entries.
pub fn plan(policy: &str, window: &str, now: &str, n: &str) -> Answer {
    answer(rate_limit::read_plan(policy, window, now, n))
}

/// The call of the shared store's script for a question `{environment, scope, secret = "", kind, cost = 1, now?}`:
/// `{key, arguments}` ([`rate_limit::redis::Request`]).
///
/// # Errors
///
/// Every problem of the policy and of `ask`.
pub fn redis_request(policy: &str, ask: &str) -> Answer {
    answer(rate_limit::redis::read_request(policy, ask))
}

/// What the shared store's script answered, an array of integers: `{at, granted, window, verdict}`
/// ([`rate_limit::redis::Answer`]).
///
/// # Errors
///
/// Every problem of the policy and of `numbers`.
pub fn redis_answer(policy: &str, numbers: &str) -> Answer {
    answer(rate_limit::redis::read_answer(policy, numbers))
}

/// The operation that a request is for: `{operation, params, limited}`, or `{refused}` and why ([`service::find`]).
///
/// # Errors
///
/// `range` for text over 1 MiB; any other request has an answer.
pub fn find_operation(method: &str, target: &str) -> Answer {
    match service::read_find(method, target) {
        Ok(Ok(found)) => answer(Ok(found)),
        Ok(Err(refusal)) => answer(Ok(refusal)),
        Err(error) => answer::<String>(Err(error)),
    }
}

/// The path of an operation with its parameters ([`service::Operation::path`]).
///
/// # Errors
///
/// `format` at the root for an unknown operation, and every problem of `params`.
pub fn operation_path(operation: &str, params: &str) -> Answer {
    answer(service::read_path(operation, params))
}

/// Every operation of the service: `[{id, method, path, side, version, limited, parameters}]`
/// ([`service::OPERATIONS`]).
///
/// # Errors
///
/// None.
pub fn operations() -> Answer {
    answer(Ok(service::OPERATIONS))
}

/// The reply to a call over the limit: `{status: 429, headers, body}` ([`service::RateLimited`]).
///
/// # Errors
///
/// `format` at the root for a trace id that is empty or longer than 128 characters, and every problem of `retryAfter`.
pub fn rate_limited(trace_id: &str, retry_after: &str) -> Answer {
    answer(service::read_rate_limited(trace_id, retry_after))
}

/// A reply of the service in any of its spellings ([`service::Reply`]).
///
/// # Errors
///
/// Every problem of a text that is neither a success nor an error of the service.
pub fn read_reply(text: &str) -> Answer {
    text_of(text.parse::<service::Reply>().map(|reply| format!("{reply}")))
}

/// The token of an `Authorization` header: `{token, expireAt?, sessionPublicKey?}` ([`service::Bearer`]).
///
/// # Errors
///
/// `format` at the root for a value that is no bearer token; no part of it is shown.
pub fn read_bearer(header: &str) -> Answer {
    answer(header.parse::<service::Bearer>())
}

/// One document by itself, for a form or a route that has not yet all that a call takes: `{}` where it can be read.
///
/// Its kind is the name of its type. A request is held to every rule that needs no facts.
///
/// # Errors
///
/// `format` at the root for an unknown kind, else every problem of the document under `document`.
pub fn check_document(kind: &str, document: &str) -> Answer {
    let mut issues = Issues::default();
    let read = value::read::<DocumentKind>(kind, &Path::Root, &mut issues)
        .and_then(|kind| kind.check(document, &Path::Field(&Path::Root, "document"), &mut issues));
    text_of(issues.or(read).map(|()| "{}".into()))
}

fn answer<T: Write>(result: Result<T, Error>) -> Answer {
    text_of(result.map(|value| to_json(&value)))
}

fn text_of(result: Result<String, Error>) -> Answer {
    result.map_err(|error| to_json(&error))
}

/// A first argument that is text and no document.
fn one<T: Text>(text: &str) -> Result<T, Error> {
    let mut issues = Issues::default();
    let value = value::read(text, &Path::Root, &mut issues);
    issues.or(value)
}

/// A first argument in hex.
fn bytes(hex: &str) -> Result<alloc::vec::Vec<u8>, Error> {
    one(hex).map(HexBytes::into)
}

/// A document and one more behind it.
fn both<A: Read, B: Read>(first: &str, second: &str, name: &str) -> Result<(A, B), Error> {
    let mut issues = Issues::default();
    let a = read(first, &Path::Root, &mut issues);
    let b = read(second, &Path::Field(&Path::Root, name), &mut issues);
    issues.or(a.zip(b))
}
