import { TextDecoder } from '../sandbox-core.js'

/** The text of a body; `undefined` if it is not UTF-8. */
export function utf8(bytes: ArrayBuffer | Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
