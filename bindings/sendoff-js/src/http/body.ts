import { Refused } from './reply.js'

/**
 * The text of a body, for functions that read JSON text.
 *
 * @param bytes - The body. An absent body is an empty text.
 * @throws {@link Refused} if it is not UTF-8.
 *
 * @example
 * ```ts
 * return Response.json(estimate(bodyText(await request.arrayBuffer()), facts))
 * ```
 */
export function bodyText(bytes: ArrayBuffer | ArrayBufferView | null | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? new Uint8Array())
  } catch {
    throw new Refused({ refused: 'not-utf8' })
  }
}
