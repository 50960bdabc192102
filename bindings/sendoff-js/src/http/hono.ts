import { member } from '../own.js'
import { respond, targetOf } from './fetch.js'
import { type GuardOptions, judge } from './guard.js'

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
  const judged = judge(options)
  return async (c, next) => {
    const { method, url } = c.req
    const incoming = member((c.env ?? {}) as NodeEnv, 'incoming')
    const target = incoming?.url ?? targetOf(url)
    const { reply, headers } = await judged(c, { method, target })
    if (reply) return respond(reply)
    await next()
    // A handler may have its own `vary`.
    for (const [name, value] of Object.entries(headers)) c.header(name, value, { append: name === 'vary' })
    return undefined
  }
}

/** The `env` of `@hono/node-server`. */
interface NodeEnv {
  readonly incoming?: { readonly url?: string }
}
