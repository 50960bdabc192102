// Pages of other origins: which may call, and what they may read of a reply. Source: the Fetch standard, "CORS protocol".

/** Who may call from a browser. */
export interface Cors {
  /** The origins of the pages that may call, such as `https://app.example`; `*` is every origin. */
  readonly origins: '*' | readonly string[]
  /** How long a browser may remember a preflight, in seconds. Absent means 600. */
  readonly maxAge?: number | undefined
}

/** A request as far as CORS looks at it. */
interface Arrival {
  readonly method: string
  readonly header: (name: string) => string | undefined
}

const EXPOSED = 'retry-after, x-request-id, ratelimit, ratelimit-policy'
const METHODS = 'GET, POST'

/**
 * The headers that every reply to a page needs, a refusal too: without them a page cannot read why it was refused.
 *
 * @internal
 */
export function corsFields({ origins }: Cors, { header }: Arrival): { readonly [name: string]: string } {
  const origin = header('origin')
  if (origins === '*') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }
  // Caches must not give the reply for one origin to another.
  const vary = { vary: 'origin' }
  if (origin === undefined || !origins.includes(origin)) return vary
  return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
}

/**
 * What answers a preflight, or undefined for any other request. A preflight has no credentials, so it is not identified, and
 * it moves no window. Whatever headers a page wants to send are allowed: they are judged when they are sent.
 *
 * @internal
 */
export function preflightFields({ maxAge = 600 }: Cors, { method, header }: Arrival): { readonly [name: string]: string } | undefined {
  if (method !== 'OPTIONS' || header('origin') === undefined || header('access-control-request-method') === undefined) return undefined
  const wanted = header('access-control-request-headers')
  const headers = wanted === undefined ? {} : { 'access-control-allow-headers': wanted }
  return { ...headers, 'access-control-allow-methods': METHODS, 'access-control-max-age': String(maxAge) }
}
