// The module as text in the bundle: bundlers and servers cannot lose it, and there is nothing to wait for.
// It is compressed for the network, and that works on whole characters. So a byte is a character (packed.mjs): the page has
// the size of the module. In hex it has 10 % more (gzip), in base64, which cuts bytes across characters, 28 %.

import text from 'sendoff-wasm/text'

/** The length of the table at the beginning, two hex digits for each value of a byte. */
const TABLE = 512

/** Returns the bytes of the module at once. */
export function now(): Uint8Array<ArrayBuffer> {
  const packed = new TextEncoder().encode(text)
  // The value of a character, then of each that follows a space, then of each that follows an exclamation mark.
  const values = new Uint8Array(3 * 128)
  const codes = Array.from({ length: 95 }, (_, at) => 32 + at).filter((code) => !`"$'\\\``.includes(String.fromCharCode(code)))
  const places = [...codes.slice(2), ...codes.map((code) => 128 + code), ...codes.map((code) => 256 + code)]
  for (let at = 0; at < TABLE; at += 2) values[places[at / 2]!] = parseInt(text.slice(at, at + 2), 16)
  const bytes = new Uint8Array(packed.length)
  let end = 0
  for (let at = TABLE; at < packed.length; at++) {
    const code = packed[at]!
    bytes[end++] = values[code > 33 ? code : (code - 31) * 128 + packed[++at]!]!
  }
  return bytes.subarray(0, end)
}

/** The same for callers that can wait. */
export const later = now
