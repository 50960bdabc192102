import { readTrace } from '../index.js'
import { member, own } from '../own.js'
import type { Fields } from './node.js'

/** The names of a request: in the envelope of an error, and in the reply's `x-request-id`. */
type Names = { readonly [name in 'traceId' | 'requestId']: string }

const names = new WeakMap<object, Names>()

/**
 * The trace id of a request: the one in `traceparent`, or `x-request-id`, or a new UUID. It does not change during the
 * request, so a log that calls this function before the guard has the id of the envelope:
 * `Fastify({ genReqId: traceId })`, and `pinoHttp({ genReqId: traceId })` for Express.
 *
 * @param request - The argument of the host's handlers: the request of Express, Fastify or fetch, the context of Hono.
 */
export function traceId(request: object): string {
  return namesOf(request).traceId
}

/** Node's own request. Fastify's `genReqId` gets it before Fastify's request exists, and Hono's context has it in `env`. */
function rawOf(request: HasHeaders): HasHeaders {
  const node: unknown = member(request, 'raw') ?? member(Object(member(request, 'env')) as { incoming?: unknown }, 'incoming')
  return typeof node === 'object' && node !== null ? node : request
}

/**
 * The names of a request. The first caller decides them: with an id of the host's own tracing, or without.
 *
 * @internal
 */
export function namesOf(request: object, ownId: (() => string | undefined) | undefined = undefined): Names {
  const node = rawOf(request)
  const known = names.get(node)
  if (known) return known
  const header = headersOf(node)
  // A text that is no id is read as none.
  const { traceId: given } = own(readTrace(undefined, ownId?.()))
  const read = own(readTrace(header('traceparent'), header('x-request-id')))
  const traceId = given ?? read.traceId ?? crypto.randomUUID()
  const { requestId = traceId } = read
  names.set(node, { traceId, requestId })
  return { traceId, requestId }
}

/** A request with headers: Hono's context, a `Request`, or Node's `IncomingMessage` and requests around it. */
interface HasHeaders {
  readonly req?: { readonly header?: unknown }
  readonly headers?: object
  readonly rawHeaders?: readonly string[]
  readonly raw?: HasHeaders
  /** Set by `@hono/node-server` in Hono's context. */
  readonly env?: { readonly incoming?: HasHeaders }
}

/**
 * The value of a request's header as one text, in every host; undefined if the header is absent. Several values are joined with `, `, as
 * fetch and the gateway do.
 *
 * @param request - The argument of the host's handlers: the request of Express, Fastify or fetch, the context of Hono.
 *
 * @example
 * ```ts
 * guardFastify({ scope: (request) => applications.get(headerOf(request, 'x-api-key') ?? ''), limiter })
 * ```
 */
export function headerOf(request: object, name: string): string | undefined {
  return headersOf(request)(name.toLowerCase())
}

/**
 * Returns a function from a header's name, in lower case, to its value. Several values are joined with `, `, as fetch and the
 * gateway do.
 *
 * @internal
 */
export function headersOf(request: object): (name: string) => string | undefined {
  const read = readerOf(request)
  return (name) => (isRepeated(request, name) ? rawValues(request, name).join(', ') : read(name))
}

/**
 * `true` if Node received several headers of this name. Its `headers` have only the first value of some names, such as
 * `authorization`. `Headers` of fetch has already joined the values.
 *
 * @internal
 */
export function isRepeated(request: object, name: string): boolean {
  return rawValues(request, name).length > 1
}

function readerOf(request: object): (name: string) => string | undefined {
  const [req, headers = {}] = [member(request as HasHeaders, 'req'), member(request as HasHeaders, 'headers')]
  if (req && typeof member(req, 'header') === 'function') return (name) => (req.header as (name: string) => string | undefined)(name)
  // A function is no header's value, so a header of that name is not mistaken for it.
  if (typeof member(headers as Headers, 'get') === 'function') return (name) => (headers as Headers).get(name) ?? undefined
  return (name) => member(headers as Fields, name)?.toString()
}

/** The values of a header as Node received them. `rawHeaders` has names at even and values at odd places. */
function rawValues(request: object, name: string): string[] {
  const all = member(rawOf(request), 'rawHeaders') ?? []
  return all.filter((_, at) => at % 2 === 1 && (all[at - 1] as string).toLowerCase() === name)
}
