// What `import 'sendoff/signature'` gives: whether a key made a signature, and what to call for that of a contract.

export { SendoffError, type Issue, type IssueCode, type Result } from './index.js'
export { init } from './signature-backend.js'
export * from './signature-functions.js'
