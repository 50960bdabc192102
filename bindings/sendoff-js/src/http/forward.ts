// Forwarding to a wallet backend, in Node: a call goes on as it came, and the reply comes back part by part.

import { own } from '../own.js'
import { type BackendReply, builtin, type Fields, type Incoming, type Sent } from './node.js'
import { Refused } from './reply.js'
import { namesOf } from './trace.js'

/** A wallet backend. */
export interface Backend {
  /** Its address before the paths, such as `https://wallet.example`. */
  readonly url: string
  /** How long it may be silent, in milliseconds. Absent means 30,000. */
  readonly timeoutMs?: number | undefined
}

/** Headers of one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-(authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/
/** Headers that the backend needs. A `connection` that names one of them would drop it on the way. */
const FOR_THE_BACKEND =
  /^(accept|accept-encoding|authorization|cache-control|content-(encoding|language|length|type)|cookie|date|host|traceparent|tracestate|user-agent|x-api-key|x-request-id)$/
/** Headers in which proxies name and identify their callers, and headers that replace the target. Callers could forge them. */
const FORGED = /* @__PURE__ */ new RegExp(
  '^(' +
    'cf-connecting-ip(v6)?|cf-pseudo-ipv4|(fastly-|true-|x-|x-cluster-|x-true-)?client-ip|forwarded|(x-)?remote-(addr|user)|' +
    'x-(real-ip|remote-ip|source-ip|webauth-user)|' +
    '(proxy-client|ssl-client|wl-proxy|x-amzn-oidc|x-auth-request|x-authenticated|x-azure|x-consumer|x-envoy|x-goog|x-ms-client|x-original|x-ssl)-.*|' +
    'x-(client-cert|forwarded).*|' +
    'proxy|x-host|x-http-host-override|x-(http-)?method(-override)?|x-rewrite-.*)$',
)
/** Headers that this host writes itself. */
const OF_THE_HOST = /^(host|expect)$/

/**
 * Sends a call that passed a guard to a backend, and returns the reply when it begins.
 *
 * A call is never sent twice: only the backend knows whether an interrupted call was carried out. For the same reason each call has
 * its own connection, because a backend can close an idle one at any time.
 *
 * @param incoming - Node's own request, whose body nobody has read: Express's request, `request.raw` of Fastify, `c.env.incoming` of Hono.
 * @throws {@link Refused}: 400 for a GET with a body and for a `connection` that names a header for the backend, 502 if the backend
 * does not answer, 504 if it is silent for too long.
 *
 * @example
 * ```ts
 * const { status, headers, body } = await forward(request, { url: 'https://wallet.example' })
 * response.writeHead(status, headers)
 * pipeline(body, response, () => {})
 * ```
 */
export async function forward(incoming: object, backend: Backend): Promise<BackendReply> {
  const { url: base, timeoutMs = 30_000 } = own(backend)
  const request = incoming as Incoming
  const { method, url = '', headers } = request
  // A fragment is not part of a request target.
  const [path] = url.split('#')
  // A backend that does not read the body of a GET reads it as the next request.
  if (method === 'GET' && hasBody(headers)) throw new Refused({ refused: 'body-of-get' })
  if (namedBy(headers).some((name) => FOR_THE_BACKEND.test(name))) throw new Refused({ refused: 'bad-connection' })

  const { requestId } = namesOf(request)
  const sent = { ...without(headers, isDropped), 'x-request-id': requestId }
  const { request: send } = builtin(base.startsWith('https:') ? 'node:https' : 'node:http')
  const outgoing = send(base.replace(/\/+$/, '') + path, { method, headers: sent, agent: false, timeout: timeoutMs })
  const reply = await begun(request, outgoing)
  // A reply of 204 or 304 has no body, and a length beside `transfer-encoding` is not the body's.
  const hasNoLength = [204, 304].includes(reply.statusCode) || own(reply.headers)['transfer-encoding'] !== undefined
  const isOfTheHost = (name: string) => name === 'x-request-id' || (hasNoLength && name === 'content-length')
  return { status: reply.statusCode, headers: without(reply.headers, isOfTheHost), body: reply }
}

/** Sends the body, and waits until the reply begins. */
function begun(incoming: Incoming, outgoing: Sent): Promise<Incoming & { readonly statusCode: number }> {
  return new Promise((resolve, reject) => {
    outgoing.on('response', resolve)
    outgoing.on('timeout', () => outgoing.destroy(new Refused({ refused: 'backend-late' })))
    outgoing.on('error', (error) => reject(error instanceof Refused ? error : new Refused({ refused: 'backend-lost' })))
    // A caller who leaves before the whole body has come.
    incoming.on('close', () => incoming.complete || outgoing.destroy())
    incoming.pipe(outgoing)
  })
}

function hasBody(headers: Fields): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = own(headers)
  return coding !== undefined || length !== '0'
}

/** The names in `connection`. */
function namedBy(headers: Fields): string[] {
  const { connection = '' } = own(headers)
  return String(connection).toLowerCase().split(/[\s,]+/)
}

/** Headers without those of one connection, and without others. */
function without(headers: Fields, isOther: (name: string) => boolean): Fields {
  const named = namedBy(headers)
  const kept = Object.entries(headers).filter(([name]) => !named.includes(name) && !HOP_BY_HOP.test(name) && !isOther(name))
  return Object.fromEntries(kept)
}

function isDropped(name: string): boolean {
  // CGI and similar interfaces map `_` and `-` to the same name.
  const plain = name.replaceAll('_', '-')
  const isTwin = plain !== name && (FOR_THE_BACKEND.test(plain) || HOP_BY_HOP.test(plain))
  return isTwin || FORGED.test(plain) || OF_THE_HOST.test(plain)
}

