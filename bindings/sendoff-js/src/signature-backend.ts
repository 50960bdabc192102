// The backend for signatures: a WebAssembly module of its own, in Node too, because elliptic curves are large.

import { SendoffError } from './error.js'
import { frozen } from './frozen.js'
import { choose } from './page.js'

/**
 * Compiles the WebAssembly of `sendoff/signature` in the background, so that the first call need not.
 *
 * @throws Error with the reason if the module cannot be compiled.
 */
export async function init(): Promise<void> {
  await choose().init?.()
}

/**
 * Calls the core, and returns a value, frozen deeply. A failure has the key `issues`, which no answer has.
 *
 * @internal
 */
export function invoke<Answer>(name: string, ...args: string[]): Answer {
  const answer = frozen(JSON.parse(choose().call(name, args)))
  if (Object.hasOwn(answer, 'issues')) throw new SendoffError(answer.issues)
  return answer
}
