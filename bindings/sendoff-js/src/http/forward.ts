// Forwarding to a wallet backend, in Node: a call goes on as it came, and the reply comes back part by part.

import type { ClientRequest, IncomingMessage } from 'node:http'
import { own } from '../own.js'
import { callerBy, type Proxies } from './address.js'
import { expectUnread, MOST_BYTES } from './body.js'
import { type HeaderNames, HEADERS } from './headers.js'
import { type BackendReply, builtin, type Fields, type Incoming } from './node.js'
import { checked, integer, type Rules } from './options.js'
import { isRefused, Refused } from './reply.js'
import { namesOf } from './trace.js'

/** A wallet backend. */
export interface Backend {
  /** Its address before the paths, such as `https://wallet.example`. */
  readonly url: string
  /** How long it may be silent, in milliseconds. Absent means 30,000. */
  readonly timeoutMs?: number | undefined
  /** The longest body that is forwarded, in bytes. Absent means 1,048,576, as for the estimate and in the gateway. */
  readonly bodyBytes?: number | undefined
  /** With it the backend gets the address of the caller in `x-forwarded-for`, one address. Absent means that it gets none. */
  readonly proxies?: Proxies | undefined
}

const RULES: Rules = {
  url: (value) => (typeof value === 'string' && URL.canParse(value) && /^https?:\/\/[^?#]*$/i.test(value) ? undefined : 'an address such as `https://wallet.example`'),
  timeoutMs: integer(2 ** 31 - 1),
  // A refusal names it as a number of 32 bits.
  bodyBytes: integer(2 ** 32 - 1),
  proxies: (value) => void callerBy(value as Proxies),
}

const known = new WeakMap<object, ReturnType<typeof made>>()

/**
 * A backend, checked once.
 *
 * @throws TypeError for an option that nothing knows, or that cannot work.
 *
 * @internal
 */
export function prepared(backend: Backend): ReturnType<typeof made> {
  const found = known.get(backend) ?? made(backend)
  known.set(backend, found)
  return found
}

function made(backend: Backend) {
  const { url, timeoutMs = 30_000, bodyBytes = MOST_BYTES, proxies } = checked(backend, RULES, 'url')
  return { url: url.replace(/\/+$/, ''), timeoutMs, bodyBytes, callerOf: proxies && callerBy(proxies) }
}

/**
 * Sends a call that passed a guard to a backend, and returns the reply when it begins.
 *
 * A call is never sent twice: only the backend knows whether an interrupted call was carried out. For the same reason each call has
 * its own connection, because a backend can close an idle one at any time.
 *
 * @param incoming - Node's own request, whose body nobody has read: Express's request, `request.raw` of Fastify, `c.env.incoming` of Hono.
 * @throws {@link Refused}: 400 for a GET with a body and for a `connection` that names a header for the backend, 413 for a body that is
 * too long, 502 if the backend does not answer or changes the protocol, 504 if it is silent for too long.
 * @throws Error for a body that somebody has read.
 *
 * @example
 * ```ts
 * const { status, headers, body } = await forward(request, { url: 'https://wallet.example' })
 * response.writeHead(status, headers)
 * pipeline(body, response, () => {})
 * ```
 */
export async function forward(incoming: object, backend: Backend): Promise<BackendReply> {
  const { url: base, timeoutMs, bodyBytes, callerOf } = prepared(backend)
  const request = incoming as Incoming
  const { method, url = '', headers } = request
  // A fragment is not part of a request target.
  const [path] = url.split('#')
  // A backend that does not read the body of a GET reads it as the next request.
  if (method === 'GET' && hasBody(request)) throw new Refused({ refused: 'body-of-get' })
  if (namedBy(headers).some((name) => isIn(HEADERS.needed, name))) throw new Refused({ refused: 'bad-connection' })
  if (hasBody(request)) expectUnread(request)
  if (Number(own(headers)['content-length'] ?? 0) > bodyBytes) throw new Refused({ refused: 'too-large', most: bodyBytes })

  const { requestId } = namesOf(request)
  const caller = callerOf?.(request)
  const address = caller === undefined ? {} : { 'x-forwarded-for': caller }
  const sent = { ...without(headers, isDropped), ...address, 'x-request-id': requestId }
  const { request: send } = builtin(base.startsWith('https:') ? 'node:https' : 'node:http')
  const outgoing = send(base + path, own({ method, headers: sent, agent: false, timeout: timeoutMs }))
  const reply = await begun(request, outgoing, bodyBytes)
  // A reply of 204 or 304 has no body, and a length beside `transfer-encoding` is not the body's.
  const hasNoLength = [204, 304].includes(reply.statusCode) || own(reply.headers)['transfer-encoding'] !== undefined
  const isOfTheHost = (name: string) => name === 'x-request-id' || (hasNoLength && name === 'content-length')
  return { status: reply.statusCode, headers: without(reply.headers, isOfTheHost), body: reply }
}

/** Sends the body, and waits until the reply begins. Every way in which the connection can end settles it. */
function begun(incoming: Incoming, outgoing: ClientRequest, bodyBytes: number): Promise<IncomingMessage & { readonly statusCode: number }> {
  return new Promise((resolve, reject) => {
    const lost = (): void => reject(new Refused({ refused: 'backend-lost' }))
    outgoing.on('response', resolve as (reply: IncomingMessage) => void)
    // 101: this host did not ask for another protocol.
    outgoing.on('upgrade', (_reply, socket) => {
      socket.destroy()
      lost()
    })
    outgoing.on('timeout', () => outgoing.destroy(new Refused({ refused: 'backend-late' })))
    outgoing.on('error', (error) => (isRefused(error) ? reject(error) : lost()))
    outgoing.on('close', lost)
    // A caller who leaves before the whole body has come.
    incoming.on('close', () => incoming.complete || outgoing.destroy())
    let length = 0
    incoming.on('data', (part) => {
      length += part.length
      if (length > bodyBytes) outgoing.destroy(new Refused({ refused: 'too-large', most: bodyBytes }))
    })
    incoming.pipe(outgoing)
  })
}

/** `true` for a request with a body. In HTTP/2 no header says so. */
function hasBody(request: Incoming): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = own(request.headers)
  return coding !== undefined || length !== '0' || request.stream?.endAfterHeaders === false
}

/** The names in `connection`. */
function namedBy(headers: Fields): string[] {
  const { connection = '' } = own(headers)
  return String(connection).toLowerCase().split(/[\s,]+/)
}

/** Headers without those of one connection, and without others. */
function without(headers: Fields, isOther: (name: string) => boolean): Fields {
  const named = namedBy(headers)
  const kept = Object.entries(headers).filter(([name]) => !named.includes(name) && !isIn(HEADERS.hopByHop, name) && !isOther(name))
  return Object.fromEntries(kept)
}

function isDropped(name: string): boolean {
  // CGI and similar interfaces map `_` and `-` to the same name.
  const plain = name.replaceAll('_', '-')
  const isTwin = plain !== name && (isIn(HEADERS.needed, plain) || isIn(HEADERS.hopByHop, plain))
  // Names of HTTP/2 such as `:method` are its request line, and this host writes `host` and `expect` itself.
  const isOfTheHost = name.startsWith(':') || plain === 'host' || plain === 'expect'
  return isTwin || isOfTheHost || isIn(HEADERS.ofProxies, plain) || isIn(HEADERS.ofTargets, plain)
}

function isIn({ names, beginnings }: HeaderNames, name: string): boolean {
  return names.includes(name) || beginnings.some((beginning) => name.startsWith(beginning))
}
