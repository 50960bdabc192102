//! [`sendoff::json`] for WebAssembly: JSON text in, JSON text out.
//!
//! An answer and a failure are both returned as text, and a failure begins with `{"issues":`: no answer does.
#![expect(clippy::must_use_candidate, reason = "JavaScript calls these, and it has no such warning")]

use sendoff::json;
use wasm_bindgen::prelude::wasm_bindgen;

/// All memory of the module, which has one thread.
#[cfg(target_family = "wasm")]
#[global_allocator]
static MEMORY: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// The version of the package that this module belongs to.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").into()
}

/// The success reply to an estimate request, or every problem of both documents.
#[wasm_bindgen]
pub fn estimate(request: &str, facts: &str) -> String {
    said(json::estimate(request, facts))
}

/// Whether a reply says what its request asked for, with a finding for each difference.
#[wasm_bindgen(js_name = verifyEstimate)]
pub fn verify_estimate(request: &str, reply: &str) -> String {
    said(json::verify_estimate(request, reply))
}

/// The hash and digest to sign, only of a reply in which nothing was found.
#[wasm_bindgen]
pub fn signable(request: &str, reply: &str, deployment: &str) -> String {
    said(json::signable(request, reply, deployment))
}

/// What a text value means.
#[wasm_bindgen(js_name = readText)]
pub fn read_text(kind: &str, text: &str) -> String {
    said(json::read_text(kind, text))
}

/// Whether a document of a kind can be read, or every problem of it.
#[wasm_bindgen(js_name = checkDocument)]
pub fn check_document(kind: &str, document: &str) -> String {
    said(json::check_document(kind, document))
}

/// Call data as hex.
#[wasm_bindgen(js_name = encodeCall)]
pub fn encode_call(call: &str) -> String {
    said(json::encode_call(call))
}

/// What call data says.
#[wasm_bindgen(js_name = decodeCall)]
pub fn decode_call(hex: &str) -> String {
    said(json::decode_call(hex))
}

/// What call data would do, as data for a person to read.
#[wasm_bindgen(js_name = describeCall)]
pub fn describe_call(hex: &str) -> String {
    said(json::describe_call(hex))
}

/// A user operation as the EntryPoint takes it.
#[wasm_bindgen(js_name = packUserOp)]
pub fn pack_user_op(op: &str, options: Option<String>) -> String {
    said(json::pack_user_op(op, options.as_deref()))
}

/// The hash of a user operation.
#[wasm_bindgen(js_name = userOpHash)]
pub fn user_op_hash(op: &str, options: &str) -> String {
    said(json::user_op_hash(op, options))
}

/// The most a user operation can cost, in wei.
#[wasm_bindgen(js_name = maxCost)]
pub fn max_cost(op: &str) -> String {
    said(json::max_cost(op))
}

/// The EIP-191 digest of a hash.
#[wasm_bindgen(js_name = signingDigest)]
pub fn signing_digest(hash: &str) -> String {
    said(json::signing_digest(hash))
}

/// The hash that a paymaster grant is signed over.
#[wasm_bindgen(js_name = paymasterHash)]
pub fn paymaster_hash(grant: &str) -> String {
    said(json::paymaster_hash(grant))
}

/// Paymaster data as hex.
#[wasm_bindgen(js_name = encodePaymasterData)]
pub fn encode_paymaster_data(grant: &str) -> String {
    said(json::encode_paymaster_data(grant))
}

/// What paymaster data says.
#[wasm_bindgen(js_name = decodePaymasterData)]
pub fn decode_paymaster_data(hex: &str) -> String {
    said(json::decode_paymaster_data(hex))
}

/// The operation that a method and a request target name, or why there is none.
#[wasm_bindgen(js_name = findOperation)]
pub fn find_operation(method: &str, target: &str) -> String {
    said(json::find_operation(method, target))
}

/// The path of an operation.
#[wasm_bindgen(js_name = operationPath)]
pub fn operation_path(operation: &str, params: &str) -> String {
    said(json::operation_path(operation, params))
}

/// A call against a rate window: the window after it, and the verdict.
#[wasm_bindgen]
pub fn admit(policy: &str, window: &str, now: &str, cost: Option<String>) -> String {
    said(json::admit(policy, window, now, cost.as_deref()))
}

/// A rate window after a request that is not counted.
#[wasm_bindgen]
pub fn touch(policy: &str, window: &str, now: &str) -> String {
    said(json::touch(policy, window, now))
}

/// The verdict that a call would get.
#[wasm_bindgen]
pub fn peek(policy: &str, window: &str, now: &str, cost: Option<String>) -> String {
    said(json::peek(policy, window, now, cost.as_deref()))
}

/// The earliest schedule of so many calls that is never refused.
#[wasm_bindgen]
pub fn plan(policy: &str, window: &str, now: &str, n: &str) -> String {
    said(json::plan(policy, window, now, n))
}

/// The call of the shared store's script.
#[wasm_bindgen(js_name = redisRequest)]
pub fn redis_request(policy: &str, ask: &str) -> String {
    said(json::redis_request(policy, ask))
}

/// What the shared store's script answered.
#[wasm_bindgen(js_name = redisAnswer)]
pub fn redis_answer(policy: &str, numbers: &str) -> String {
    said(json::redis_answer(policy, numbers))
}

/// The reply to a refused call.
#[wasm_bindgen(js_name = rateLimited)]
pub fn rate_limited(trace_id: &str, retry_after: &str) -> String {
    said(json::rate_limited(trace_id, retry_after))
}

/// What a reply of the service says.
#[wasm_bindgen(js_name = readReply)]
pub fn read_reply(text: &str) -> String {
    said(json::read_reply(text))
}

/// The token of an `Authorization` header.
#[wasm_bindgen(js_name = readBearer)]
pub fn read_bearer(header: &str) -> String {
    said(json::read_bearer(header))
}

fn said((Ok(text) | Err(text)): Result<String, String>) -> String {
    text
}
