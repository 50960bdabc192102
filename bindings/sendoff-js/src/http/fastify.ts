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
 * A guard for Fastify's `onRequest` hook. Fastify does not call hooks for a target that its router cannot read. Use the guard in
 * `frameworkErrors` too, so that this reply has the envelope.
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
    // The return value tells Fastify that there is a reply.
    return response
  }
}
