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

type Next = () => Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>

/**
 * The text of a body that comes in parts, for the estimate.
 *
 * @internal
 */
export async function textOf(next: Next): Promise<string> {
  const bytes = await bytesOf(next, MOST_BYTES)
  if (!bytes) throw new Refused({ refused: 'too-large', most: MOST_BYTES })
  return bodyText(bytes)
}

/**
 * The bytes of a body that comes in parts; `undefined` if there are more than `most`. Then the rest is not read. Not `for await`: to leave
 * it would close Node's connection before the reply.
 *
 * @internal
 */
export async function bytesOf(next: Next, most: number): Promise<Uint8Array | undefined> {
  const parts: (readonly [at: number, part: Uint8Array])[] = []
  let length = 0
  for (let part = await next(); part.value; part = await next()) {
    parts.push([length, part.value])
    length += part.value.length
    if (length > most) return undefined
  }
  const bytes = new Uint8Array(length)
  for (const [at, part] of parts) bytes.set(part, at)
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
