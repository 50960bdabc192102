// The entry `sendoff`.

export { backend, init } from './backend.js'
export { SendoffError, type Issue, type IssueCode } from './error.js'
export * from './functions.js'
export { inWords, messageKeys, messages, type Messages, type RefusalInWords, type Translate } from './messages.js'
export { OPERATIONS } from './operations.js'
export { RateLimiter, type Snapshot } from './rate-limiter.js'
export { REDIS_SCRIPT } from './redis-script.js'
export type { Result } from './result.js'
export type { Schema, SchemaIssue, SchemaResult } from './schema.js'
export { inTokens } from './tokens.js'
export * from './types.js'
