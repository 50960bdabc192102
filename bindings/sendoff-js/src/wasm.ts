// The core as WebAssembly.

import { later, now } from './inlined.js'

/**
 * Somebody who answers for the core.
 *
 * @internal
 */
export interface Backend {
  readonly name: 'wasm' | 'native'
  call(name: string, args: (string | undefined)[]): string
  /** Readies it for the first call, where that takes time. */
  init?(): Promise<void>
}

/** What the module exports (bindings/sendoff-wasm). Lengths are in bytes of UTF-8. */
interface Core {
  readonly memory: WebAssembly.Memory
  /** The address of a buffer of so many bytes. */
  room(bytes: number): number
  /**
   * Calls a function with the texts that stand in the buffer, one behind the other, its name first. For each its length
   * and 1; 0 for an argument that is left out. Returns the length of the answer.
   */
  call(...lengths: number[]): number
  /** The address of the answer. */
  answer(): number
}

/**
 * The longest text that the core reads. Memory of WebAssembly grows and never shrinks: what a longer one took is given
 * back together with the instance.
 */
const MAX_TEXT = 1 << 20

// One of each: a new one takes longer than a text of some hundred characters.
const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true })

/** Kept for another instance. */
let module: WebAssembly.Module | undefined

/**
 * The instance, while it was left the ordinary way. A trap, or a stack that overflows, may leave its memory half written.
 * The core keeps no state between calls, so a new instance of the same module is as good as the old one ever was.
 */
let sound: Core | undefined

export const wasm: Backend = {
  name: 'wasm',
  call(name, args) {
    const core = sound ?? instantiate()
    // Not in a `catch`: where the stack is used up, nothing more can be called there.
    sound = undefined
    const answer = exchange(core, [name, ...args])
    if (args.every((text) => text === undefined || text.length <= MAX_TEXT)) sound = core
    return answer
  },
  async init() {
    if (module) return
    const source = await later()
    try {
      const compiled = await compile(source)
      sound = exportsOf(await WebAssembly.instantiate(compiled))
      module = compiled
    } catch (cause) {
      refuse(cause)
    }
  },
}

function exchange({ memory, room, call, answer }: Core, texts: readonly (string | undefined)[]): string {
  // In UTF-8 a character of UTF-16 has at most three bytes.
  const most = texts.reduce((sum, text = '') => sum + 3 * text.length, 0)
  let end = room(most)
  const lengths = texts.map((text) => {
    if (text === undefined) return 0
    const { written } = encoder.encodeInto(text, new Uint8Array(memory.buffer, end))
    end += written
    return written + 1
  })
  const length = call(...lengths)
  return decoder.decode(new Uint8Array(memory.buffer, answer(), length))
}

/** On first use, and not while the module is loaded: whoever only imports pays nothing. */
function instantiate(): Core {
  const source = module ?? now()
  try {
    module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source)
    return exportsOf(new WebAssembly.Instance(module))
  } catch (cause) {
    refuse(cause)
  }
}

async function compile(source: WebAssembly.Module | BufferSource | Response): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source
  return 'headers' in source ? WebAssembly.compileStreaming(source) : WebAssembly.compile(source)
}

const exportsOf = ({ exports }: WebAssembly.Instance) => exports as unknown as Core

/** What an engine says of a module that it does not compile is not enough to know what to do. */
function refuse(cause: unknown): never {
  const advice =
    cause instanceof RangeError
      ? '`await init()` before the first call compiles it beside the page'
      : "a Content-Security-Policy must allow 'wasm-unsafe-eval', a bundler for Workers know the condition `workerd`"
  throw new Error(`the WebAssembly is not compiled here: ${advice} (${String(cause)})`, { cause })
}
