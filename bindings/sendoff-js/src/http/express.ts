import { member } from '../own.js'
import { type GuardOptions, judge } from './guard.js'

/** The part of Express's request that a guard uses; Node's own `IncomingMessage` has it too. */
export interface ExpressRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly originalUrl?: string | undefined
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

/** The part of Express's response that a guard uses; Node's own `ServerResponse` has it too. */
export interface ExpressResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/**
 * A guard for Express, and for every framework with `(request, response, next)`. It does not read the body, so use it before the
 * body parsers, and after CORS.
 *
 * @example
 * ```ts
 * const app = express()
 * app.use(guardExpress({ scope: (request) => keyOf(request), limiter: new RateLimiter(policy) }))
 * ```
 */
export function guardExpress<Request extends ExpressRequest = ExpressRequest>(
  options: GuardOptions<Request>,
): (request: Request, response: ExpressResponse, next: (error?: unknown) => void) => void {
  const judged = judge(options)
  return (request, response, next) => {
    const { method = '', url = '' } = request
    judged(request, { method, target: member(request, 'originalUrl') ?? url })
      .then(({ reply, headers }) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        if (!reply) return next()
        response.statusCode = reply.status
        response.end(reply.body ? JSON.stringify(reply.body) : '')
      })
      .catch(next)
  }
}
