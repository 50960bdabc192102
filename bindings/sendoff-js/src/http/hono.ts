import { respond, targetOf } from './fetch.js'
import { type GuardOptions, judge } from './guard.js'

/** As much of Hono's context as a guard uses, and what most callers are identified by. */
export interface HonoContext {
  readonly req: {
    readonly method: string
    readonly url: string
    header(name: string): string | undefined
    header(): { readonly [name: string]: string }
  }
  readonly env: unknown
  header(name: string, value: string): void
}

/**
 * A guard for Hono. In Node (`@hono/node-server`) it looks at the target as it stood in the request line; elsewhere
 * a target is what `guardFetch` says of it. What that server cannot make a request of, it answers itself: its
 * `errorHandler` puts that in the envelope.
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
    const target = (c.env as NodeEnv | undefined)?.incoming?.url ?? targetOf(url)
    const { reply, headers } = await judged(c, { method, target })
    if (reply) return respond(reply)
    await next()
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return undefined
  }
}

/** What `@hono/node-server` puts there. */
interface NodeEnv {
  readonly incoming?: { readonly url?: string }
}
