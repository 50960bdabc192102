// The twin of each function that throws a SendoffError: it returns a Result. Each is made by itself, and dropped by
// bundlers where nobody uses it.

import { checkDocument } from './check-document.js'
import { estimate, signable, verifyEstimate } from './estimate.js'
import { admit, peek, plan, redisAnswer, redisRequest, touch } from './rate-limit.js'
import { safe } from './result.js'
import { findOperation, operationPath, rateLimited, readBearer, readReply } from './service.js'
import { readText } from './text.js'
import {
  decodeCall,
  decodePaymasterData,
  describeCall,
  encodeCall,
  encodePaymasterData,
  maxCost,
  packUserOp,
  paymasterHash,
  signingDigest,
  userOpHash,
} from './user-op.js'

/**
 * {@link estimate}, with its issues returned.
 *
 * @example
 * ```ts
 * const result = safeEstimate(body, facts)
 * if (!result.ok) for (const { path, message } of result.issues) console.log(`${path}: ${message}`)
 * ```
 */
export const safeEstimate = /* @__PURE__ */ safe(estimate)

/** {@link verifyEstimate}, with its issues returned. */
export const safeVerifyEstimate = /* @__PURE__ */ safe(verifyEstimate)

/** {@link signable}, with its issues returned. */
export const safeSignable = /* @__PURE__ */ safe(signable)

/** {@link checkDocument}, with its issues returned. */
export const safeCheckDocument = /* @__PURE__ */ safe(checkDocument)

/** {@link readText}, with its issues returned. */
export const safeReadText = /* @__PURE__ */ safe(readText)

/** {@link encodeCall}, with its issues returned. */
export const safeEncodeCall = /* @__PURE__ */ safe(encodeCall)

/** {@link decodeCall}, with its issues returned. */
export const safeDecodeCall = /* @__PURE__ */ safe(decodeCall)

/** {@link describeCall}, with its issues returned. */
export const safeDescribeCall = /* @__PURE__ */ safe(describeCall)

/** {@link packUserOp}, with its issues returned. */
export const safePackUserOp = /* @__PURE__ */ safe(packUserOp)

/** {@link userOpHash}, with its issues returned. */
export const safeUserOpHash = /* @__PURE__ */ safe(userOpHash)

/** {@link maxCost}, with its issues returned. */
export const safeMaxCost = /* @__PURE__ */ safe(maxCost)

/** {@link signingDigest}, with its issues returned. */
export const safeSigningDigest = /* @__PURE__ */ safe(signingDigest)

/** {@link paymasterHash}, with its issues returned. */
export const safePaymasterHash = /* @__PURE__ */ safe(paymasterHash)

/** {@link encodePaymasterData}, with its issues returned. */
export const safeEncodePaymasterData = /* @__PURE__ */ safe(encodePaymasterData)

/** {@link decodePaymasterData}, with its issues returned. */
export const safeDecodePaymasterData = /* @__PURE__ */ safe(decodePaymasterData)

/** {@link admit}, with its issues returned. */
export const safeAdmit = /* @__PURE__ */ safe(admit)

/** {@link touch}, with its issues returned. */
export const safeTouch = /* @__PURE__ */ safe(touch)

/** {@link peek}, with its issues returned. */
export const safePeek = /* @__PURE__ */ safe(peek)

/** {@link plan}, with its issues returned. */
export const safePlan = /* @__PURE__ */ safe(plan)

/** {@link redisRequest}, with its issues returned. */
export const safeRedisRequest = /* @__PURE__ */ safe(redisRequest)

/** {@link redisAnswer}, with its issues returned. */
export const safeRedisAnswer = /* @__PURE__ */ safe(redisAnswer)

/** {@link findOperation}, with its issues returned. */
export const safeFindOperation = /* @__PURE__ */ safe(findOperation)

/** {@link operationPath}, with its issues returned. */
export const safeOperationPath = /* @__PURE__ */ safe(operationPath)

/** {@link rateLimited}, with its issues returned. */
export const safeRateLimited = /* @__PURE__ */ safe(rateLimited)

/** {@link readReply}, with its issues returned. */
export const safeReadReply = /* @__PURE__ */ safe(readReply)

/** {@link readBearer}, with its issues returned. */
export const safeReadBearer = /* @__PURE__ */ safe(readBearer)
