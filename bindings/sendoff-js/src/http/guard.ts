// The steps of every guard: classify, identify, limit, check the form of the body.

import {
  checkContent,
  findOperation,
  type OperationId,
  type Policy,
  rateLimitFields,
  type Refusal,
  SendoffError,
  unidentified,
  type Verdict,
} from '../index.js'
import { type Cors, corsFields, preflightFields } from './cors.js'
import { limitOf, type LocalLimiter, type SharedLimiter } from './limit.js'
import { type ErrorReply, refusalReply } from './reply.js'
import { headersOf, isRepeated, namesOf } from './trace.js'

/**
 * How a guard identifies and limits. `Request` is what the host hands to its handlers: the request of Express, Fastify
 * or fetch, the context of Hono.
 */
export interface GuardOptions<Request> extends Identification<Request>, Limits, Surroundings {}

/** The limit: none, a `limiter` of this process, a `store` that processes share, or a store with a limiter behind it. */
export interface Limits {
  /** A `RateLimiter`: alone it is the limit, beside a `store` it counts while `onStoreLoss` is `local`. */
  readonly limiter?: LocalLimiter | undefined
  /** The time for `limiter`, in milliseconds since the epoch. Absent means `Date.now`. */
  readonly now?: (() => number) | undefined
  /** `RedisWindows` of `sendoff/redis`, or the like. It needs `onStoreLoss`. */
  readonly store?: SharedLimiter | undefined
  /** What happens to a call that counts while the store does not answer, as in {@link SharedLimit} and {@link FallbackLimit}. */
  readonly onStoreLoss?: 'refuse' | 'pass' | 'local' | ((error: unknown) => 'refuse' | 'pass' | 'local') | undefined
}

/** What surrounds a guard: observers, pages of other origins, routes of the host's own. */
export interface Surroundings {
  /**
   * Is told each verdict on a call that counts, for a log or a metric, before the call is answered. It must not throw: what
   * it throws goes to the host's error handler, and the call is not handled.
   */
  readonly onVerdict?: ((told: Told) => void) | undefined
  /** Answers preflights, and lets pages of these origins read replies. Absent means that the host does it before the guard. */
  readonly cors?: Cors | undefined
  /**
   * `pass` lets a request pass that no operation has a path for, such as `/healthz`: the host answers it. It is not
   * identified and not limited, and {@link passed} does not know it. Another spelling of an operation's path is refused
   * nevertheless. Absent means `refuse`.
   */
  readonly others?: 'pass' | 'refuse' | undefined
}

