// The steps of every guard: classify, identify, limit, check the form of the body.

import { checkContent, findOperation, rateLimitFields, SendoffError, unidentified } from '../index.js'
import type { FoundOperation, Operation, Policy, Refusal, Verdict } from '../index.js'
import { member, own } from '../own.js'
import { belowBase, endOf, isBase } from './base.js'
import { checkedCors, type Cors, corsFields, preflightFields } from './cors.js'
import { LIMITS, limitOf, type Limits } from './limit.js'
import { anything, checked, isFunction, type Rules } from './options.js'
import { type ErrorReply, isRefused, refusalReply, Refused } from './reply.js'
import { headersOf, isRepeated, namesOf } from './trace.js'

/**
 * How a guard identifies and limits. `Request` is the argument of the host's handlers: the request of Express, Fastify or fetch,
 * the context of Hono.
 */
export interface GuardOptions<Request, Caller = unknown> extends Identification<Request, Caller>, Limits, Surroundings<Request> {}

/** The surroundings of a guard: observers, pages of other origins, other routes of the host. */
export interface Surroundings<Request = never> {
  /**
   * Called with each verdict on a call that counts, before the reply, for a log or a metric. It must not throw: the host's error
   * handler would get the error, and the call would not be handled.
   */
  readonly onVerdict?: ((event: VerdictEvent) => void) | undefined
  /** Answers preflights, and lets pages of these origins read replies. Without it, the host can do it before the guard. */
  readonly cors?: Cors | undefined
  /**
   * The path before the operations' paths, such as `/wallet`, if the guard is for handlers below a prefix: `app.use('/wallet', …)` in
   * Express, `register(…, { prefix: '/wallet' })` in Fastify, `'/wallet/*'` in Hono. By default the operations' paths are at the root.
   */
  readonly base?: string | undefined
  /**
   * `ignore` leaves requests for other paths, such as `/healthz`, to the host. They are not identified and not limited, and
   * {@link passed} throws for them. An alias of an operation's path is still refused, and so is a path that ends in an operation's
   * path after anything other than {@link base}. Absent means `refuse`.
   */
  readonly others?: 'ignore' | 'refuse' | undefined
  /**
   * Returns the id of the host's own tracing, such as that of OpenTelemetry's active span. Replies and `onVerdict` have it. For
   * undefined and for a text that is no trace id, and if {@link traceId} was called for the request before, they have the id of
   * {@link traceId}.
   */
  readonly traceId?: ((request: Request) => string | undefined) | undefined
}

/** The argument of `onVerdict`. */
export type VerdictEvent = {
  readonly operation: Operation
  /** The caller. */
  readonly scope: string
  /** The trace id, as in the envelope of an error. */
  readonly traceId: string
} & (
  | {
      /** `stepped-back` if the clock is behind the window. `verdict` shows whether the call is admitted. */
      readonly outcome: 'admitted' | 'refused' | 'stepped-back'
      readonly verdict: Verdict
      readonly error?: undefined
    }
  | {
      /** The store did not answer; a verdict of `limiter` follows if it counts instead. */
      readonly outcome: 'store-lost'
      readonly error: unknown
      readonly verdict?: undefined
    }
)

/** How a guard identifies. */
export interface Identification<Request, Caller = unknown> {
  /**
   * Returns the caller for the limit, such as the name of an application, or an object with it in `scope`, which {@link passed}
   * returns as `caller`: {@link credentials} makes such a function. For undefined, null, an empty text, and if it throws a
   * `SendoffError`, as `readBearer` does, the reply is 401 and nothing is counted. If it throws a {@link Refused}, such as
   * `users-lost`, the reply is that refusal.
   */
  readonly scope: (request: Request, operation: Operation) => Scope<Caller> | Promise<Scope<Caller>>
  /** Sends this policy in `RateLimit-Policy`, and the calls left in `RateLimit`. Absent means no such fields. */
  readonly advertise?: Policy | undefined
}

type Scope<Caller> = string | (Scoped & Caller) | null | undefined

/** A caller: any object with the scope of its limit. */
export interface Scoped {
  /** The caller for the limit, such as the name of an application. */
  readonly scope: string
}

/** The facts about a request that passed a guard. */
export interface Passed<Caller = unknown> {
  readonly operation: Operation
  /** The parameters of the path. */
  readonly params: { readonly [name: string]: string }
  /** The caller for the limit. */
  readonly scope: string
  /** The object that `scope` returned; undefined if it returned a text. */
  readonly caller: Caller
}

/**
 * The options that every guard has.
 *
 * @internal
 */
export const GUARD: Rules = {
  scope: isFunction,
  ...LIMITS,
  advertise: anything,
  onVerdict: isFunction,
  cors: (value) => void checkedCors(value as Cors),
  traceId: isFunction,
}

/**
 * With those of a guard whose paths and other routes the host chooses.
 *
 * @internal
 */
export const GUARD_OF_PATHS: Rules = {
  ...GUARD,
  base: (value) => (isBase(value) ? undefined : 'a path such as `/wallet`, without a slash at its end,'),
  others: (value) => (value === 'ignore' || value === 'refuse' ? undefined : '`ignore` or `refuse`'),
}

/** The request line. */
interface Arrival {
  readonly method: string
  readonly target: string
}

