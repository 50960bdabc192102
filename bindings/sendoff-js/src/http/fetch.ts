import { own } from '../own.js'
import { answer, type Answers, ANSWERS } from './answer.js'
import { textOf } from './body.js'
import { checkBy, GUARD, type GuardOptions, hasPassed, type Passed, passed } from './guard.js'
import { anything, checked } from './options.js'
import { type ErrorReply, failureReply, Refused } from './reply.js'
import { traceId } from './trace.js'

/** The handler of all operations. */
type Handle<Caller> = (request: Request, passed: Passed<Caller>) => Response | Promise<Response>

/**
 * A guard for hosts with `Request` and `Response`, around the handler of all operations. If the handler throws an error that the
 * caller caused, the guard answers it ({@link failureReply}). It rethrows all other errors. `others` answers paths that are not
 * operations, such as `/healthz`. Without it they are refused.
 *
 * A `Request` does not contain the target of the request line: dot segments are already resolved, backslashes are slashes, and the
 * fragment is removed. The handler reads the same path as the guard, so this does not bypass the limit.
 *
 * @example
 * ```ts
 * const answer = guardFetch({ scope: keyOf, limiter }, async (request) => {
 *   return Response.json(estimate(await request.text(), facts))
 * })
 * ```
 */
export function guardFetch<Caller>(
  options: Omit<GuardOptions<Request, Caller>, 'others'>,
  handle: Handle<Caller>,
  others?: (request: Request) => Response | Promise<Response>,
): (request: Request) => Promise<Response> {
  if (typeof handle !== 'function') throw new TypeError('expected the handler of all operations behind the options, found none')
  const check = checkBy(own({ ...checked(options, { ...GUARD, base: anything }, 'scope'), others: others && 'ignore' }))
  return async (request) => {
    const { method, url } = request
    const { reply, headers } = await check(request, { method, target: targetOf(url) })
    if (reply) return respond(reply)
    const isOther = others && !hasPassed(request)
    return withHeaders(await (isOther ? others(request) : handled(handle, request)), headers)
  }
}

async function handled<Caller>(handle: Handle<Caller>, request: Request): Promise<Response> {
  try {
    return await handle(request, passed(request))
  } catch (error) {
    const reply = failureReply(traceId(request), error)
    if (reply.status === 500) throw error
    return respond(reply)
  }
}

/** @internal */
export function respond({ status, headers, body }: Omit<ErrorReply, 'body'> & { readonly body?: unknown }): Response {
  return new Response(JSON.stringify(body), own({ status, headers }))
}

/**
 * The part of a URL that is in the request line.
 *
 * @internal
 */
export function targetOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function withHeaders(response: Response, headers: ErrorReply['headers']): Response {
  // The headers of a fetched response cannot be changed.
  const copy = new Response(response.body, response)
  for (const [name, value] of Object.entries(headers)) {
    // A handler may have its own.
    if (name === 'vary') copy.headers.append(name, value)
    else copy.headers.set(name, value)
  }
  return copy
}

/**
 * The handler of all operations for {@link guardFetch}, in runtimes with `Request` and `Response`. The core answers the estimate and the
 * lists of networks and tokens. `backend` answers the other operations; without it they are refused with 501.
 *
 * @example
 * ```ts
 * export default { fetch: guardFetch({ scope: credentials(callers), limiter }, answerFetch({ facts, catalogue })) }
 * ```
 */
export function answerFetch<Caller>(
  given: Answers<Caller>,
  backend?: (request: Request, passed: Passed<Caller>) => Response | Promise<Response>,
): (request: Request, passed: Passed<Caller>) => Promise<Response> {
  const answers = checked(given, ANSWERS, 'facts', 'catalogue')
  if (!['undefined', 'function'].includes(typeof backend)) throw new TypeError('expected a function that asks the backend, found another value')
  return async (request, passed) => {
    const body = await answer(passed, { target: request.url, text: () => bodyOf(request) }, answers)
    if (body) return Response.json(body)
    if (!backend) throw new Refused({ refused: 'no-backend', operation: passed.operation })
    return backend(request, passed)
  }
}

async function bodyOf({ body }: Request): Promise<string> {
  const reader = body?.getReader()
  return textOf(async () => (await reader?.read()) ?? {})
}
