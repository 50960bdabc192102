// The command line of the addon, for bin/sendoff.mjs.

export { loaded as addon } from './native.js'
