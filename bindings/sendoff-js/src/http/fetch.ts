import { type GuardOptions, hasPassed, judge, type Passed, passed } from './guard.js'
import { type ErrorReply, failureReply } from './reply.js'
import { traceId } from './trace.js'

/** The handler of all operations. */
type Handle = (request: Request, passed: Passed) => Response | Promise<Response>

/**
 * A guard for hosts that speak `Request` and `Response`, around the handler of all operations. What the handler throws is
 * answered where it is the caller's doing ({@link failureReply}), else thrown on. `others` answers what no operation has a path
 * for, such as `/healthz`; without it that is refused.
 *
 * A `Request` does not have the target of the request line: dot segments are resolved, a backslash is a slash and a fragment is
 * away before anybody can refuse them. The handler sees the same path as the guard, so no limit is passed by.
 *
 * @example
 * ```ts
 * const answer = guardFetch({ scope: keyOf, limiter }, async (request) => {
 *   return Response.json(estimate(await request.text(), facts))
 * })
 * ```
 */
export function guardFetch(
  options: Omit<GuardOptions<Request>, 'others'>,
  handle: Handle,
  others?: (request: Request) => Response | Promise<Response>,
): (request: Request) => Promise<Response> {
  const judged = judge({ ...options, others: others ? 'pass' : 'refuse' })
  return async (request) => {
    const { method, url } = request
    const { reply, headers } = await judged(request, { method, target: targetOf(url) })
    if (reply) return respond(reply)
    const isOther = others !== undefined && !hasPassed(request)
    return withHeaders(await (isOther ? others(request) : handled(handle, request)), headers)
  }
}

async function handled(handle: Handle, request: Request): Promise<Response> {
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
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
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
  const fields = Object.entries(headers)
  if (fields.length === 0) return response
  // Those of a response that was fetched cannot be changed.
  const copy = new Response(response.body, response)
  for (const [name, value] of fields) copy.headers.set(name, value)
  return copy
}
