// The entry `sendoff/text`: the functions of `sendoff` with text in and text out, for hosts that pass bodies on.

export { backend, init, SendoffError, type Issue, type IssueCode, type Result } from './index.js'
export * from './text-functions.js'
