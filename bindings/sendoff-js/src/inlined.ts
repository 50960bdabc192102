// The module as text in the bundle: no file to lose on the way through bundlers and servers, nothing to wait for.

import base64 from 'sendoff-wasm/base64'

/** The bytes of the module, without waiting. */
export function now(): Uint8Array<ArrayBuffer> {
  // Ten times as fast, where it exists.
  if ('fromBase64' in Uint8Array) return (Uint8Array as unknown as Base64Reader).fromBase64(base64)
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}

/** The same where the caller can wait. */
export const later = now

interface Base64Reader {
  fromBase64(text: string): Uint8Array<ArrayBuffer>
}
