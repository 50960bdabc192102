// The core as a native addon, if this package has one for the platform.

import { type Backend, most, write } from './exchange.js'
import { process } from './process.js'

/** The platform whose addon the package contains, with the SHA-256 of the addon. */
declare const ADDONS: { readonly [platform: string]: string }

/** As {@link Core.call}. Node passes bytes faster than text: it walks over text twice, first for its length in UTF-8. */
type Addon = { call(texts: Uint8Array, ...lengths: number[]): string }

/** Returns the addon, or `undefined` if it is missing or broken. */
export function native(): Backend | undefined {
  try {
    const target = platform()
    if (!Object.hasOwn(ADDONS, target)) return undefined
    // File names are put together here, because some bundlers search for complete names at build time.
    const file = `sendoff.${target}.node`
    // A bundler may have moved this file, while the package is still there.
    const addon = load(`./${file}`, ADDONS[target]!) ?? load('sendoff/package.json', ADDONS[target]!, `dist/${file}`)
    // For the texts of most calls.
    const kept = new Uint8Array(1 << 16)
    const call: Backend['call'] = (name, args) => {
      const texts = [name, ...args]
      const bytes = most(texts) > kept.length ? new Uint8Array(most(texts)) : kept
      return addon!.call(bytes, ...write(texts, bytes, 0))
    }
    return addon && { name: 'native', call }
  } catch {
    // There is no addon outside Node.
  }
}

/**
 * Loads the addon at `id`, or at a path in the package. An addon with other bytes is not loaded: it could do anything, and one that
 * was cut off would end the process.
 */
function load(id: string, sha256: string, path?: string): Addon | undefined {
  try {
    const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
    const file = path ? require.resolve(id).replace('package.json', path) : require.resolve(id)
    const bytes = process.getBuiltinModule('node:fs').readFileSync(file)
    const found = process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest('hex')
    return found === sha256 ? (require(file) as Addon) : undefined
  } catch {
    // It is missing, or it does not load here.
  }
}

/**
 * The platform that an addon is built for. On Linux it includes the C library, because loading an addon for another one
 * can end the process.
 */
function platform(): string {
  const { platform, arch } = process
  if (platform !== 'linux') return `${platform}-${arch}`
  const report = process.report as unknown as { excludeNetwork: boolean; getReport(): { header: { glibcVersionRuntime?: string } } }
  const { excludeNetwork } = report
  // A report also contains host names, and looking them up takes seconds.
  report.excludeNetwork = true
  const { glibcVersionRuntime } = report.getReport().header
  report.excludeNetwork = excludeNetwork
  return `${platform}-${arch}-${glibcVersionRuntime ? 'gnu' : 'musl'}`
}
