// The backend for signatures: a WebAssembly module of its own, in Node too, because elliptic curves are large.

import { SendoffError } from './error.js'
import { wasm } from './wasm.js'

/**
 * Compiles the WebAssembly of `sendoff/signature` in the background, so that the first call need not.
 *
 * @throws Error with the reason if the module cannot be compiled.
 */
export async function init(): Promise<void> {
  await wasm.init?.()
}

/**
 * Calls the core, and returns a value. A failure is recognised by its first key, which no answer has.
 *
 * @internal
 */
export function invoke<Answer>(name: string, ...args: string[]): Answer {
  const text = wasm.call(name, args)
  if (text.startsWith('{"issues":')) throw new SendoffError(JSON.parse(text).issues)
  return JSON.parse(text)
}
