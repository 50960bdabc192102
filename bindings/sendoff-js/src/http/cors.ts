// Pages of other origins: the origins that may call, and the headers that they may read. Source: the Fetch standard, "CORS
// protocol".

import { own } from '../own.js'

/** The pages that may call from a browser. */
export interface Cors {
  /** The origins of the pages that may call, such as `https://app.example`; `*` is every origin. */
  readonly origins: '*' | readonly string[]
  /** How long a browser may cache a preflight, in seconds. Absent means 600. */
  readonly maxAge?: number | undefined
}

/** The parts of a request that CORS uses. */
interface Arrival {
  readonly method: string
  readonly header: (name: string) => string | undefined
}

const EXPOSED = 'retry-after, x-request-id, ratelimit, ratelimit-policy'
const METHODS = 'GET, POST'

/**
 * The headers for every reply to a page, including refusals. Without them, the page cannot read the reply.
 *
 * @internal
 */
export function corsFields({ origins }: Cors, { header }: Arrival): { readonly [name: string]: string } {
  if (origins === '*') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED }
  // Caches must not give the reply for one origin to another.
  const vary = { vary: 'origin' }
  const origin = origins.find((allowed) => allowed === header('origin'))
  if (origin === undefined) return vary
  return { ...vary, 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
}

/**
 * The headers of the reply to a preflight; undefined for any other request. A preflight has no credentials, so it is neither
 * identified nor counted. All request headers are allowed. They are checked when they are sent.
 *
 * @internal
 */
export function preflightFields(cors: Cors, { method, header }: Arrival): { readonly [name: string]: string } | undefined {
  const { maxAge = 600 } = own(cors)
  if (method !== 'OPTIONS' || header('origin') === undefined || header('access-control-request-method') === undefined) return undefined
  const wanted = header('access-control-request-headers')
  const headers = wanted === undefined ? {} : { 'access-control-allow-headers': wanted }
  return { ...headers, 'access-control-allow-methods': METHODS, 'access-control-max-age': String(maxAge) }
}
