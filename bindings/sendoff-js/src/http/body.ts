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

/**
 * The text of a body that comes in parts, for the estimate. The rest of one that is too long is not read. Not `for await`: to leave it
 * would close Node's connection before the reply.
 *
 * @internal
 */
export async function textOf(next: () => Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for (let part = await next(); part.value; part = await next()) {
    length += part.value.length
    if (length > MOST_BYTES) throw new Refused({ refused: 'too-large', most: MOST_BYTES })
    parts.push(part.value)
  }
  return bodyText(joined(parts, length))
}

/**
 * The parts of a body in one piece.
 *
 * @internal
 */
export function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * The longest body of an estimate, in bytes.
 *
 * @internal
 */
export const MOST_BYTES = 2 ** 20

/**
 * Throws an error of the host for a body that somebody has read: it would be waited for without an end.
 *
 * @internal
 */
export function expectUnread(request: { readonly readableDidRead?: boolean | undefined }): void {
  if (request.readableDidRead) throw new Error('expected a body that nobody has read, found one that a body parser has read')
}
