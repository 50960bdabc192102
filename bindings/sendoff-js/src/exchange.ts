// A call of the core's module: texts in, text out.

/**
 * A backend of the core.
 *
 * @internal
 */
export interface Backend {
  readonly name: 'wasm' | 'native' | 'js'
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
  readonly memory: { readonly buffer: ArrayBuffer }
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

// Created once: to create one takes longer than to convert a text of some hundred characters.
const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder()

/**
 * Returns the function that calls the core in an instance, as long as every call returned normally. A trap or a stack overflow may leave
 * its memory half written. The core keeps no state between calls, so a new instance replaces it.
 */
export function calling(instances: { sound: Core | undefined }, instantiate: () => Core): Backend['call'] {
  return (name, args) => {
    const core = instances.sound ?? instantiate()
    // Not in a `catch`: if the stack is used up, nothing more can be called there.
    instances.sound = undefined
    const answer = exchange(core, [name, ...args])
    if (core.memory.buffer.byteLength <= MAX_MEMORY) instances.sound = core
    return answer
  }
}

/** Memory of WebAssembly never shrinks, so an instance that has more bytes is replaced. */
const MAX_MEMORY = 1 << 24

/** Makes a call of an instance. */
export function exchange({ memory, room, call, answer }: Core, texts: Texts): string {
  const length = call(...write(texts, memory, room(most(texts))))
  return decoder.decode(new Uint8Array(memory.buffer, answer(), length))
}

type Texts = readonly (string | undefined)[]

/** The most bytes of some texts: a UTF-16 code unit takes at most three in UTF-8. */
export const most = (texts: Texts): number => texts.reduce((sum, text) => sum + 3 * (text?.length ?? 0), 0)

/** Writes texts one after the other, and returns the length of each plus 1, or 0 for one that is left out. */
export function write(texts: Texts, to: { readonly buffer: ArrayBuffer }, at: number): number[] {
  return texts.map((text) => {
    if (text === undefined) return 0
    const { written } = encoder.encodeInto(text, new Uint8Array(to.buffer, at))
    at += written
    return written + 1
  })
}
