// Node. It is reached through `process`, because bundlers for browsers fail on an import of `node:fs`, and some replace the bare word
// `process` with a polyfill.

import type nodeProcess from 'node:process'

/** `undefined` outside Node and runtimes that imitate it. */
export const { process } = globalThis as unknown as { process: typeof nodeProcess }
