// The core as a native addon, where there is one for this platform and it belongs to this very package.

import type { Backend } from './backend.js'
import type { CoreFunction } from './wasm.js'

declare const VERSION: string

type Addon = Record<CoreFunction | 'version', (...args: (string | undefined)[]) => string>

/** The addon, or nothing where it is missing, foreign or broken. */
export function native(): Backend | undefined {
  try {
    const { platform, arch } = process
    // Neither an import of `node:module` nor a name that stands here whole: bundlers for browsers stumble over the one,
    // and over the other those that look for every file at build time.
    const { createRequire } = process.getBuiltinModule('node:module')
    const addon: Addon = createRequire(import.meta.url)(`./sendoff.${platform}-${arch}.node`)
    if (addon.version() !== VERSION) return undefined
    return { name: 'native', call: (name, args) => addon[name](...args) }
  } catch {
    return undefined
  }
}

/** As much of Node's `process` as is used, and there is none outside Node. */
declare const process: {
  readonly platform: string
  readonly arch: string
  getBuiltinModule(id: 'node:module'): { createRequire(from: string): (id: string) => never }
}
