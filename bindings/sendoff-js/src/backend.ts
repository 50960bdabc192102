// Chooses the backend: the addon if there is one, else WebAssembly.

import { SendoffError } from './error.js'
import { frozen } from './frozen.js'
import { native } from './native.js'
import { process } from './process.js'
import { type Backend, wasm } from './wasm.js'

let chosen: Backend | undefined

/**
 * Returns the backend of this process: `native` is the Node addon, `wasm` is WebAssembly. Both give the same answers.
 *
 * By default it is the addon if Node finds one for its platform, and WebAssembly otherwise. The environment variable
 * `SENDOFF_BACKEND`, `wasm` or `native`, overrides that.
 *
 * @throws Error if `SENDOFF_BACKEND` is `native` and there is no addon, or if it has any other value.
 */
export function backend(): 'wasm' | 'native' {
  return current().name
}

/**
 * Compiles the WebAssembly in the background, so that the first call need not. Only two callers need it: the entry
 * `sendoff/url`, and a page in an old Chromium, which does not compile more than 4 kB synchronously.
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
  return (chosen ??= choose(demanded()))
}

function choose(name: string | undefined): Backend {
  switch (name) {
    case undefined:
    case '':
      return native() ?? wasm
    case 'wasm':
      return wasm
    case 'native': {
      const addon = native()
      if (addon) return addon
      throw new Error('SENDOFF_BACKEND is `native`, and the addon of this package for this platform is not here')
    }
    default:
      throw new Error(`expected SENDOFF_BACKEND to be \`wasm\` or \`native\`, found \`${name}\``)
  }
}

function demanded(): string | undefined {
  try {
    return Object.hasOwn(process.env!, 'SENDOFF_BACKEND') ? process.env!.SENDOFF_BACKEND : undefined
  } catch {
    // Browsers have no `process`. Deno asks for a permission here, and throws without it.
  }
}
