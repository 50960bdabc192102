import { readTrace } from '../index.js'

/** What a request is called. */
interface Names {
  /** In the envelope of an error. */
  readonly traceId: string
  /** In the reply's `x-request-id`. */
  readonly requestId: string
}

const names = new WeakMap<object, Names>()

/**
 * The trace id of a request: that of its `traceparent`, else its `x-request-id`, else one that is made up. It stays the same
 * for as long as the request is there, before a guard and after it, so a log has the id of the envelope:
 * `Fastify({ genReqId: traceId })`, and `pinoHttp({ genReqId: traceId })` for Express.
 *
 * @param request - What the host hands to its handlers: the request of Express, Fastify or fetch, the context of Hono.
 */
export function traceId(request: object): string {
  return namesOf(request).traceId
}

/** Node's own request, which Fastify's `genReqId` is given before there is another. */
function rawOf(request: object): object {
  const { raw } = request as { readonly raw?: unknown }
  return typeof raw === 'object' && raw !== null ? raw : request
}

/** @internal */
export function namesOf(request: object): Names {
  const own = rawOf(request)
  const known = names.get(own)
  if (known) return known
  const header = headersOf(own)
  const { traceId = crypto.randomUUID(), requestId = traceId } = readTrace(header('traceparent'), header('x-request-id'))
  names.set(own, { traceId, requestId })
  return { traceId, requestId }
}

/** What has headers: Hono's context, a `Request`, or Node's `IncomingMessage` and what is made of it. */
interface HasHeaders {
  readonly req?: { readonly header?: unknown }
  readonly headers?: object
}

/**
 * The values of a request's headers by their names in lower case, whatever the host.
 *
 * @internal
 */
export function headersOf(request: object): (name: string) => string | undefined {
  const { req, headers } = request as HasHeaders
  if (typeof req?.header === 'function') return (name) => (req.header as (name: string) => string | undefined)(name)
  // A function is no header's value, so a header of that name is not mistaken for it.
  if (typeof (headers as Headers | undefined)?.get === 'function') return (name) => (headers as Headers).get(name) ?? undefined
  return (name) => (headers as NodeHeaders | undefined)?.[name]?.toString()
}

interface NodeHeaders {
  readonly [name: string]: string | string[] | undefined
}
