// The choice of a backend on servers. The build replaces this file for pages (src/page.ts) and for engines without WebAssembly
// (src/javascript.ts), where there is nothing to choose from, and no addon to look for.

import type { Backend } from './exchange.js'
import { native } from './native.js'
import { process } from './process.js'
import { wasm } from './wasm.js'

/** The addon if there is one for this platform, else WebAssembly; or what the environment demands. */
export function choose(): Backend {
  const name = demanded() || 'any'
  if (name === 'wasm') return wasm
  if (name !== 'native' && name !== 'any') throw new Error(`expected SENDOFF_BACKEND to be \`wasm\` or \`native\`, found \`${name}\``)
  const addon = native()
  if (!addon && name === 'native') throw new Error('SENDOFF_BACKEND is `native`, and the addon of this package for this platform is not here')
  return addon ?? wasm
}

function demanded(): string | undefined {
  try {
    return Object.hasOwn(process.env!, 'SENDOFF_BACKEND') ? process.env!.SENDOFF_BACKEND : undefined
  } catch {
    // Some runtimes have no `process`. Deno asks for a permission here, and throws without it.
  }
}
