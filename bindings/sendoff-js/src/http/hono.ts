import type { Readable } from 'node:stream'
import { member, own } from '../own.js'
import { respond, targetOf } from './fetch.js'
import { checkBy, type GuardOptions, passed } from './guard.js'
import { builtin, type Incoming } from './node.js'
import { checked } from './options.js'
import { checkedService, ERRORS, failed, serve, type Service } from './serve.js'
import { traceId } from './trace.js'

/** The part of Hono's context that a guard uses, and the headers that identify most callers. */
export interface HonoContext {
  readonly req: {
    readonly method: string
    readonly url: string
    header(name: string): string | undefined
    header(): { readonly [name: string]: string }
  }
  readonly env: unknown
  header(name: string, value: string, options?: { append?: boolean }): void
}

/**
 * A guard for Hono. In Node (`@hono/node-server`) it uses the target of the request line, and elsewhere the URL, as `guardFetch`
 * does. That server answers targets that cannot become a `Request` itself. Set its `errorHandler`, so that this reply has the
 * envelope.
 *
 * @example
 * ```ts
 * const app = new Hono()
 * app.use(guardHono({ scope: (c) => keyOf(c.req.header('x-api-key')), store: windows, onStoreLoss: 'refuse' }))
 * ```
 */
export function guardHono<Context extends HonoContext = HonoContext>(
  options: GuardOptions<Context>,
): (c: Context, next: () => Promise<void>) => Promise<Response | undefined> {
  const check = checkBy(options)
  return async (c, next) => {
    const { method, url } = c.req
    const { reply, headers } = await check(c, { method, target: incomingOf(c)?.url ?? targetOf(url) })
    if (reply) return respond(reply)
    await next()
    // A handler may have its own `vary`.
    for (const [name, value] of Object.entries(headers)) c.header(name, value, { append: name === 'vary' })
    return undefined
  }
}

/** Node's request, which `@hono/node-server` has in `env`. */
const incomingOf = ({ env }: HonoContext) => member(Object(env) as { readonly incoming?: Incoming }, 'incoming')

/**
 * The handler of all operations for Hono in Node (`@hono/node-server`), behind {@link guardHono}. The core answers the estimate and the
 * lists of networks and tokens, and the backend the other operations. Routes before it can answer operations in another way.
 *
 * @example
 * ```ts
 * const app = new Hono<{ Bindings: HttpBindings }>()
 * app.use(guardHono({ scope: credentials(callers), limiter }))
 * app.all('/*', answerHono({ facts, catalogue, backend: { url: 'https://wallet.example' } }))
 * app.onError(errorsHono())
 * ```
 */
export function answerHono<Caller>(given: Service<Caller>): (c: HonoContext) => Promise<Response> {
  const service = checkedService(given)
  return async (c) => {
    const incoming = incomingOf(c)
    if (!incoming) throw new Error('expected a request of `@hono/node-server`, found one without `env.incoming`')
    const { status, headers, body } = await serve(incoming, passed<Caller>(c), service)
    const hasBody = status !== 204 && status !== 304
    const sent = typeof body === 'string' ? body : (builtin('node:stream').Readable.toWeb(body as Readable) as ReadableStream)
    const fields = new Headers()
    for (const [name, values] of Object.entries(headers)) {
      for (const value of [values ?? []].flat()) fields.append(name, value)
    }
    return new Response(hasBody ? sent : null, own({ status, headers: fields }))
  }
}

/**
 * The error handler for Hono: the reply to what a guard or a handler throws ({@link failureReply}). `onError` is called with each error
 * that is not the caller's; absent means `console.error`.
 *
 * @example
 * ```ts
 * app.onError(errorsHono({ onError: (error) => log.error(error) }))
 * ```
 */
export function errorsHono(given: Pick<Service, 'onError'> = {}): (error: unknown, c: HonoContext) => Response {
  const options = checked(given, ERRORS)
  return (error, c) => {
    const { status, headers, body } = failed(traceId(c), error, options)
    return new Response(body, own({ status, headers }))
  }
}
