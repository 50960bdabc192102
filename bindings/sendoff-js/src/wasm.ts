// The core as WebAssembly.

import { type Backend, calling, type Core } from './exchange.js'
import { now } from './inlined.js'

/**
 * The module, for the next instance. It is not called `module`: a bundle declares it with `var`, and runners of tests such as Vitest
 * run a file as a function with an argument of that name, whose value such a variable has at first.
 */
let kept: WebAssembly.Module | undefined

const instances: { sound: Core | undefined } = { sound: undefined }

export const wasm = {
  name: 'wasm',
  call: /* @__PURE__ */ calling(instances, instantiate),
  async init() {
    // After an instance was dropped there is something to do again: an old Chromium creates none synchronously.
    if (instances.sound) return
    try {
      const source = kept ?? now(compileNow)
      const compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source)
      instances.sound = exportsOf(await WebAssembly.instantiate(compiled))
      kept = compiled
    } catch (cause) {
      refuse(cause)
    }
  },
} satisfies Backend

/**
 * Makes an instance. On first use, and not while the module is loaded: an import alone costs nothing.
 *
 * @internal
 */
export function instantiate(): Core {
  try {
    const source = kept ?? now(compileNow)
    kept = source instanceof WebAssembly.Module ? source : compileNow(source)
    return exportsOf(new WebAssembly.Instance(kept))
  } catch (cause) {
    refuse(cause)
  }
}

const compileNow = (source: BufferSource) => new WebAssembly.Module(source)

const exportsOf = ({ exports }: WebAssembly.Instance) => exports as unknown as Core

/** An engine's message about a module that it does not compile is not enough to find the solution. */
function refuse(cause: unknown): never {
  const advice =
    cause instanceof RangeError
      ? '`await init()` before the first call compiles it beside the page'
      : "a Content-Security-Policy must allow 'wasm-unsafe-eval' (without it there is `sendoff/js`), a bundler for Workers know the condition `workerd`"
  throw new Error(`the WebAssembly is not compiled here: ${advice} (${String(cause)})`, { cause })
}
