// The choice of a backend on servers. The build replaces this file for pages (src/page.ts) and for engines without WebAssembly
// (src/javascript.ts), where there is nothing to choose from, and no addon to look for.

import type { Backend } from './exchange.js'
import { native } from './native.js'
import { process } from './process.js'
import { wasm } from './wasm.js'

/** The addon if there is one for this platform, else WebAssembly; or what the environment demands. */
export function choose(): Backend {
  const name = demanded()
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
    // Some runtimes have no `process`. Deno asks for a permission here, and throws without it.
  }
}
