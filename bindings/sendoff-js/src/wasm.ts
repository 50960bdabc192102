// The core as WebAssembly.

import { later, now } from './inlined.js'

/**
 * A backend of the core.
 *
 * @internal
 */
export interface Backend {
  readonly name: 'wasm' | 'native'
  call(name: string, args: (string | undefined)[]): string
  /** Prepares it for the first call, if that takes time. */
  init?(): Promise<void>
}

/**
 * The exports of the module (bindings/sendoff-wasm). Lengths are in bytes of UTF-8.
 *
 * @internal
 */
export interface Core {
  readonly memory: WebAssembly.Memory
  /** Returns the address of a buffer of this number of bytes. */
  room(bytes: number): number
  /**
   * Calls a function with the texts in the buffer, one after the other, its name first. Each number is a text's length
   * plus 1, or 0 for an argument that is left out. Returns the length of the answer.
   */
  call(...lengths: number[]): number
  /** The address of the answer. */
  answer(): number
}

/**
 * Memory of WebAssembly never shrinks, so an instance that has more bytes is replaced. A call takes as much as all it
 * allocates (bindings/sendoff-wasm/src/memory.rs): for a usual document less than 0.1 MB beside the first 1.2.
 */
const MAX_MEMORY = 1 << 24

// Created once: to create one takes longer than to convert a text of some hundred characters.
const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder()

/** Kept for the next instance. */
let module: WebAssembly.Module | undefined

/**
 * The instance, as long as every call returned normally. A trap or a stack overflow may leave its memory half written.
 * The core keeps no state between calls, so a new instance of the same module replaces it.
 */
let sound: Core | undefined

export const wasm = {
  name: 'wasm',
  call(name, args) {
    const core = sound ?? instantiate()
    // Not in a `catch`: if the stack is used up, nothing more can be called there.
    sound = undefined
    const answer = exchange(core, [name, ...args])
    if (core.memory.buffer.byteLength <= MAX_MEMORY) sound = core
    return answer
  },
  async init() {
    // After an instance was dropped there is something to do again: an old Chromium creates none synchronously.
    if (sound) return
    const source = module ?? (await later(compileNow))
    try {
      const compiled = await compile(source)
      sound = exportsOf(await WebAssembly.instantiate(compiled))
      module = compiled
    } catch (cause) {
      refuse(cause)
    }
  },
} satisfies Backend

/**
 * Calls a function of an instance with texts, its name first, and returns the text of the answer.
 *
 * @internal
 */
export function exchange({ memory, room, call, answer }: Core, texts: readonly (string | undefined)[]): string {
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  const most = texts.reduce((sum, text) => sum + 3 * (text?.length ?? 0), 0)
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

/**
 * Makes an instance. On first use, and not while the module is loaded: an import alone costs nothing.
 *
 * @internal
 */
export function instantiate(): Core {
  const source = module ?? now(compileNow)
  module = source instanceof WebAssembly.Module ? source : compileNow(source)
  try {
    return exportsOf(new WebAssembly.Instance(module))
  } catch (cause) {
    refuse(cause)
  }
}

function compileNow(source: BufferSource): WebAssembly.Module {
  try {
    return new WebAssembly.Module(source)
  } catch (cause) {
    refuse(cause)
  }
}

async function compile(source: WebAssembly.Module | BufferSource | Response): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source
  return 'headers' in source ? WebAssembly.compileStreaming(source) : WebAssembly.compile(source)
}

const exportsOf = ({ exports }: WebAssembly.Instance) => exports as unknown as Core

/** An engine's message about a module that it does not compile is not enough to find the solution. */
function refuse(cause: unknown): never {
  const advice =
    cause instanceof RangeError
      ? '`await init()` before the first call compiles it beside the page'
      : "a Content-Security-Policy must allow 'wasm-unsafe-eval', a bundler for Workers know the condition `workerd`"
  throw new Error(`the WebAssembly is not compiled here: ${advice} (${String(cause)})`, { cause })
}
