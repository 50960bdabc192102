// Who answers about signatures: a WebAssembly of its own, in Node too, for elliptic curves are heavy.

import { SendoffError } from './error.js'
import { wasm } from './wasm.js'

/**
 * Compiles the WebAssembly of `sendoff/signature` beside the page, so that the first call does not.
 *
 * @throws Error where it cannot be compiled, and why.
 */
export async function init(): Promise<void> {
  await wasm.init?.()
}

/**
 * Calls the core, and answers with a value. A failure is recognised by its first key, which no answer has.
 *
 * @internal
 */
export function invoke<Answer>(name: string, ...args: string[]): Answer {
  const text = wasm.call(name, args)
  if (text.startsWith('{"issues":')) throw new SendoffError(JSON.parse(text).issues)
  return JSON.parse(text)
}
