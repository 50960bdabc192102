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
} from '../index.js'
import { type FallbackLimit, limitOf, type LocalLimit, type NoLimit, type SharedLimit } from './limit.js'
import { type ErrorReply, refusalReply } from './reply.js'
import { headersOf, namesOf } from './trace.js'

/**
 * How a guard identifies and limits. `Request` is what the host hands to its handlers: the request of Express, Fastify
 * or fetch, the context of Hono.
 */
export type GuardOptions<Request> = Identification<Request> & (NoLimit | LocalLimit | SharedLimit | FallbackLimit)

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
  /** The answer, unless the request may pass. */
  readonly reply?: ErrorReply
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
export function judge<Request extends object>(
  options: GuardOptions<Request>,
): (request: Request, arrival: Arrival) => Promise<Judgement> {
  const { advertise } = options
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
    const found = findOperation(method, target)
    if (found.refused) return refuse(found)
    const { operation, params, limited } = found
    const scope = await identify(options, request, operation)
    if (!scope) return refuse(unidentified(operation, header('authorization'), header('x-api-key')))
    const verdict = await limit(scope, limited)
    if (verdict === 'lost') return refuse({ refused: 'store-lost' })
    const fields = verdict && advertise ? rateLimitFields(advertise, verdict) : {}
    if (verdict?.admitted === false) return refuse({ refused: 'rate-limited', retryAfter: verdict.retryAfter }, fields)
    const content = checkContent(operation, header('content-type'), header('content-encoding'))
    if (content.refused) return refuse(content, fields)
    seen.set(request, { operation, params, scope })
    return { headers: { ...named, ...fields } }
  }
}

async function identify<Request>(
  { scope }: Identification<Request>,
  request: Request,
  operation: OperationId,
): Promise<Scope> {
  try {
    return await scope(request, operation)
  } catch (error) {
    if (SendoffError.is(error)) return undefined
    throw error
  }
}
