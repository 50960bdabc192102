// The core as a native addon, where there is one for this platform and it belongs to this very package.

import { process, type Require } from './process.js'
import type { Backend } from './wasm.js'

declare const VERSION: string

interface Addon {
  version(): string
  call(name: string, ...args: (string | undefined)[]): string
}

/** The addon, or nothing where it is missing, foreign or broken. */
export function native(): Backend | undefined {
  try {
    // No name of a file stands here whole: some bundlers look for every one at build time.
    const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
    const target = platform()
    // Beside this file where it was built, else the package that npm picks for the platform.
    const addon = load(require, `./sendoff.${target}.node`) ?? load(require, `sendoff-${target}`)
    return addon && { name: 'native', call: (name, args) => addon.call(name, ...args) }
  } catch {
    return undefined
  }
}

function load(require: Require, id: string): Addon | undefined {
  try {
    if (!isWhole(require.resolve(id))) return undefined
    const addon = require(id) as Addon
    return addon.version() === VERSION ? addon : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether a library of Linux has all of its bytes: a process ends that loads one which was cut off. Last in it is the table
 * of its sections; where that is and how long, the header of an ELF file of 64 bits tells.
 */
function isWhole(file: string): boolean {
  if (process.platform !== 'linux') return true
  const { buffer, byteOffset, byteLength } = process.getBuiltinModule('node:fs').readFileSync(file)
  const header = new DataView(buffer, byteOffset, byteLength)
  const start = Number(header.getBigUint64(40, true))
  return start + header.getUint16(58, true) * header.getUint16(60, true) <= byteLength
}

/** What an addon is built for. On Linux the C library is a part of it: a process can end that loads the other one's. */
function platform(): string {
  const { platform, arch, report } = process
  if (platform !== 'linux') return `${platform}-${arch}`
  const { excludeNetwork } = report
  // Names of hosts are in a report too, and to look them up takes seconds.
  report.excludeNetwork = true
  const { glibcVersionRuntime } = report.getReport().header
  report.excludeNetwork = excludeNetwork
  return `${platform}-${arch}-${glibcVersionRuntime ? 'gnu' : 'musl'}`
}
