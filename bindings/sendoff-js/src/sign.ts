// Made by `cargo xtask codegen` from the core; a change here is lost.

// What `import 'sendoff/sign'` gives: for a page that checks and signs replies, by a module of its own.

export { backend, init } from './backend.js'
export {
  Deployment,
  EstimateRequest,
  NftTransferRequest,
  RawTransactionRequest,
  TokenTransferRequest,
} from './documents.js'
export { SendoffError } from './error.js'
export {
  assemble,
  comparisonCode,
  describeCall,
  readReply,
  readText,
  safeAssemble,
  safeComparisonCode,
  safeDescribeCall,
  safeReadReply,
  safeReadText,
  safeSignable,
  safeVerifyEstimate,
  signable,
  verifyEstimate,
} from './functions.js'
export { inWords, messageKeys, messages } from './messages.js'
export type { Issue, IssueCode } from './error.js'
export type { Messages, Translate } from './messages.js'
export type { Result } from './result.js'
export type { Schema, SchemaIssue, SchemaResult } from './schema.js'
export type * from './types.js'