/** The result of a guard for a request. */
interface Checked {
  /** The reply, if the request does not pass. The reply to a preflight has no body. */
  readonly reply: ErrorReply | { readonly status: 204; readonly headers: ErrorReply['headers']; readonly body: undefined } | undefined
  /** The headers for the reply of the guard or of the handler. */
  readonly headers: ErrorReply['headers']
}

const seen = new WeakMap<object, Passed>()
/** Requests that are for no operation, and that `others` leaves to the host. */
const strangers = new WeakSet<object>()

/**
 * Returns the facts about a request that passed a guard.
 *
 * @param request - The argument of the host's handlers.
 * @throws Error for any other request.
 *
 * @example
 * ```ts
 * app.post('/s2s/api/v2/transfer/tokens/execute/:userId', (request, response) => {
 *   const { scope, params } = passed(request)
 * })
 * ```
 */
export function passed<Caller = unknown>(request: object): Passed<Caller> {
  const found = seen.get(request)
  if (found) return found as Passed<Caller>
  if (strangers.has(request)) throw new Refused({ refused: 'not-found' })
  throw new Error('expected a request that passed a guard of `sendoff/http`, found one that did not')
}

/** @internal */
export function hasPassed(request: object): boolean {
  return seen.has(request)
}

/**
 * Returns a function from a request to the result of the guard, with the headers for pages of other origins.
 *
 * @internal
 */
export function checkBy<Request extends object>(
  given: GuardOptions<Request>,
): (request: Request, arrival: Arrival) => Promise<Checked> {
  const options = checked(given, GUARD_OF_PATHS, 'scope')
  const { advertise, base, cors, onVerdict, others, traceId: ownId } = options
  const below = belowBase(base)
  // Throws at once if the policy is invalid.
  if (advertise) rateLimitFields(advertise, { admitted: false, retryAfter: 1 })
  const limit = limitOf(options)
  return async (request, { method, target }) => {
    const header = headersOf(request)
    const ofPages = cors ? corsFields(cors, header) : {}
    const preflight = cors && preflightFields(cors, method, header)
    if (preflight) return result({ ...ofPages, ...preflight }, { status: 204, body: undefined })
    const { traceId, requestId } = namesOf(request, ownId && (() => ownId(request)))
    const named = { ...ofPages, 'x-request-id': requestId }
    const refuse = (refused: Refusal, fields = {}): Checked => {
      const { headers, ...reply } = refusalReply(traceId, refused)
      return result({ ...headers, ...named, ...fields }, reply)
    }

    // Node keeps a fragment in the target; fetch, the gateway and routers do not.
    const whole = target.replace(/#.*/s, '')
    const found = own(findBelow(below, method, whole))
    if (found.refused === 'not-found' && others === 'ignore') {
      // A router under another prefix would take it for the operation.
      const operation = endOf(method, whole)
      if (operation) return refuse({ refused: 'not-canonical', operation })
      strangers.add(request)
      return result(named)
    }
    if (found.refused) return refuse(found)

    const { operation, params, limited } = found
    if (isRepeated(request, 'host')) return refuse({ refused: 'bad-host' })

    const identified = await identify(options, request, operation)
    if (isRefused(identified)) return refuse(identified.refusal)
    const { scope, caller } = identified
    if (!scope) return refuse(unidentified(operation, header('authorization'), header('x-api-key')))

    const event = { operation, scope, traceId }
    const verdict = await limit(scope, limited, (error) => onVerdict?.({ ...event, outcome: 'store-lost', error }))
    if (verdict === 'lost') return refuse({ refused: 'store-lost' })
    if (verdict) onVerdict?.({ ...event, outcome: verdict.phase === 'stepped-back' ? verdict.phase : verdict.admitted ? 'admitted' : 'refused', verdict })

    const fields = verdict && advertise ? rateLimitFields(advertise, verdict) : {}
    if (verdict?.admitted === false) return refuse({ refused: 'rate-limited', retryAfter: verdict.retryAfter }, fields)

    const content = own(checkContent(operation, header('content-type'), header('content-encoding')))
    if (content.refused) return refuse(content, fields)
    seen.set(request, { operation, params, scope, caller })
    return result({ ...named, ...fields })
  }
}

/** Without a prototype, because the language looks for `then` in what a promise becomes. */
function result(headers: Checked['headers'], reply?: Omit<NonNullable<Checked['reply']>, 'headers'>): Checked {
  return own({ headers, reply: reply && ({ ...reply, headers } as Checked['reply']) })
}

/** The operation of a target below the base. A target elsewhere has no operation, and is checked as a whole. */
function findBelow(below: (target: string) => string | undefined, method: string, target: string): FoundOperation {
  const rest = below(target)
  if (rest !== undefined) return findOperation(method, rest)
  const { refused } = own(findOperation(method, target))
  return { refused: refused === 'bad-target' ? refused : 'not-found' }
}

async function identify<Request extends object>(
  { scope }: Identification<Request>,
  request: Request,
  operation: Operation,
): Promise<typeof NOBODY | Refused> {
  // `scope` could read one value where a proxy or a backend reads the other.
  if (isRepeated(request, 'authorization')) return NOBODY
  try {
    const found = await scope(request, operation)
    if (typeof found !== 'object' || found === null) return own({ scope: found ?? '', caller: undefined })
    return own({ scope: member(found, 'scope') ?? '', caller: found })
  } catch (error) {
    if (SendoffError.is(error)) return NOBODY
    if (isRefused(error)) return error
    throw error
  }
}

const NOBODY: Pick<Passed, 'scope' | 'caller'> = own({ scope: '', caller: undefined })
