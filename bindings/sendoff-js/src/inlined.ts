// The module as text in the bundle: bundlers and servers cannot lose it, and there is nothing to wait for.
// It is compressed for the network, and that works on whole characters. So a byte is a character (packed.mjs): the page has
// the size of the module. In hex it has 10 % more (gzip), in base64, which cuts bytes across characters, 28 %.

import text from 'sendoff-wasm/text'
import unpacker from 'sendoff-wasm/unpack'

/** The printable characters of ASCII that the text does not have (packed.mjs). */
declare const ESCAPED: string
/** The length of the table at the beginning, two hex digits for each value of a byte. */
const TABLE = 512
/** The place of the text in the memory of src/unpack.wat, behind the values of characters. */
const START = 3 * 128

/** Returns the bytes of the module at once. */
export function now(compile: (bytes: BufferSource) => WebAssembly.Module): Uint8Array<ArrayBuffer> {
  const module = compile(Uint8Array.from(unpacker, (char) => char.charCodeAt(0)))
  const { memory, unpack } = new WebAssembly.Instance(module).exports as unknown as Unpacker
  memory.grow((START + text.length) >> 16)
  const bytes = new Uint8Array(memory.buffer)
  const codes = Array.from({ length: 95 }, (_, at) => 32 + at).filter((code) => !ESCAPED.includes(String.fromCharCode(code)))
  const places = [...codes.slice(2), ...codes.map((code) => 128 + code), ...codes.map((code) => 256 + code)]
  for (let at = 0; at < TABLE; at += 2) bytes[places[at / 2]!] = parseInt(text.slice(at, at + 2), 16)
  new TextEncoder().encodeInto(text, bytes.subarray(START))
  return bytes.subarray(START + TABLE, unpack(START + TABLE, START + text.length))
}

/** The same for callers that can wait. */
export const later = now

interface Unpacker {
  readonly memory: WebAssembly.Memory & { readonly buffer: ArrayBuffer }
  unpack(from: number, end: number): number
}
