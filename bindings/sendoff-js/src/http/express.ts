import { member } from '../own.js'
import { checkBy, type GuardOptions, hasPassed, passed } from './guard.js'
import { builtin, type Fields, type Incoming } from './node.js'
import { checked } from './options.js'
import { checkedService, ERRORS, failed, serve, type Service } from './serve.js'
import { traceId } from './trace.js'

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
  setHeader(name: string, value: string | readonly string[]): unknown
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
  const check = checkBy(options)
  return (request, response, next) => {
    const { method = '', url = '' } = request
    check(request, { method, target: member(request, 'originalUrl') ?? url })
      .then(({ reply, headers }) => {
        begin(response, headers, reply?.status)
        if (!reply) return next()
        response.end(reply.body ? JSON.stringify(reply.body) : '')
      })
      .catch(next)
  }
}

/**
 * The handler of all operations for Express and Node's own server, behind {@link guardExpress}. The core answers the estimate and the
 * lists of networks and tokens, and the backend the other operations. It reads the body itself, so use it before body parsers. Routes
 * before it can answer operations in another way, and requests that are for no operation go to the next handler.
 *
 * @example
 * ```ts
 * const app = express()
 * app.use(guardExpress({ scope: credentials(callers), limiter }))
 * app.use(answerExpress({ facts, catalogue, backend: { url: 'https://wallet.example' } }))
 * app.use(errorsExpress())
 * ```
 */
export function answerExpress<Caller>(
  given: Service<Caller>,
): (request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => void {
  const service = checkedService(given)
  return (request, response, next) => {
    if (!hasPassed(request)) return next()
    const incoming = request as ExpressRequest & Incoming
    serve(incoming, passed<Caller>(request), service)
      .then(({ status, headers, body }) => {
        begin(response, headers, status)
        if (typeof body === 'string') return void response.end(body)
        // If the backend's reply ends early, so does this one: a part must not look whole.
        builtin('node:stream').pipeline(body, response as unknown as NodeJS.WritableStream, () => {})
      })
      .catch(next)
  }
}

/**
 * The error handler for Express: the reply to what a guard or a handler throws ({@link failureReply}). `onError` is called with each error
 * that is not the caller's; absent means `console.error`.
 *
 * @example
 * ```ts
 * app.use(errorsExpress({ onError: (error) => log.error(error) }))
 * ```
 */
export function errorsExpress(
  given: Pick<Service, 'onError'> = {},
): (error: unknown, request: ExpressRequest, response: ExpressResponse, next: (error?: unknown) => void) => void {
  const options = checked(given, ERRORS)
  // Express recognizes an error handler by its four parameters.
  return (error, request, response, _next) => {
    const { status, headers, body } = failed(traceId(request), error, options)
    begin(response, headers, status)
    response.end(body)
  }
}

/** The head of a reply. Without a status the handlers after the guard decide it. */
function begin(response: ExpressResponse, headers: Fields, status: number | undefined): void {
  if (status !== undefined) response.statusCode = status
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
}
