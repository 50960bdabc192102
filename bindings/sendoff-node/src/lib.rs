//! [`sendoff::json`] for Node: JSON text in, JSON text out.
//!
//! An answer and a failure are both returned as text, and a failure begins with `{"issues":`: no answer does. Every
//! function catches its panics, because one that leaves an addon ends the whole process.
#![expect(clippy::must_use_candidate, reason = "JavaScript calls these, and it has no such warning")]

use napi_derive::napi;
use sendoff::json;

/// The version of the package that this addon belongs to. JavaScript uses no addon of another one.
#[napi(catch_unwind)]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

/// The success reply to an estimate request, or every problem of both documents.
#[napi(catch_unwind)]
pub fn estimate(request: String, facts: String) -> String {
    said(json::estimate(&request, &facts))
}

/// Whether a reply says what its request asked for, with a finding for each difference.
#[napi(catch_unwind)]
pub fn verify_estimate(request: String, reply: String) -> String {
    said(json::verify_estimate(&request, &reply))
}

/// The hash and digest to sign, only of a reply in which nothing was found.
#[napi(catch_unwind)]
pub fn signable(request: String, reply: String, deployment: String) -> String {
    said(json::signable(&request, &reply, &deployment))
}

/// What a text value means.
#[napi(catch_unwind)]
pub fn read_text(kind: String, text: String) -> String {
    said(json::read_text(&kind, &text))
}

/// Whether a document of a kind can be read, or every problem of it.
#[napi(catch_unwind)]
pub fn check_document(kind: String, document: String) -> String {
    said(json::check_document(&kind, &document))
}

/// Call data as hex.
#[napi(catch_unwind)]
pub fn encode_call(call: String) -> String {
    said(json::encode_call(&call))
}

/// What call data says.
#[napi(catch_unwind)]
pub fn decode_call(hex: String) -> String {
    said(json::decode_call(&hex))
}

/// What call data would do, as data for a person to read.
#[napi(catch_unwind)]
pub fn describe_call(hex: String) -> String {
    said(json::describe_call(&hex))
}

/// A user operation as the EntryPoint takes it.
#[napi(catch_unwind)]
pub fn pack_user_op(op: String, options: Option<String>) -> String {
    said(json::pack_user_op(&op, options.as_deref()))
}

/// The hash of a user operation.
#[napi(catch_unwind)]
pub fn user_op_hash(op: String, options: String) -> String {
    said(json::user_op_hash(&op, &options))
}

/// The most a user operation can cost, in wei.
#[napi(catch_unwind)]
pub fn max_cost(op: String) -> String {
    said(json::max_cost(&op))
}

/// The EIP-191 digest of a hash.
#[napi(catch_unwind)]
pub fn signing_digest(hash: String) -> String {
    said(json::signing_digest(&hash))
}

/// The hash that a paymaster grant is signed over.
#[napi(catch_unwind)]
pub fn paymaster_hash(grant: String) -> String {
    said(json::paymaster_hash(&grant))
}

/// Paymaster data as hex.
#[napi(catch_unwind)]
pub fn encode_paymaster_data(grant: String) -> String {
    said(json::encode_paymaster_data(&grant))
}

/// What paymaster data says.
#[napi(catch_unwind)]
pub fn decode_paymaster_data(hex: String) -> String {
    said(json::decode_paymaster_data(&hex))
}

/// The operation that a method and a request target name, or why there is none.
#[napi(catch_unwind)]
pub fn find_operation(method: String, target: String) -> String {
    said(json::find_operation(&method, &target))
}

/// The path of an operation.
#[napi(catch_unwind)]
pub fn operation_path(operation: String, params: String) -> String {
    said(json::operation_path(&operation, &params))
}

/// A call against a rate window: the window after it, and the verdict.
#[napi(catch_unwind)]
pub fn admit(policy: String, window: String, now: String, cost: Option<String>) -> String {
    said(json::admit(&policy, &window, &now, cost.as_deref()))
}

/// A rate window after a request that is not counted.
#[napi(catch_unwind)]
pub fn touch(policy: String, window: String, now: String) -> String {
    said(json::touch(&policy, &window, &now))
}

/// The verdict that a call would get.
#[napi(catch_unwind)]
pub fn peek(policy: String, window: String, now: String, cost: Option<String>) -> String {
    said(json::peek(&policy, &window, &now, cost.as_deref()))
}

/// The earliest schedule of so many calls that is never refused.
#[napi(catch_unwind)]
pub fn plan(policy: String, window: String, now: String, n: String) -> String {
    said(json::plan(&policy, &window, &now, &n))
}

/// The call of the shared store's script.
#[napi(catch_unwind)]
pub fn redis_request(policy: String, ask: String) -> String {
    said(json::redis_request(&policy, &ask))
}

/// What the shared store's script answered.
#[napi(catch_unwind)]
pub fn redis_answer(policy: String, numbers: String) -> String {
    said(json::redis_answer(&policy, &numbers))
}

/// The reply to a refused call.
#[napi(catch_unwind)]
pub fn rate_limited(trace_id: String, retry_after: String) -> String {
    said(json::rate_limited(&trace_id, &retry_after))
}

/// What a reply of the service says.
#[napi(catch_unwind)]
pub fn read_reply(text: String) -> String {
    said(json::read_reply(&text))
}

/// The token of an `Authorization` header.
#[napi(catch_unwind)]
pub fn read_bearer(header: String) -> String {
    said(json::read_bearer(&header))
}

fn said((Ok(text) | Err(text)): Result<String, String>) -> String {
    #[cfg(feature = "panics")]
    assert!(text.is_empty(), "a panic for a test");
    text
}
