// What `import 'sendoff/text'` gives: the functions of `sendoff` for hosts that pass bodies on, text in and text out.

export { backend, init, SendoffError, type Issue, type IssueCode, type Result } from './index.js'
export * from './text-functions.js'
