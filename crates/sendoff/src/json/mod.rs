//! The boundary: text in, text out, one function per capability, the same in every runtime.
//!
//! Documents and numbers are JSON text, all other arguments plain text. A call answers with JSON
//! text, or fails with an [`Error`](crate::error::Error): every problem of its arguments. By name it fails with the
//! error's JSON text, `{"issues": [{"path", "code", "message"}]}`. The path of a problem in the
//! first argument starts at its root (`details.amount`); in a later argument it starts with that
//! argument's name (`facts.userSWA`, `now`).
//!
//! [`call`] calls a function by its name; [`FUNCTIONS`] lists their signatures. One row of the
//! table below is a function in every runtime: here, in the WebAssembly module, in the Node addon,
//! and in the npm package with its types, schemas and reference.
//!
//! ```
//! let answer = sendoff::json::read_text("chainId", "eip155:137");
//! assert_eq!(answer.unwrap(), r#"{"namespace":"eip155","reference":"137"}"#);
//! let refusal = sendoff::json::read_text("amount", "1.5").unwrap_err();
//! assert_eq!((refusal.issues()[0].path.as_str(), refusal.issues()[0].code.as_str()), ("text", "format"));
//! ```

mod context;
mod counted;
mod document_kind;
mod function;
#[cfg(feature = "schema")]
pub(crate) mod function_schema;
#[cfg(feature = "schema")]
mod shape;
#[cfg(feature = "signature")]
pub mod signature;
mod table;
mod text_kind;

use alloc::{string::String, vec::Vec};
use core::num::NonZeroU64;

use self::context::{CallContext, Document, Number, Optional, Raw, Text};
use self::counted::counted;
use self::document_kind::check_form;
use self::table::{
    Listed, answered, call_listed, either, function_of, functions, listed_in, written,
};
use self::text_kind::TextKind;
use crate::catalogue::Catalogue;
use crate::document::{Integer, Nullable};
use crate::estimate::{EstimateRequest, Facts};
use crate::http::{Operation, TraceId};
use crate::intent::{Names, ShownNames};
use crate::rate_limit::{Policy, Time, Window, redis};
use crate::user_op::{ComparisonCode, UserOp};
use crate::value::{Address, HexBytes, JobId, Word, decimal};
use crate::{catalogue, estimate, http, intent, rate_limit, submission, user_op};

pub use self::function::{Argument, Form, Function};

/// The answer of a call by name, for other languages: JSON text, or the JSON text of its issues.
pub type Answer = Result<String, String>;

/// The largest number of arguments of a function.
pub const MOST_ARGUMENTS: usize = 4;

/// Calls a function by its name in [`FUNCTIONS`].
///
/// ```
/// let answer = sendoff::json::call("readText", &[Some("nftId"), Some("56")]);
/// assert_eq!(answer.unwrap(), r#"{"kind":"tokenId"}"#);
/// ```
///
/// # Errors
///
/// As the function; `format` at the root for an unknown name, and `missing` for a required argument that is absent.
pub fn call(name: &str, arguments: &[Option<&str>]) -> Answer {
    dispatch::<false>(name, arguments)
}

/// Calls one of the functions for a page that only checks and signs replies ([`Function::is_for_signing`]). A
/// WebAssembly module that exports this and not [`call`] contains no other function.
///
/// # Errors
///
/// As [`call`].
pub fn call_for_signing(name: &str, arguments: &[Option<&str>]) -> Answer {
    dispatch::<true>(name, arguments)
}

/// The names of an argument that may be absent.
fn shown(names: Option<ShownNames>) -> Names {
    names.map_or_else(Names::default, |ShownNames(names)| names)
}

