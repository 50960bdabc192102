// Pages of other origins: the origins that may call, and the headers that they may read. Source: the Fetch standard, "CORS
// protocol".

import { own } from '../own.js'
import { checked, type Rules } from './options.js'

/** The pages that may call from a browser. */
export interface Cors {
  /** The origins of the pages that may call, such as `https://app.example`; `*` is every origin. */
  readonly origins: '*' | readonly string[]
  /** How long a browser may cache a preflight, in seconds. Absent means 600. */
  readonly maxAge?: number | undefined
}

/** The headers of a request. */
type Header = (name: string) => string | undefined

const RULES: Rules = {
  origins: (value) =>
    value === '*' || (Array.isArray(value) && value.every(isOrigin)) ? undefined : '`*`, or origins such as `https://app.example` without a slash at the end,',
  maxAge: (value) => (Number.isInteger(value) && Number(value) >= 0 ? undefined : 'an integer from 0'),
}

/** The text that browsers send. */
function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return value === 'null'
  const { origin } = new URL(value)
  return origin === value || (origin === 'null' && OF_APP.test(value))
}

/** An origin of another scheme, such as `capacitor://localhost`. Its `origin` is opaque for `URL`. */
const OF_APP = /^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+$/

/** @internal */
export function checkedCors(cors: Cors): Cors {
  return checked(cors, RULES, 'origins')
}

const EXPOSED = 'retry-after, x-request-id, ratelimit, ratelimit-policy'
const METHODS = 'GET, POST'

/**
 * The headers for every reply to a page, including refusals. Without them, the page cannot read the reply.
 *
 * @internal
 */
export function corsFields({ origins }: Cors, header: Header): { readonly [name: string]: string } {
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
export function preflightFields(cors: Cors, method: string, header: Header): { readonly [name: string]: string } | undefined {
  const { maxAge = 600 } = own(cors)
  if (method !== 'OPTIONS' || header('origin') === undefined || header('access-control-request-method') === undefined) return undefined
  const wanted = header('access-control-request-headers')
  const headers = wanted === undefined ? {} : { 'access-control-allow-headers': wanted }
  return { ...headers, 'access-control-allow-methods': METHODS, 'access-control-max-age': String(maxAge) }
}
