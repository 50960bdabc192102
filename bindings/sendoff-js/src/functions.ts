// Made by `cargo xtask codegen` from the core; a change here is lost.

// The functions of the core, each with its twin that returns what it throws.

import { ofDocument, ofNumber, ofReply, ofText, optional } from './argument.js'
import { invoke } from './backend.js'
import { frozen, safe } from './result.js'
import type {
  Admission,
  AnsweredPaymasterData,
  Bearer,
  Call,
  CallDescription,
  CheckedContent,
  ComparisonCode,
  DecodedCall,
  Deployment,
  Document,
  DocumentKind,
  EntryPoint,
  EstimateReply,
  Facts,
  FoundOperation,
  Hex,
  Names,
  Operation,
  PackOptions,
  PackedUserOp,
  ParamsOf,
  PaymasterData,
  PaymasterGrant,
  PlanEntry,
  Policy,
  RateLimitFields,
  RateLimited,
  RedisAnswer,
  RedisAsk,
  RedisRequest,
  Refusal,
  RefusalReply,
  Reply,
  RequestOf,
  Signable,
  SignedUserOp,
  Submission,
  SubmissionProgress,
  SubmissionStep,
  TextMeanings,
  Trace,
  UnsignedUserOp,
  UserOp,
  UserOpOutcome,
  Verdict,
  Verification,
  Window,
} from './types.js'

/**
 * Returns the success reply to an estimate request, from the request and the host's facts.
 *
 * @throws {@link SendoffError} Every problem of both documents, and every rule across them that they break.
 */
export function estimate<Type extends string>(
  request: Document<RequestOf<Type>>,
  facts: Document<Facts>,
): EstimateReply {
  return invoke('estimate', ofDocument(request), ofDocument(facts, 'facts'))
}

/** {@link estimate}, with its issues returned. */
export const safeEstimate = /* @__PURE__ */ safe(estimate)

/**
 * Compares a reply with its request: `{ok, findings: [{rule, path, message}]}`.
 *
 * @throws {@link SendoffError} Every problem of the request. Problems of the reply are findings.
 */
export function verifyEstimate<Type extends string>(request: Document<RequestOf<Type>>, reply: unknown): Verification {
  return invoke('verifyEstimate', ofDocument(request), ofReply(reply))
}

/** {@link verifyEstimate}, with its issues returned. */
export const safeVerifyEstimate = /* @__PURE__ */ safe(verifyEstimate)

/**
 * Returns the hash and digest of a reply's operation, and the effects of signing it: `{hash, digest, account}`.
 *
 * @throws {@link SendoffError} Every problem of the request and of `where`, the deployment; `rule` for every difference
 * between the reply and the request or the deployment.
 */
export function signable<Type extends string>(
  request: Document<RequestOf<Type>>,
  reply: unknown,
  where: Document<Deployment>,
): Signable {
  return frozen(invoke<Signable>('signable', ofDocument(request), ofReply(reply), ofDocument(where, 'where')))
}

/** {@link signable}, with its issues returned. */
export const safeSignable = /* @__PURE__ */ safe(signable)

/**
 * Returns the meaning of a text, in a form that depends on its kind.
 *
 * @throws {@link SendoffError} `format` at the root for an unknown kind, `format` or `range` at `text`.
 */
export function readText<Kind extends keyof TextMeanings>(kind: Kind, text: string): TextMeanings[Kind] {
  return invoke('readText', ofText(kind), ofText(text, 'text'))
}

/** {@link readText}, with its issues returned. */
export const safeReadText = /* @__PURE__ */ safe(readText)

/**
 * Returns call data for its content, as hex.
 *
 * @throws {@link SendoffError} Every problem of the content.
 */
export function encodeCall(call: Document<Call>): Hex {
  return invoke('encodeCall', ofDocument(call))
}

/** {@link encodeCall}, with its issues returned. */
export const safeEncodeCall = /* @__PURE__ */ safe(encodeCall)

/**
 * Returns the content of call data.
 *
 * @throws {@link SendoffError} `format` at the root for call data that `encodeCall` does not write.
 */
export function decodeCall(hex: string): DecodedCall {
  return invoke('decodeCall', ofText(hex))
}

/** {@link decodeCall}, with its issues returned. */
export const safeDecodeCall = /* @__PURE__ */ safe(decodeCall)

/**
 * Describes the effects of call data for people. Names of chains and tokens that the caller knows are shown beside the
 * raw values.
 *
 * @throws {@link SendoffError} As `decodeCall`, and every problem of `names`.
 */
export function describeCall(hex: string, names?: Document<Names>): CallDescription {
  return invoke('describeCall', ofText(hex), optional(ofDocument, names, 'names'))
}

/** {@link describeCall}, with its issues returned. */
export const safeDescribeCall = /* @__PURE__ */ safe(describeCall)

