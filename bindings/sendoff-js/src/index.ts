// What `import 'sendoff'` gives.

export { backend, init } from './backend.js'
export { checkDocument } from './check-document.js'
export {
  Call,
  Deployment,
  EntryPoint,
  EstimateRequest,
  Facts,
  PackOptions,
  PaymasterData,
  PaymasterGrant,
  Policy,
  UserOp,
  Window,
} from './documents.js'
export { SendoffError, type Issue, type IssueCode } from './error.js'
export { estimate, signable, verifyEstimate } from './estimate.js'
export { OPERATIONS } from './operations.js'
export { admit, peek, plan, redisAnswer, redisRequest, touch } from './rate-limit.js'
export { RateLimiter, type Snapshot } from './rate-limiter.js'
export { REDIS_SCRIPT } from './redis-script.js'
export type { Result } from './result.js'
export {
  safeAdmit,
  safeCheckDocument,
  safeDecodeCall,
  safeDecodePaymasterData,
  safeDescribeCall,
  safeEncodeCall,
  safeEncodePaymasterData,
  safeEstimate,
  safeFindOperation,
  safeMaxCost,
  safeOperationPath,
  safePackUserOp,
  safePaymasterHash,
  safePeek,
  safePlan,
  safeRateLimited,
  safeReadBearer,
  safeReadReply,
  safeReadText,
  safeRedisAnswer,
  safeRedisRequest,
  safeSignable,
  safeSigningDigest,
  safeTouch,
  safeUserOpHash,
  safeVerifyEstimate,
} from './safe.js'
export type { Schema, SchemaIssue, SchemaResult } from './schema.js'
export { findOperation, operationPath, rateLimited, readBearer, readReply } from './service.js'
export { readText } from './text.js'
export type * from './types.js'
export {
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
