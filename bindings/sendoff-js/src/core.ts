// The part that the entries `sendoff` and `sendoff/text` share: a program that imports both has one core.

export * from './argument.js'
export * from './backend.js'
export * from './error.js'
export * from './own.js'