/**
 * Returns the packed form of a user operation. By default the fees are in the standard order.
 *
 * @throws {@link SendoffError} Every problem of the operation and of `options`.
 */
export function packUserOp(op: Document<UserOp>, options?: Document<PackOptions>): PackedUserOp {
  return invoke('packUserOp', ofDocument(op), optional(ofDocument, options, 'options'))
}

/** {@link packUserOp}, with its issues returned. */
export const safePackUserOp = /* @__PURE__ */ safe(packUserOp)

/**
 * Returns the hash of a user operation, as hex; `options` are an `EntryPoint`.
 *
 * @throws {@link SendoffError} Every problem of the operation and of `options`; `rule` if the operation has no hash in
 * that version.
 */
export function userOpHash(op: Document<UserOp>, options: Document<EntryPoint>): Hex {
  return invoke('userOpHash', ofDocument(op), ofDocument(options, 'options'))
}

/** {@link userOpHash}, with its issues returned. */
export const safeUserOpHash = /* @__PURE__ */ safe(userOpHash)

/**
 * Returns the required prefund, in wei as a decimal: the most that a user operation can cost.
 *
 * @throws {@link SendoffError} Every problem of the operation; `range` if the EntryPoint would refuse its gas values.
 */
export function maxCost(op: Document<UserOp>): string {
  return invoke('maxCost', ofDocument(op))
}

/** {@link maxCost}, with its issues returned. */
export const safeMaxCost = /* @__PURE__ */ safe(maxCost)

/**
 * Returns the digest to sign for a hash, as hex.
 *
 * @throws {@link SendoffError} `format` at the root for a text that is not 32 bytes of hex.
 */
export function signingDigest(hash: string): Hex {
  return invoke('signingDigest', ofText(hash))
}

/** {@link signingDigest}, with its issues returned. */
export const safeSigningDigest = /* @__PURE__ */ safe(signingDigest)

/**
 * Returns an operation of exactly the twelve fields with its signature, ready to send.
 *
 * @throws {@link SendoffError} Every problem of the operation; `format` at `signature` if it is not hex or empty.
 */
export function assemble(operation: Document<UnsignedUserOp>, signature: string): SignedUserOp {
  return invoke('assemble', ofDocument(operation), ofText(signature, 'signature'))
}

/** {@link assemble}, with its issues returned. */
export const safeAssemble = /* @__PURE__ */ safe(assemble)

/**
 * Returns 24 digits of a hash for people who compare two devices.
 *
 * @throws {@link SendoffError} `format` at the root for a text that is not 32 bytes of hex.
 */
export function comparisonCode(hash: string): ComparisonCode {
  return invoke('comparisonCode', ofText(hash))
}

/** {@link comparisonCode}, with its issues returned. */
export const safeComparisonCode = /* @__PURE__ */ safe(comparisonCode)

/**
 * Reads a bundler's receipt of the operation with this hash: `{outcome, actualGasCost, actualGasUsed, transactionHash?,
 * reason?}`.
 *
 * @throws {@link SendoffError} `format` at the root for a hash that is not 32 bytes of hex, and every problem of
 * `receipt`.
 */
export function readReceipt(hash: string, receipt: unknown): UserOpOutcome {
  return invoke('readReceipt', ofText(hash), ofDocument(receipt, 'receipt'))
}

/** {@link readReceipt}, with its issues returned. */
export const safeReadReceipt = /* @__PURE__ */ safe(readReceipt)

/**
 * Returns a submission after a step: `{state, verdict}`. The verdict tells whether the operation may be sent again.
 * Before the first step, `state` is `null`.
 *
 * @throws {@link SendoffError} Every problem of the state and of `step`; `rule` at `step.type` if the first step is not
 * `sent`, at `step.jobId` if the job is not the state's.
 */
export function submission(state: Document<Submission | null>, step: Document<SubmissionStep>): SubmissionProgress {
  return invoke('submission', ofDocument(state), ofDocument(step, 'step'))
}

/** {@link submission}, with its issues returned. */
export const safeSubmission = /* @__PURE__ */ safe(submission)

/**
 * Returns the hash that a client signs so that the paymaster pays, as hex.
 *
 * @throws {@link SendoffError} Every problem of the grant.
 */
export function paymasterHash(grant: Document<PaymasterGrant>): Hex {
  return invoke('paymasterHash', ofDocument(grant))
}

/** {@link paymasterHash}, with its issues returned. */
export const safePaymasterHash = /* @__PURE__ */ safe(paymasterHash)

/**
 * Returns the data for the paymaster, as hex.
 *
 * @throws {@link SendoffError} Every problem of its content.
 */
export function encodePaymasterData(data: Document<PaymasterData>): Hex {
  return invoke('encodePaymasterData', ofDocument(data))
}

