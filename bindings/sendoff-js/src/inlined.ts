// The module as text in the bundle: bundlers and servers cannot lose it, and there is nothing to wait for.
// It is hex, because it is compressed for the network. Base64 cuts bytes across characters, so repeated code becomes
// different text. With Brotli a page is 18 kB smaller than with base64, with gzip 17 kB.

import hex from 'sendoff-wasm/hex'

/** Returns the bytes of the module at once. */
export function now(): Uint8Array<ArrayBuffer> {
  // `fromHex` is many times as fast. It came into ECMAScript together with `fromBase64`.
  if ('fromHex' in Uint8Array) return (Uint8Array as unknown as HexReader).fromHex(hex)
  const text = new TextEncoder().encode(hex)
  const bytes = new Uint8Array(text.length / 2)
  // `0` is 0x30 and `a` is 0x61.
  const digit = (code = 0) => (code & 15) + 9 * (code >> 6)
  for (let index = 0; index < bytes.length; index++) bytes[index] = digit(text[2 * index]) * 16 + digit(text[2 * index + 1])
  return bytes
}

/** The same for callers that can wait. */
export const later = now

interface HexReader {
  fromHex(text: string): Uint8Array<ArrayBuffer>
}
