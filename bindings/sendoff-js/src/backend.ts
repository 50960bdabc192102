// The backend of this process, and calls of it.

import { SendoffError } from './error.js'
import type { Backend } from './exchange.js'
import { frozen } from './frozen.js'
import { choose } from './server.js'

let chosen: Backend | undefined

/**
 * Returns the backend of this process: `native` is the Node addon, `wasm` is WebAssembly, `js` is JavaScript for engines that have
 * no WebAssembly. All give the same answers.
 *
 * On a server it is the addon if Node finds one for its platform, and WebAssembly otherwise. There the environment variable
 * `SENDOFF_BACKEND`, `wasm` or `native`, overrides that.
 *
 * @throws Error if `SENDOFF_BACKEND` is `native` and there is no addon, or if it has any other value.
 */
export function backend(): 'wasm' | 'native' | 'js' {
  return current().name
}

/**
 * Compiles the WebAssembly in the background, so that the first call need not. Only a page in an old Chromium needs it, which does not
 * compile more than 4 kB synchronously.
 *
 * @throws Error with the reason if the module cannot be loaded or compiled.
 */
export async function init(): Promise<void> {
  await current().init?.()
}

/**
 * Calls the core, and returns a value, frozen deeply.
 *
 * @internal
 */
export function invoke<Answer>(name: string, ...args: (string | undefined)[]): Answer {
  return frozen(JSON.parse(answer(name, ...args)))
}

/**
 * Calls the core, and returns JSON text. A failure is recognised by its first key, which no answer has.
 *
 * @internal
 */
export function answer(name: string, ...args: (string | undefined)[]): string {
  const text = current().call(name, args)
  if (text.startsWith('{"issues":')) throw new SendoffError(JSON.parse(text).issues)
  return text
}

function current(): Backend {
  return (chosen ??= choose())
}
