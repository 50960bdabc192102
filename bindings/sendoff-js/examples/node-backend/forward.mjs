// The wallet backend behind the three servers: a call that passed goes on as it came, and its reply comes back part by part.

import http from 'node:http'
import https from 'node:https'
import { Refused } from 'sendoff/http'

const { BACKEND_URL, BACKEND_TIMEOUT_MS = '10000' } = process.env
const send = BACKEND_URL?.startsWith('https:') ? https.request : http.request

/** Headers that concern one connection only (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/
/** Headers that this server writes itself, and those of proxies, which callers could forge. */
const NOT_OF_THE_CALLER = /^(host|expect|forwarded|x[-_](forwarded[-_].*|real[-_]ip|original[-_]url|rewrite[-_]url))$/
/** Headers that the backend needs. A `connection` that names one of them would drop it on the way. */
const FOR_THE_BACKEND =
  /^(accept|accept-encoding|authorization|cache-control|content-(encoding|language|length|type)|cookie|date|host|traceparent|tracestate|user-agent|x-api-key|x-request-id)$/
/** The guard has told it already. */
const OF_THE_GUARD = /^x-request-id$/

/**
 * Sends a call on, and answers with the reply once it begins.
 *
 * A call is never sent twice: only the backend knows whether one that broke off was carried out. For the same reason each
 * call has a connection of its own, because a backend may close one that is kept at any time.
 *
 * @param {http.IncomingMessage} incoming
 * @param {import('sendoff').Operation} operation
 * @param {string} traceId
 * @returns {Promise<{ status: number, headers: http.IncomingHttpHeaders, body: http.IncomingMessage }>}
 * @throws Refused: 400 for a GET with a body or a `connection` that names a header for the backend, 501 without a backend, 502 if it does not answer, 504 if it is silent for too long.
 */
export async function forward(incoming, operation, traceId) {
  if (!BACKEND_URL) throw new Refused({ refused: 'no-backend', operation })
  const { method, url = '', headers } = incoming
  // A fragment is not part of a request target.
  const [path] = url.split('#')
  // A backend that does not read the body of a GET takes it for the next request.
  if (method === 'GET' && hasBody(headers)) throw new Refused({ refused: 'body-of-get' })
  if (namedBy(headers).some((name) => FOR_THE_BACKEND.test(name))) throw new Refused({ refused: 'bad-connection' })
  const own = { 'x-request-id': traceId, ...without(headers, NOT_OF_THE_CALLER) }
  const outgoing = send(BACKEND_URL, { method, path, headers: own, agent: false, timeout: Number(BACKEND_TIMEOUT_MS) })
  outgoing.on('timeout', () => outgoing.destroy(new Refused({ refused: 'backend-late' })))
  // A caller who leaves before all of the body has come.
  incoming.on('close', () => incoming.complete || outgoing.destroy())
  incoming.pipe(outgoing)
  const reply = await new Promise((resolve, reject) => {
    outgoing.on('response', resolve)
    outgoing.on('error', (error) => reject(error instanceof Refused ? error : new Refused({ refused: 'backend-lost' })))
  })
  return { status: reply.statusCode, headers: without(reply.headers, OF_THE_GUARD), body: reply }
}

/** @param {http.IncomingHttpHeaders} headers */
function hasBody({ 'content-length': length = '0', 'transfer-encoding': coding }) {
  return coding !== undefined || length !== '0'
}

/**
 * The names in `connection`.
 *
 * @param {http.IncomingHttpHeaders} headers
 */
function namedBy({ connection = '' }) {
  return connection.toLowerCase().split(/[\s,]+/)
}

/**
 * Headers without those of one connection, and without those of a pattern.
 *
 * @param {http.IncomingHttpHeaders} headers
 * @param {RegExp} pattern
 */
function without(headers, pattern) {
  const named = namedBy(headers)
  /** @param {string} name */
  const isDropped = (name) => named.includes(name) || HOP_BY_HOP.test(name) || pattern.test(name)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name)))
}