/** {@link encodePaymasterData}, with its issues returned. */
export const safeEncodePaymasterData = /* @__PURE__ */ safe(encodePaymasterData)

/**
 * Returns the content of paymaster data.
 *
 * @throws {@link SendoffError} `format` at the root for data that `encodePaymasterData` does not write.
 */
export function decodePaymasterData(hex: string): AnsweredPaymasterData {
  return invoke('decodePaymasterData', ofText(hex))
}

/** {@link decodePaymasterData}, with its issues returned. */
export const safeDecodePaymasterData = /* @__PURE__ */ safe(decodePaymasterData)

/**
 * Counts a call in its caller's window: `{window, verdict}`. The default cost is 1.
 *
 * @throws {@link SendoffError} Every problem of the policy, the window and both numbers.
 */
export function admit(
  policy: Document<Policy>,
  window: Document<Window | null>,
  now: number,
  cost?: number,
): Admission {
  return invoke('admit', ofDocument(policy), ofDocument(window, 'window'), ofNumber(now, 'now'), optional(ofNumber, cost, 'cost'))
}

/** {@link admit}, with its issues returned. */
export const safeAdmit = /* @__PURE__ */ safe(admit)

/**
 * Returns the window after a request that does not count.
 *
 * @throws {@link SendoffError} Every problem of the policy, the window and the time.
 */
export function touch(policy: Document<Policy>, window: Document<Window | null>, now: number): Window {
  return invoke('touch', ofDocument(policy), ofDocument(window, 'window'), ofNumber(now, 'now'))
}

/** {@link touch}, with its issues returned. */
export const safeTouch = /* @__PURE__ */ safe(touch)

/**
 * Returns the verdict that `admit` would give.
 *
 * @throws {@link SendoffError} As `admit`.
 */
export function peek(policy: Document<Policy>, window: Document<Window | null>, now: number, cost?: number): Verdict {
  return invoke('peek', ofDocument(policy), ofDocument(window, 'window'), ofNumber(now, 'now'), optional(ofNumber, cost, 'cost'))
}

/** {@link peek}, with its issues returned. */
export const safePeek = /* @__PURE__ */ safe(peek)

/**
 * Returns the earliest times to send `n` calls: `[{at, count}]`.
 *
 * @throws {@link SendoffError} Every problem of the policy, the window and both numbers; `range` at `n` for a plan of
 * more than 100,000 entries.
 */
export function plan(
  policy: Document<Policy>,
  window: Document<Window | null>,
  now: number,
  n: number,
): readonly PlanEntry[] {
  return invoke('plan', ofDocument(policy), ofDocument(window, 'window'), ofNumber(now, 'now'), ofNumber(n, 'n'))
}

/** {@link plan}, with its issues returned. */
export const safePlan = /* @__PURE__ */ safe(plan)

/**
 * Returns the call of the shared store's script for a question `{environment, scope, secret = "", kind, cost = 1,
 * now?}`: `{key, arguments}`.
 *
 * @throws {@link SendoffError} Every problem of the policy and of `ask`.
 */
export function redisRequest(policy: Document<Policy>, ask: Document<RedisAsk>): RedisRequest {
  return invoke('redisRequest', ofDocument(policy), ofDocument(ask, 'ask'))
}

/** {@link redisRequest}, with its issues returned. */
export const safeRedisRequest = /* @__PURE__ */ safe(redisRequest)

/**
 * Reads the answer of the shared store's script, an array of integers: `{at, granted, window, verdict}`.
 *
 * @throws {@link SendoffError} Every problem of the policy and of `numbers`.
 */
export function redisAnswer(policy: Document<Policy>, numbers: readonly number[]): RedisAnswer {
  return invoke('redisAnswer', ofDocument(policy), ofNumber(numbers, 'numbers'))
}

/** {@link redisAnswer}, with its issues returned. */
export const safeRedisAnswer = /* @__PURE__ */ safe(redisAnswer)

/**
 * Finds the operation of a request: `{operation, params, limited}`, or `{refused}` with the reason.
 *
 * @throws {@link SendoffError} `range` for text over 1 MiB; any other request has an answer.
 */
export function findOperation(method: string, target: string): FoundOperation {
  return invoke('findOperation', ofText(method), ofText(target, 'target'))
}

/** {@link findOperation}, with its issues returned. */
export const safeFindOperation = /* @__PURE__ */ safe(findOperation)

/**
 * Returns the path of an operation with its parameters.
 *
 * @throws {@link SendoffError} `format` at the root for an unknown operation, and every problem of `params`.
 */
export function operationPath<Id extends Operation>(operation: Id, params: Document<ParamsOf<Id>>): string {
  return invoke('operationPath', ofText(operation), ofDocument(params, 'params'))
}

/** {@link operationPath}, with its issues returned. */
export const safeOperationPath = /* @__PURE__ */ safe(operationPath)

