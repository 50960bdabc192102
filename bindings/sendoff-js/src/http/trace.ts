/** A value of `traceparent` with its trace id. Source: W3C Trace Context. */
const TRACEPARENT = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/
const VISIBLE_ASCII = /^[!-~]{1,128}$/

const ids = new WeakMap<object, string>()

/**
 * The trace id of a request: that of its `traceparent`, else its `x-request-id`, else one that is made up. It stays the same
 * for as long as the request is there, before a guard and after it, so a log has the id of the envelope:
 * `Fastify({ genReqId: traceId })`, and `pinoHttp({ genReqId: traceId })` for Express.
 *
 * @param request - What the host hands to its handlers: the request of Express, Fastify or fetch, the context of Hono.
 */
export function traceId(request: object): string {
  const own = rawOf(request)
  const id = ids.get(own) ?? read((name) => headerOf(own, name)) ?? crypto.randomUUID()
  ids.set(own, id)
  return id
}

/** Node's own request, which Fastify's `genReqId` is given before there is another. */
function rawOf(request: object): object {
  const { raw } = request as { readonly raw?: unknown }
  return typeof raw === 'object' && raw !== null ? raw : request
}

function headerOf(request: object, name: string): string | undefined {
  const { headers } = request as { readonly headers?: { readonly [name: string]: unknown } }
  const value = typeof headers?.['get'] === 'function' ? (headers as unknown as Headers).get(name) : headers?.[name]
  return typeof value === 'string' ? value : undefined
}

function read(header: (name: string) => string | undefined): string | undefined {
  const id = TRACEPARENT.exec(header('traceparent') ?? '')?.[1] ?? header('x-request-id')
  return id !== undefined && VISIBLE_ASCII.test(id) ? id : undefined
}

/** @internal */
export function readTraceId(request: object, header: (name: string) => string | undefined): string {
  const own = rawOf(request)
  const id = ids.get(own) ?? read(header)
  if (id !== undefined) ids.set(own, id)
  return traceId(request)
}