functions! {
    /// Returns the success reply to an estimate request, from the request and the host's facts ([`estimate::respond`]).
    ///
    /// # Errors
    ///
    /// Every problem of both documents, and every rule across them that they break.
    "estimate" => pub fn estimate(request: Document(EstimateRequest), facts: Document(Facts)) -> estimate::EstimateReply |issues| {
        let (request, facts) = (request.draft(issues), facts.draft(issues));
        estimate::Estimate::of_drafts(request, facts, issues).map(estimate::respond)
    }

    /// Compares a reply with its request: `{ok, findings: [{rule, path, message}]}` ([`estimate::verify`]).
    ///
    /// # Errors
    ///
    /// Every problem of the request. Problems of the reply are findings.
    "verifyEstimate" in sign => pub fn verify_estimate(
        request: Document(EstimateRequest),
        reply: Raw(&str as serde_json::Value),
    ) -> estimate::Verification {
        Ok(estimate::verify(&request, reply))
    }

    /// Returns the hash and digest of a reply's operation, and the effects of signing it: `{hash, digest, account}`
    /// ([`estimate::signable`]). The sentences in `account` show `names` beside the raw values.
    ///
    /// # Errors
    ///
    /// Every problem of the request, of `where`, the deployment, and of `names`; if they have none, `rule` for every
    /// difference between the reply and the request or the deployment.
    "signable" in sign => pub fn signable(
        request: Document(EstimateRequest),
        reply: Raw(&str as serde_json::Value),
        deployment "where": Document(estimate::Deployment),
        names: Document(ShownNames as Names) or None,
    ) -> estimate::Signable {
        estimate::signable(&request, reply, &deployment, &shown(names))
    }

    /// Returns expectations of replies around known figures, for `where.expect`: bounds of all five gas limits and the
    /// highest cost, each up to a percentage more or less ([`estimate::GasFigures::expectations`]). The default percentage is 20.
    ///
    /// # Errors
    ///
    /// Every problem of the figures; `range` at each above 2^120−1, and at `percent` unless it is from 0 to 1,000.
    "expectAround" in sign => pub fn expect_around(
        figures: Document(estimate::GasFigures),
        percent: Number(estimate::Margin) or None,
    ) -> estimate::Expectations {
        let percent = percent.map_or(Ok(estimate::GasFigures::PERCENT), |Integer(percent)| u16::try_from(percent));
        figures.expectations(percent.unwrap_or(u16::MAX))
    }

    /// Returns the meaning of a text, in a form that depends on its kind ([`crate::value`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for an unknown kind, `format` or `range` at `text`.
    "readText" in sign => pub fn read_text(kind: Text(TextKind), text: Text(&str as String)) -> text_kind::TextMeanings |issues| {
        kind.read(issues)?.meaning(text.text(), &text.at, issues)
    }

    /// Returns an amount in the smallest unit of a token with these decimals, for an amount in tokens that a person wrote
    /// ([`intent::TokenAmount::units`]): `500000` for `0.5` and 6 decimals.
    ///
    /// # Errors
    ///
    /// `format` at the root for a text that is no such amount or finer than the smallest unit, `range` for zero or a result
    /// above 2^256−1; `range` at `decimals` above 77.
    "unitsOf" in sign => pub fn units_of(
        amount: Text(intent::TokenAmount),
        decimals: Number(intent::Decimals),
    ) -> crate::value::Amount {
        amount.units(decimals)
    }

    /// Returns call data for its content, as hex ([`user_op::Call::encode`]).
    ///
    /// # Errors
    ///
    /// Every problem of the content.
    "encodeCall" => pub fn encode_call(call: Document(user_op::Call)) -> HexBytes {
        Ok(HexBytes::from(call.encode()))
    }

    /// Returns the content of call data ([`user_op::Call::decode`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for call data that [`encode_call`] does not write.
    "decodeCall" => pub fn decode_call(hex: Text(HexBytes)) -> user_op::DecodedCall {
        user_op::Call::decode(hex.as_slice())
    }

    /// Describes the effects of call data for people ([`estimate::CallDescription`]). Names of chains, tokens and collections
    /// that the caller knows are shown beside the raw values. An entry whose name or symbol is none is left out, as are those
    /// of one chain, token or collection that differ; [`check_document`] names the first kind.
    ///
    /// # Errors
    ///
    /// As [`decode_call`], and every problem of `names`.
    "describeCall" in sign => pub fn describe_call(
        hex: Text(HexBytes),
        names: Document(ShownNames as Names) or None,
    ) -> estimate::CallDescription {
        estimate::CallDescription::decode(hex.as_slice(), &shown(names))
    }

    /// Returns the display model of each move of call data, as wallets that follow ERC-7730 show it: `[{intent,
    /// interpolatedIntent, fields}]` ([`intent::Intent::display`]). Pass the call data of the operation
    /// that [`signable`] answered.
    ///
    /// # Errors
    ///
    /// As [`describe_call`].
    "clearSigning" => pub fn clear_signing(
        hex: Text(HexBytes),
        names: Document(ShownNames as Names) or None,
    ) -> Vec<intent::DisplayModel> {
        let call = user_op::Call::decode(hex.as_slice())?;
        Ok(call.intent.display(&call.user_swa, &shown(names)))
    }

    /// Returns the packed form of a user operation ([`user_op::pack`]). By default the fees are in the standard order.
    ///
    /// # Errors
    ///
    /// Every problem of the operation and of `options`.
    "packUserOp" => pub fn pack_user_op(
        op: Document(UserOp),
        options: Document(document_kind::PackOptions) or None,
    ) -> user_op::PackedUserOp {
        let order = options.map_or(user_op::GasFeeOrder::default(), |options| options.gas_fee_order);
        Ok(user_op::pack(&op, order))
    }

    /// Returns the hash of a user operation, as hex ([`user_op::user_op_hash`]); `options` are an [`user_op::EntryPoint`].
    ///
    /// # Errors
    ///
    /// Every problem of the operation and of `options`; `rule` if the operation has no hash in that version.
    "userOpHash" => pub fn user_op_hash(
        op: Document(UserOp),
        options: Document(user_op::EntryPoint),
    ) -> Word {
        user_op::user_op_hash(&op, &options)
    }

    /// Returns the required prefund, in wei as a decimal: the most that a user operation can cost
    /// ([`user_op::max_cost`]).
    ///
    /// # Errors
    ///
    /// Every problem of the operation; `range` if the EntryPoint would refuse its gas values.
    "maxCost" => pub fn max_cost(op: Document(UserOp)) -> shape::Unnamed<shape::Wei> {
        user_op::max_cost(&op).map(decimal)
    }

    /// Returns the digest to sign for a hash, as hex ([`user_op::signing_digest`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for a text that is not 32 bytes of hex.
    "signingDigest" => pub fn signing_digest(hash: Text(Word)) -> Word {
        Ok(user_op::signing_digest(hash))
    }

    /// Returns an operation of exactly the twelve fields with its signature, ready to send ([`UserOp::assemble`]).
    ///
    /// # Errors
    ///
    /// Every problem of the operation; `format` at `signature` if it is not hex or empty.
    "assemble" in sign => pub fn assemble(
        operation: Document(user_op::PreparedUserOp as user_op::UnsignedUserOp),
        signature: Text(user_op::SignatureBytes),
    ) -> user_op::SignedUserOp {
        UserOp::from(operation).assemble(signature.0)
    }

    /// Returns 24 digits of a hash for people who compare two screens ([`ComparisonCode`]). The second device chooses
    /// the challenge at random after it has the operation.
    ///
    /// # Errors
    ///
    /// `format` at the root for a text that is not 32 bytes of hex, at `challenge` for text that is not 6 to 32 digits.
    "comparisonCode" in sign => pub fn comparison_code(
        hash: Text(Word),
        challenge: Text(user_op::Challenge) or None,
    ) -> ComparisonCode {
        Ok(challenge.map_or_else(|| ComparisonCode::new(hash), |given| ComparisonCode::challenged(hash, &given)))
    }

    /// Reads a bundler's receipt of the operation with this hash: `{outcome, actualGasCost, actualGasUsed,
    /// transactionHash?, reason?}` ([`user_op::UserOpReceipt::outcome`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for a hash that is not 32 bytes of hex, and every problem of `receipt`.
    "readReceipt" in sign => pub fn read_receipt(
        hash: Text(Word),
        receipt: Document(user_op::UserOpReceipt),
    ) -> user_op::UserOpOutcome {
        Ok(receipt.outcome(hash))
    }

    /// Reads a bundler's refusal, a JSON-RPC error: `{at, next, reason?}`, the part at fault, what to do next, and the
    /// EntryPoint's reason ([`user_op::BundlerError::refusal`]).
    ///
    /// # Errors
    ///
    /// Every problem of `code` and `message`; other fields are ignored.
    "readRefusal" in sign => pub fn read_refusal(error: Document(user_op::BundlerError)) -> user_op::BundlerRefusal {
        Ok(error.refusal())
    }

    /// Returns the least fees that bundlers accept from an operation in the place of this pending one:
    /// `{maxFeePerGas, maxPriorityFeePerGas}` ([`user_op::replacement_fees`]). By default both are 10 percent higher.
    ///
    /// # Errors
    ///
    /// Every problem of the operation and of `percent`; `range` at a fee that would be above 2^120−1.
    "replacementFees" in sign => pub fn replacement_fees(
        operation: Document(UserOp),
        percent: Number(user_op::Percent) or None,
    ) -> user_op::ReplacementFees |issues| {
        let (operation, percent) = (operation.draft(issues), percent.read(issues)?);
        let fees = user_op::ReplacementFees::of(operation.parts())?;
        if issues.is_empty() { fees.raised(percent.unwrap_or_default(), issues) } else { None }
    }

    /// Returns a submission after a step: `{state, verdict}`. The verdict tells what may be sent next, and when another job
    /// may be made ([`submission::advance`]). Before the first step, `state` is `null`. An operation of the step `replaced`
    /// must have the same sender, nonce, EntryPoint and chain as the job's others, or the chain can execute both; this
    /// function cannot see that.
    ///
    /// # Errors
    ///
    /// Every problem of the state and of `step`; `rule` at `step.type` if the first step is not `sent`, and for a 17th
    /// replaced operation; at `step.jobId` if the job is not the state's.
    "submission" in sign => pub fn submission(
        state: Document(Nullable<submission::Submission> as Option<submission::Submission>),
        step: Document(submission::SubmissionStep),
    ) -> submission::SubmissionProgress {
        submission::advance(state.0, &step)
    }

    /// Returns the next action of a program with a submission: `prepare`, `send`, `replace`, `ask` or `end`
    /// ([`submission::Submission::next`]). `last` is what came last: `asked`, or `next` of a bundler's refusal ([`read_refusal`]).
    ///
    /// # Errors
    ///
    /// Every problem of the state, and `format` at `last` for another word.
    "submissionNext" in sign => pub fn submission_next(
        state: Document(Nullable<submission::Submission> as Option<submission::Submission>),
        last: Text(submission::SubmissionLast) or None,
    ) -> submission::SubmissionNext {
        Ok(submission::Submission::next(state.0.as_ref(), last))
    }

    /// Returns the call data that asks a published EntryPoint for the next nonce of a sender and a job's key
    /// ([`user_op::nonce_call`]). Send it by `eth_call` to the EntryPoint, at a finalized block.
    ///
    /// # Errors
    ///
    /// `format` at the root for a text that is not an address, at `jobId` for one that is not a job.
    "nonceCall" => pub fn nonce_call(sender: Text(Address), job_id "jobId": Text(JobId)) -> HexBytes {
        Ok(user_op::nonce_call(sender, job_id))
    }

    /// Reads the answer to [`nonce_call`]: `{used}` ([`user_op::NonceAnswer::read`]). With `now`, the timestamp of the same block, it is
    /// the step `nonce` of `submission`.
    ///
    /// # Errors
    ///
    /// `format` at the root for a text that is not a job, at `nonce` for one that is not 32 bytes of hex; `rule` at `nonce` for
    /// one of another key.
    "readNonce" => pub fn read_nonce(job_id "jobId": Text(JobId), nonce: Text(Word)) -> user_op::NonceAnswer {
        user_op::NonceAnswer::read(job_id, nonce)
    }

    /// Returns the hash that a client signs so that the paymaster pays, as hex ([`user_op::PaymasterGrant::hash`]).
    ///
    /// # Errors
    ///
    /// Every problem of the grant.
    "paymasterHash" => pub fn paymaster_hash(grant: Document(user_op::PaymasterGrant)) -> Word {
        Ok(grant.hash())
    }

    /// Returns the data for the paymaster, as hex ([`user_op::PaymasterData::encode`]).
    ///
    /// # Errors
    ///
    /// Every problem of its content.
    "encodePaymasterData" => pub fn encode_paymaster_data(data: Document(user_op::PaymasterData)) -> HexBytes {
        Ok(HexBytes::from(data.encode()))
    }

    /// Returns the content of paymaster data ([`user_op::PaymasterData::decode`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for data that [`encode_paymaster_data`] does not write.
    "decodePaymasterData" => pub fn decode_paymaster_data(hex: Text(HexBytes)) -> user_op::PaymasterData {
        user_op::PaymasterData::decode(hex.as_slice())
    }

    /// Returns a catalogue after a step: `{catalogue, changed}` ([`catalogue::advance`]).
    ///
    /// # Errors
    ///
    /// Every problem of the catalogue and of `step`; `rule` for a step that the catalogue does not allow.
    "catalogueStep" => pub fn catalogue_step(
        catalogue: Document(Catalogue),
        step: Document(catalogue::CatalogueStep),
    ) -> catalogue::CatalogueProgress {
        catalogue::advance(catalogue, &step)
    }

    /// Returns the enabled chains of a catalogue: `[{network_name, chain_id}]` ([`Catalogue::networks`]).
    ///
    /// # Errors
    ///
    /// Every problem of the catalogue.
    "listNetworks" => pub fn list_networks(catalogue: Document(Catalogue)) -> Vec<catalogue::Network> {
        Ok(catalogue.networks())
    }

    /// Returns the whitelisted tokens of the enabled chains of a catalogue: `[{token_name, token_address, network_name}]`
    /// ([`Catalogue::tokens`]).
    ///
    /// # Errors
    ///
    /// Every problem of the catalogue.
    "listTokens" => pub fn list_tokens(catalogue: Document(Catalogue)) -> Vec<catalogue::ListedToken> {
        Ok(catalogue.tokens())
    }

    /// Checks an intent by a catalogue: `{ok: true}`, or `{ok: false, issues}` ([`Catalogue::permits`]). A raw transaction
    /// only needs its chain: what it calls is not checked.
    ///
    /// # Errors
    ///
    /// Every problem of the catalogue and of `intent`.
    "permits" => pub fn permits(catalogue: Document(Catalogue), intent: Document(intent::Intent)) -> catalogue::Permission {
        Ok(catalogue::Permission::from(catalogue.permits(&intent)))
    }

    /// Counts a call in its caller's window: `{window, verdict}` ([`rate_limit::admit`]). The default cost is 1.
    ///
    /// # Errors
    ///
    /// Every problem of the policy, the window and both numbers.
    "admit" => pub fn admit(
        policy: Document(Policy),
        window: Document(Nullable<Window> as Option<Window>),
        now: Number(Time),
        cost: Number(rate_limit::AnyCost) or None,
    ) -> rate_limit::Admission |issues| {
        let (policy, window, now, cost) = counted(&policy, &window, &now, &cost, issues)?;
        Some(rate_limit::admit(&policy, window, now, cost))
    }

    /// Returns the window after a request that does not count ([`rate_limit::touch`]).
    ///
    /// # Errors
    ///
    /// Every problem of the policy, the window and the time.
    "touch" => pub fn touch(policy: Document(Policy), window: Document(Nullable<Window> as Option<Window>), now: Number(Time)) -> Window {
        Ok(rate_limit::touch(&policy, window.0, now))
    }

    /// Returns the verdict that [`admit`] would give ([`rate_limit::peek`]).
    ///
    /// # Errors
    ///
    /// As [`admit`].
    "peek" => pub fn peek(
        policy: Document(Policy),
        window: Document(Nullable<Window> as Option<Window>),
        now: Number(Time),
        cost: Number(rate_limit::AnyCost) or None,
    ) -> rate_limit::Verdict |issues| {
        let (policy, window, now, cost) = counted(&policy, &window, &now, &cost, issues)?;
        Some(rate_limit::peek(&policy, window, now, cost))
    }

    /// Returns the earliest times to send `n` calls: `[{at, count}]` ([`rate_limit::plan`]).
    ///
    /// # Errors
    ///
    /// Every problem of the policy, the window and both numbers; `range` at `n` for a plan of more than 100,000 entries.
    "plan" => pub fn plan(
        policy: Document(Policy),
        window: Document(Nullable<Window> as Option<Window>),
        now: Number(Time),
        n: Number(rate_limit::Calls),
    ) -> Vec<rate_limit::PlanEntry> {
        rate_limit::plan(&policy, window.0, now, n.0.unsigned_abs())
    }

    /// Returns the call of the shared store's script for a question `{environment, scope, secret = "", kind, cost = 1,
    /// now?}`: `{key, arguments}` ([`rate_limit::redis::RedisRequest`]).
    ///
    /// # Errors
    ///
    /// Every problem of the policy and of `ask`.
    "redisRequest" => pub fn redis_request(
        policy: Document(Policy),
        ask: Document(redis::RedisAsk),
    ) -> redis::RedisRequest |issues| {
        let (policy, question) = (policy.read(issues), ask.draft(issues));
        redis::RedisAsk::request(question, &policy?, &ask.at, issues)
    }

    /// Reads the answer of the shared store's script, an array of integers: `{at, granted, window, verdict}`
    /// ([`rate_limit::redis::RedisAnswer`]).
    ///
    /// # Errors
    ///
    /// Every problem of the policy and of `numbers`.
    "redisAnswer" => pub fn redis_answer(
        policy: Document(Policy),
        numbers: Number(Vec<redis::Number> as shape::Unnamed<shape::Numbers>),
    ) -> redis::RedisAnswer |issues| {
        let (policy, integers) = (policy.read(issues), numbers.read(issues));
        let integers: Vec<_> = integers?.into_iter().map(|Integer(number)| number).collect();
        redis::RedisAnswer::check(&policy?, &integers, &numbers.at, issues)
    }

    /// Finds the operation of a request: `{operation, params, limited}`, or `{refused}` with the reason ([`http::find`]).
    ///
    /// # Errors
    ///
    /// `range` for text over 1 MiB; any other request has an answer.
    "findOperation" => pub fn find_operation(method: Text(&str as String), target: Text(&str as String)) -> http::FoundOperation {
        Ok(http::FoundOperation(http::find(method, target)))
    }

    /// Returns the path of an operation with its parameters ([`Operation::path`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for an unknown operation, and every problem of `params`.
    "operationPath" in sign => pub fn operation_path(operation: Text(Operation), params: Document(http::Params)) -> String |issues| {
        let (operation, at) = (operation.read(issues), params.at);
        http::path_of(operation, &params.node(issues)?, &at, issues)
    }

    /// Returns every operation of the service: `[{id, method, path, side, version, limited, parameters}]`
    /// ([`http::OPERATIONS`]).
    ///
    /// # Errors
    ///
    /// None.
    "operations" => pub fn operations() -> Vec<http::OperationRow> {
        Ok(http::OPERATIONS)
    }

    /// Returns the reply to a call over the limit: `{status: 429, headers, body}` ([`http::RateLimited`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for a trace id that is empty or longer than 128 characters, and every problem of `retryAfter`.
    "rateLimited" => pub fn rate_limited(
        trace_id "traceId": Text(TraceId),
        retry_after "retryAfter": Number(http::RetryAfter),
    ) -> http::RateLimited |issues| {
        let (trace_id, seconds) = (trace_id.read(issues), retry_after.read(issues));
        let retry_after = NonZeroU64::new(seconds?.0.unsigned_abs())?;
        Some(http::RateLimited { trace_id: trace_id?, retry_after })
    }

    /// Returns the reply of every host to a request that it refuses: `{status, headers, body}` ([`http::Refusal`]). The
    /// answers of [`find_operation`], [`check_content`] and [`unidentified`] with `refused` are refusals.
    ///
    /// # Errors
    ///
    /// Every problem of the refusal; `format` at `traceId` if it is empty or longer than 128 characters.
    "refusal" => pub fn refusal(refusal: Document(http::Refusal), trace_id "traceId": Text(TraceId)) -> http::RefusalReply {
        Ok(http::RefusalReply { refusal, trace_id })
    }

    /// Returns the refusal of a request whose caller is not known, by the values of its headers `authorization` and `x-api-key`:
    /// `{refused}` ([`http::Refusal::unidentified`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for an unknown operation, `range` for text over 1 MiB.
    "unidentified" => pub fn unidentified(
        operation: Text(Operation),
        authorization: Text(&str as String) or None,
        key: Text(&str as String) or None,
    ) -> http::Refusal {
        Ok(http::Refusal::unidentified(operation, authorization, key))
    }

    /// Checks the form of an operation's body by the values of `content-type` and `content-encoding`: `{}`, or `{refused}`
    /// ([`http::check_content`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for an unknown operation, `range` for text over 1 MiB.
    "checkContent" => pub fn check_content(
        operation: Text(Operation),
        content_type "contentType": Text(&str as String) or None,
        content_encoding "contentEncoding": Text(&str as String) or None,
    ) -> http::CheckedContent {
        Ok(http::CheckedContent(http::check_content(operation, content_type, content_encoding)))
    }

    /// Reads the trace id and the request id from the values of `traceparent` and `x-request-id`: `{traceId?, requestId?}`
    /// ([`http::Trace`]).
    ///
    /// # Errors
    ///
    /// `range` for text over 1 MiB.
    "readTrace" => pub fn read_trace(
        traceparent: Text(&str as String) or None,
        request_id "requestId": Text(&str as String) or None,
    ) -> http::Trace {
        Ok(http::Trace::read(traceparent, request_id))
    }

    /// Returns the headers about a limit and the rest of its window: `{ratelimit-policy, ratelimit}`
    /// ([`rate_limit::RateLimitFields`]).
    ///
    /// # Errors
    ///
    /// Every problem of the policy and of `verdict`.
    "rateLimitFields" => pub fn rate_limit_fields(
        policy: Document(Policy),
        verdict: Document(rate_limit::WindowRest),
    ) -> rate_limit::RateLimitFields {
        Ok(rate_limit::RateLimitFields::of(&policy, &verdict))
    }

    /// Reads a reply of the service in any of its spellings ([`http::Reply`]).
    ///
    /// # Errors
    ///
    /// Every problem of a text that is neither a success nor an error of the service.
    "readReply" in sign => pub fn read_reply(
        text: Document(http::Reply as http::ServiceReply),
        retry_after "retryAfter": Text(&str as String) or None,
    ) -> http::Reply {
        Ok(http::ReadReply(text.with_retry_after(retry_after.unwrap_or_default())))
    }

    /// Checks one document by itself, for a form or a route that does not have the other arguments yet: `{}` if it is valid.
    ///
    /// `kind` is the name of its type. A request must keep every rule that needs no facts.
    ///
    /// # Errors
    ///
    /// `format` at the root for an unknown kind, else every problem of the document under `document`.
    "checkDocument" in sign as check_form => pub fn check_document(
        kind: Text(document_kind::DocumentKind),
        document: Document(&str as serde_json::Value),
    ) -> shape::Unnamed<shape::Empty> |issues| {
        kind.read(issues)?.check(document.text(), &document.at, issues)
    }

    /// Reads the token of an `Authorization` header: `{token, expireAt?, sessionPublicKey?}` ([`http::Bearer`]).
    ///
    /// # Errors
    ///
    /// `format` at the root for a value that is not a bearer token; no part of the value is shown.
    "readBearer" => pub fn read_bearer(header: Text(&str as shape::Unnamed<shape::Authorization>)) -> http::Bearer {
        header.parse::<http::Bearer>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{borrow::ToOwned as _, format};

    /// The places of all problems of a call, each with its code.
    fn problems(name: &str, texts: &[&str]) -> String {
        let texts: Vec<_> = texts.iter().map(|text| Some(*text)).collect();
        let refusal = call(name, &texts).unwrap_err();
        let refusal: serde_json::Value = serde_json::from_str(&refusal).unwrap();
        let place = |issue: &serde_json::Value| {
            let [path, code] = ["path", "code"].map(|key| issue[key].as_str().unwrap().to_owned());
            format!("{path} {code}")
        };
        let issues = refusal["issues"].as_array().unwrap().iter();
        issues.map(place).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_problems_of_all_arguments_are_found_at_once() {
        let policy = r#"{"limit":3,"windowMs":60000}"#;
        let long = "é".repeat(129);
        for (name, texts, found) in [
            (
                "admit",
                &[r#"{"limit":0,"burst":1}"#, r#"{"start":0.5}"#, "null", "0"][..],
                "limit range, windowMs missing, burst unknown, window.start type, window.count missing, \
                 now type, cost range",
            ),
            ("admit", &["[", "1", "]", "''"], " syntax, window type, now syntax, cost syntax"),
            ("admit", &[policy], "window missing, now missing"),
            ("Admit", &[], " format"),
            ("operationPath", &["burn", "[]"], " format, params type"),
            (
                "operationPath",
                &["serverTransferTokens", r#"{"a":1,"a":2,"b":"/"}"#],
                "params.a duplicate, params.userId missing, params.b unknown",
            ),
            ("rateLimited", &["", "0"], " format, retryAfter range"),
            ("rateLimited", &["t", "9007199254740992"], "retryAfter range"),
            ("rateLimited", &[&long, "1"], " format"),
            // A cost is judged by a policy that was read.
            ("peek", &[r#"{"limit":3}"#, "null", "0", "4"], "windowMs missing"),
        ] {
            assert_eq!(problems(name, texts), found, "{name} {texts:?}");
        }

        assert!(rate_limited(&"é".repeat(128), "9007199254740991").is_ok());
    }

    #[test]
    fn signing_has_its_own_functions_alone() {
        let text = [Some("amount"), Some("1")];
        assert_eq!(call_for_signing("readText", &text), call("readText", &text));
        for function in FUNCTIONS {
            let is_known =
                !call_for_signing(function.name, &[]).unwrap_err().contains("expected a function");
            assert_eq!(is_known, function.is_for_signing, "{}", function.name);
        }
    }
}