/**
 * Returns the reply to a call over the limit: `{status: 429, headers, body}`.
 *
 * @throws {@link SendoffError} `format` at the root for a trace id that is empty or longer than 128 characters, and
 * every problem of `retryAfter`.
 */
export function rateLimited(traceId: string, retryAfter: number): RateLimited {
  return invoke('rateLimited', ofText(traceId), ofNumber(retryAfter, 'retryAfter'))
}

/** {@link rateLimited}, with its issues returned. */
export const safeRateLimited = /* @__PURE__ */ safe(rateLimited)

/**
 * Returns the reply of every host to a request that it refuses: `{status, headers, body}`. The answers of
 * `findOperation`, `checkContent` and `unidentified` with `refused` are refusals.
 *
 * @throws {@link SendoffError} Every problem of the refusal; `format` at `traceId` if it is empty or longer than 128
 * characters.
 */
export function refusal(refusal: Document<Refusal>, traceId: string): RefusalReply {
  return invoke('refusal', ofDocument(refusal), ofText(traceId, 'traceId'))
}

/** {@link refusal}, with its issues returned. */
export const safeRefusal = /* @__PURE__ */ safe(refusal)

/**
 * Returns the refusal of a request whose caller is not known, by the values of its headers `authorization` and
 * `x-api-key`: `{refused}`.
 *
 * @throws {@link SendoffError} `format` at the root for an unknown operation, `range` for text over 1 MiB.
 */
export function unidentified(operation: Operation, authorization?: string, key?: string): Refusal {
  return invoke('unidentified', ofText(operation), optional(ofText, authorization, 'authorization'), optional(ofText, key, 'key'))
}

/** {@link unidentified}, with its issues returned. */
export const safeUnidentified = /* @__PURE__ */ safe(unidentified)

/**
 * Checks the form of an operation's body by the values of `content-type` and `content-encoding`: `{}`, or `{refused}`.
 *
 * @throws {@link SendoffError} `format` at the root for an unknown operation, `range` for text over 1 MiB.
 */
export function checkContent(operation: Operation, contentType?: string, contentEncoding?: string): CheckedContent {
  return invoke('checkContent', ofText(operation), optional(ofText, contentType, 'contentType'), optional(ofText, contentEncoding, 'contentEncoding'))
}

/** {@link checkContent}, with its issues returned. */
export const safeCheckContent = /* @__PURE__ */ safe(checkContent)

/**
 * Reads the trace id and the request id from the values of `traceparent` and `x-request-id`: `{traceId?, requestId?}`.
 *
 * @throws {@link SendoffError} `range` for text over 1 MiB.
 */
export function readTrace(traceparent?: string, requestId?: string): Trace {
  return invoke('readTrace', optional(ofText, traceparent, ''), optional(ofText, requestId, 'requestId'))
}

/** {@link readTrace}, with its issues returned. */
export const safeReadTrace = /* @__PURE__ */ safe(readTrace)

/**
 * Returns the headers about a limit and the rest of its window: `{ratelimit-policy, ratelimit}`.
 *
 * @throws {@link SendoffError} Every problem of the policy and of `verdict`.
 */
export function rateLimitFields(policy: Document<Policy>, verdict: unknown): RateLimitFields {
  return invoke('rateLimitFields', ofDocument(policy), ofDocument(verdict, 'verdict'))
}

/** {@link rateLimitFields}, with its issues returned. */
export const safeRateLimitFields = /* @__PURE__ */ safe(rateLimitFields)

/**
 * Reads a reply of the service in any of its spellings.
 *
 * @throws {@link SendoffError} Every problem of a text that is neither a success nor an error of the service.
 */
export function readReply(text: unknown): Reply {
  return invoke('readReply', ofDocument(text))
}

/** {@link readReply}, with its issues returned. */
export const safeReadReply = /* @__PURE__ */ safe(readReply)

/**
 * Checks one document by itself, for a form or a route that does not have the other arguments yet: `{}` if it is valid.
 *
 * @throws {@link SendoffError} `format` at the root for an unknown kind, else every problem of the document under
 * `document`.
 */
export function checkDocument(kind: DocumentKind, document: unknown): Record<string, never> {
  return invoke('checkDocument', ofText(kind), ofDocument(document, 'document'))
}

/** {@link checkDocument}, with its issues returned. */
export const safeCheckDocument = /* @__PURE__ */ safe(checkDocument)

/**
 * Reads the token of an `Authorization` header: `{token, expireAt?, sessionPublicKey?}`.
 *
 * @throws {@link SendoffError} `format` at the root for a value that is not a bearer token; no part of the value is
 * shown.
 */
export function readBearer(header: string): Bearer {
  return invoke('readBearer', ofText(header))
}

/** {@link readBearer}, with its issues returned. */
export const safeReadBearer = /* @__PURE__ */ safe(readBearer)
