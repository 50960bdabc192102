import { exchange, instantiate, TextDecoder } from '../sandbox-core.js'
import type { SandboxReply } from './types.js'

/** The text of a body; `undefined` if it is not UTF-8. */
export function utf8(bytes: ArrayBuffer | Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The reply of every host to a request that does not reach the service, by a fresh core: that of the service may be broken. Of a body
 * that is too large it says the limit.
 */
export function refusal(refused: 'failed' | 'not-utf8' | 'too-large', most?: number): Pick<SandboxReply, 'status' | 'headers' | 'body'> {
  const trace = globalThis.crypto.randomUUID().replaceAll('-', '')
  const { body, ...head } = JSON.parse(exchange(instantiate(), ['refusal', JSON.stringify({ refused, most }), trace]))
  return { ...head, body: JSON.stringify(body) }
}
