import { type GuardOptions, judge } from './guard.js'

/** The part of Fastify's request that a guard uses. */
export interface FastifyRequest {
  readonly raw: { readonly method?: string | undefined; readonly url?: string | undefined }
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

/** The part of Fastify's reply that a guard uses. */
export interface FastifyReply {
  code(status: number): unknown
  headers(values: { [name: string]: string }): unknown
  send(body: unknown): unknown
}

/**
 * A guard for Fastify's `onRequest` hook. A target that Fastify's router cannot read comes to no hook: its
 * `frameworkErrors` puts the answer to that in the envelope.
 *
 * @example
 * ```ts
 * const app = fastify()
 * app.addHook('onRequest', guardFastify({ scope: (request) => keyOf(request), store: windows, onStoreLoss: 'refuse' }))
 * ```
 */
export function guardFastify<Request extends FastifyRequest = FastifyRequest>(
  options: GuardOptions<Request>,
): (request: Request, reply: FastifyReply) => Promise<unknown> {
  const judged = judge(options)
  return async (request, response) => {
    const { method = '', url = '' } = request.raw
    const { reply, headers } = await judged(request, { method, target: url })
    response.headers(headers)
    if (!reply) return undefined
    response.code(reply.status)
    // Fastify adds a charset to the content type of text.
    response.send(reply.body && new TextEncoder().encode(JSON.stringify(reply.body)))
    // What tells Fastify that it is answered.
    return response
  }
}