/** A verdict as an observer is told of it. */
export type Told = {
  readonly operation: OperationId
  /** Who calls. */
  readonly scope: string
  /** As in the envelope of an error. */
  readonly traceId: string
} & (
  | {
      /** `stepped-back` where the clock is behind the window: `verdict` says whether the call is admitted. */
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
export interface Identification<Request> {
  /**
   * Who calls: what the limit counts by, such as an API key that was checked. Nobody (undefined, null, an empty text) is
   * answered 401 and moves nobody's window; so is whoever this throws a `SendoffError` for, as `readBearer` does.
   */
  readonly scope: (request: Request, operation: OperationId) => Scope | Promise<Scope>
  /** Tells this policy in `RateLimit-Policy`, and what is left of it in `RateLimit`. Absent means no such fields. */
  readonly advertise?: Policy | undefined
}

type Scope = string | null | undefined

/** What a guard found of a request that it let pass. */
export interface Passed {
  readonly operation: OperationId
  /** The parameters of the path. */
  readonly params: { readonly [name: string]: string }
  /** Who calls. */
  readonly scope: string
}

/** A request as it was on the wire. */
interface Arrival {
  readonly method: string
  readonly target: string
}

/** What a guard says to a request. */
interface Judgement {
  /** The answer, unless the request may pass. A preflight's has no body. */
  readonly reply?: ErrorReply | { readonly status: 204; readonly headers: ErrorReply['headers']; readonly body?: undefined }
  /** With what the answer goes out, whoever gives it. */
  readonly headers: ErrorReply['headers']
}

const seen = new WeakMap<object, Passed>()

/**
 * What a guard found of a request that it let pass.
 *
 * @param request - What the host hands to its handlers.
 * @throws Error for any other request.
 *
 * @example
 * ```ts
 * app.post('/s2s/api/v2/transfer/tokens/execute/:userId', (request, response) => {
 *   const { scope, params } = passed(request)
 * })
 * ```
 */
export function passed(request: object): Passed {
  const found = seen.get(request)
  if (found) return found
  throw new Error('expected a request that a guard of `sendoff/http` let pass, found another')
}

/** @internal */
export function hasPassed(request: object): boolean {
  return seen.has(request)
}

/**
 * What a guard says to a request, with what pages of other origins need.
 *
 * @internal
 */
export function judge<Request extends object>(
  options: GuardOptions<Request>,
): (request: Request, arrival: Arrival) => Promise<Judgement> {
  const { cors } = options
  const judged = judgeCalls(options)
  if (!cors) return judged
  return async (request, arrival) => {
    const seenAs = { method: arrival.method, header: headersOf(request) }
    const fields = corsFields(cors, seenAs)
    const preflight = preflightFields(cors, seenAs)
    if (preflight) return { headers: { ...fields, ...preflight }, reply: { status: 204, headers: { ...fields, ...preflight } } }
    const { reply, headers } = await judged(request, arrival)
    const all = { ...fields, ...headers }
    return reply ? { reply: { ...reply, headers: all }, headers: all } : { headers: all }
  }
}

function judgeCalls<Request extends object>(
  options: GuardOptions<Request>,
): (request: Request, arrival: Arrival) => Promise<Judgement> {
  const { advertise, onVerdict, others } = options
  // A policy that cannot be told is refused at once.
  if (advertise) rateLimitFields(advertise, { admitted: false, retryAfter: 1 })
  const limit = limitOf(options)
  return async (request, { method, target }) => {
    const header = headersOf(request)
    const { traceId, requestId } = namesOf(request)
    const named = { 'x-request-id': requestId }
    const refuse = (refused: Refusal, fields = {}): Judgement => {
      const { headers, ...reply } = refusalReply(traceId, refused)
      const all = { ...headers, ...named, ...fields }
      return { reply: { ...reply, headers: all }, headers: all }
    }
    // Node keeps a fragment in the target; fetch, the gateway and routers do not.
    const found = findOperation(method, target.replace(/#.*/s, ''))
    if (found.refused === 'not-found' && others === 'pass') return { headers: named }
    if (found.refused) return refuse(found)
    const { operation, params, limited } = found
    if (isRepeated(request, 'host')) return refuse({ refused: 'bad-host' })
    const scope = await identify(options, request, operation)
    if (!scope) return refuse(unidentified(operation, header('authorization'), header('x-api-key')))
    const told = { operation, scope, traceId }
    const verdict = await limit(scope, limited, (error) => onVerdict?.({ ...told, outcome: 'store-lost', error }))
    if (verdict === 'lost') return refuse({ refused: 'store-lost' })
    if (verdict) onVerdict?.({ ...told, outcome: outcomeOf(verdict), verdict })
    const fields = verdict && advertise ? rateLimitFields(advertise, verdict) : {}
    if (verdict?.admitted === false) return refuse({ refused: 'rate-limited', retryAfter: verdict.retryAfter }, fields)
    const content = checkContent(operation, header('content-type'), header('content-encoding'))
    if (content.refused) return refuse(content, fields)
    seen.set(request, { operation, params, scope })
    return { headers: { ...named, ...fields } }
  }
}

function outcomeOf({ admitted, phase }: Verdict): 'admitted' | 'refused' | 'stepped-back' {
  if (phase === 'stepped-back') return phase
  return admitted ? 'admitted' : 'refused'
}

async function identify<Request extends object>(
  { scope }: Identification<Request>,
  request: Request,
  operation: OperationId,
): Promise<Scope> {
  // `scope` could read one value where a proxy or a backend reads the other.
  if (isRepeated(request, 'authorization')) return undefined
  try {
    return await scope(request, operation)
  } catch (error) {
    if (SendoffError.is(error)) return undefined
    throw error
  }
}
