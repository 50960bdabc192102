/** A value of `traceparent` with its trace id. Source: W3C Trace Context. */
const TRACEPARENT = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/
const VISIBLE_ASCII = /^[!-~]{1,128}$/

const ids = new WeakMap<object, string>()

/**
 * The trace id of a request: that of its `traceparent`, else its `x-request-id`, else one that is made up. A request that
 * met no guard has one made up. It stays the same for as long as the request is there.
 *
 * @param request - What the host hands to its handlers: the request of Express, Fastify or fetch, the context of Hono.
 */
export function traceId(request: object): string {
  const id = ids.get(request) ?? crypto.randomUUID()
  ids.set(request, id)
  return id
}

/** @internal */
export function readTraceId(request: object, header: (name: string) => string | undefined): string {
  const id = TRACEPARENT.exec(header('traceparent') ?? '')?.[1] ?? header('x-request-id')
  if (id !== undefined && VISIBLE_ASCII.test(id)) ids.set(request, id)
  return traceId(request)
}
