// Who answers: the addon where there is one, else the WebAssembly that is always there.

import { SendoffError } from './error.js'
import { native } from './native.js'
import { process } from './process.js'
import { type Backend, wasm } from './wasm.js'

let chosen: Backend | undefined

/**
 * What answers in this process: `native` is the Node addon, `wasm` is WebAssembly, which answers the same.
 *
 * Without a word it is the addon where Node finds one for its platform, and WebAssembly everywhere else. The
 * environment variable `SENDOFF_BACKEND`, `wasm` or `native`, decides it otherwise.
 *
 * @throws Error where `SENDOFF_BACKEND` is `native` and there is no addon, or is neither word.
 */
export function backend(): 'wasm' | 'native' {
  return current().name
}

/**
 * Compiles the WebAssembly beside the page, so that the first call does not. The entry `sendoff/url` needs it before
 * that call, and so does an old Chromium, which compiles nothing above 4 kB while a page waits; nobody else does.
 *
 * @throws Error where it cannot be loaded or compiled, and why.
 */
export async function init(): Promise<void> {
  await current().init?.()
}

/**
 * Calls the core, and answers with a value.
 *
 * @internal
 */
export function invoke<Answer>(name: string, ...args: (string | undefined)[]): Answer {
  return JSON.parse(answer(name, ...args))
}

/**
 * Calls the core, and answers with JSON text. A failure is recognised by its first key, which no answer has.
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
      throw new Error('SENDOFF_BACKEND is `native`, and there is no addon of this version for this platform')
    }
    default:
      throw new Error(`expected SENDOFF_BACKEND to be \`wasm\` or \`native\`, found \`${name}\``)
  }
}

function demanded(): string | undefined {
  try {
    return process?.env?.SENDOFF_BACKEND
  } catch {
    // Deno asks for a permission here, and without it throws.
    return undefined
  }
}
