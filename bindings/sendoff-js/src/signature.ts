// The entry `sendoff/signature`: checks of signatures, and the call that checks a contract's signature.

export { init, SendoffError, type Issue, type IssueCode, type Result } from './index.js'
export * from './signature-functions.js'
