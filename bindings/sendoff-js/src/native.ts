// The core as a native addon, if there is one for this platform and of this package's version.

import { process, type Require } from './process.js'
import type { Backend } from './wasm.js'

declare const VERSION: string

interface Addon {
  version(): string
  call(name: string, ...args: (string | undefined)[]): string
}

/** Returns the addon, or `undefined` if it is missing, foreign or broken. */
export function native(): Backend | undefined {
  try {
    // File names are put together here, because some bundlers search for complete names at build time.
    const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
    const target = platform()
    // The addon is beside this file after a local build, else in the package that npm picks for the platform.
    const addon = load(require, `./sendoff.${target}.node`) ?? load(require, `sendoff-${target}`)
    return addon && { name: 'native', call: (name, args) => addon.call(name, ...args) }
  } catch {
    // There is no addon outside Node.
  }
}

function load(require: Require, id: string): Addon | undefined {
  try {
    if (!isWhole(require.resolve(id))) return undefined
    const addon = require(id) as Addon
    return addon.version() === VERSION ? addon : undefined
  } catch {
    // It is missing, or no addon for this platform.
  }
}

/**
 * Returns `true` if a Linux library is complete. Loading one that was cut off would end the process. The table of sections
 * is at the end of the file, and the header of a 64-bit ELF file holds its position and length.
 */
function isWhole(file: string): boolean {
  if (process.platform !== 'linux') return true
  const { buffer, byteOffset, byteLength } = process.getBuiltinModule('node:fs').readFileSync(file)
  const header = new DataView(buffer, byteOffset, byteLength)
  const start = Number(header.getBigUint64(40, true))
  return start + header.getUint16(58, true) * header.getUint16(60, true) <= byteLength
}

/**
 * The platform that an addon is built for. On Linux it includes the C library, because loading an addon for another one
 * can end the process.
 */
function platform(): string {
  const { platform, arch, report } = process
  if (platform !== 'linux') return `${platform}-${arch}`
  const { excludeNetwork } = report
  // A report also contains host names, and looking them up takes seconds.
  report.excludeNetwork = true
  const { glibcVersionRuntime } = report.getReport().header
  report.excludeNetwork = excludeNetwork
  return `${platform}-${arch}-${glibcVersionRuntime ? 'gnu' : 'musl'}`
}
