// Made by `cargo xtask codegen` from the core; a change here is lost.

// What `import 'sendoff/sign'` gives: for a page that checks and signs replies, by a module of its own.

export {
  Deployment,
  EstimateRequest,
  NftTransferRequest,
  RawTransactionRequest,
  SendoffError,
  TokenTransferRequest,
  assemble,
  backend,
  comparisonCode,
  describeCall,
  inWords,
  init,
  messageKeys,
  messages,
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
} from './index.js'
export type * from './index.js'
