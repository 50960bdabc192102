import { type FoundOperation, findOperation } from '../index.js'
import { own } from '../own.js'
import { checkBy, type GuardOptions, passed } from './guard.js'
import type { Incoming } from './node.js'
import { refusalReply } from './reply.js'
import { failed, type Served, serve, type Service } from './serve.js'
import { namesOf, traceId } from './trace.js'

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
  const check = checkBy(options)
  return async (request, response) => {
    const { method = '', url = '' } = request.raw
    const { reply, headers } = await check(request, { method, target: url })
    response.headers(headers)
    if (!reply) return undefined
    response.code(reply.status)
    // Fastify adds a charset to the content type of text.
    response.send(reply.body && new TextEncoder().encode(JSON.stringify(reply.body)))
    // The return value tells Fastify that there is a reply.
    return response
  }
}

/** The parts of a Fastify instance that the plugin uses. */
interface App {
  addHook(name: 'onRequest', hook: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(type: string, parser: (request: unknown, body: unknown, done: (error: null) => void) => void): unknown
  setErrorHandler(handler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void): unknown
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}

/** The options of {@link fastifySendoff}: those of a guard, without a base, and what answers the calls that pass. */
export interface FastifyOptions<Request, Caller = unknown> extends Omit<GuardOptions<Request, Caller>, 'base' | 'others'>, Service<Caller> {}

async function plugin<Caller>(
  instance: { readonly prefix: string },
  options: FastifyOptions<FastifyRequest, Caller>,
): Promise<void> {
  // The types of Fastify's own methods depend on its generics, and this package has no types of Fastify.
  const app = instance as unknown as App
  const send = (response: FastifyReply, { status, headers, body }: Served) => {
    response.code(status)
    response.headers(headers as { [name: string]: string })
    // Fastify adds a charset to the content type of text.
    response.send(typeof body === 'string' ? new TextEncoder().encode(body) : body)
    return response
  }
  app.addHook('onRequest', guardFastify({ ...own(options), base: instance.prefix, others: 'refuse' }))
  // The core reads JSON itself, and the body of other operations is the backend's.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.setErrorHandler((error, request, response) => void send(response, failed(traceId(request), error, options)))
  app.all('/*', async (request, response) => send(response, await serve(request.raw as Incoming, passed<Caller>(request), options)))
}

/**
 * A plugin for Fastify with a guard and the answers to all operations. The core answers the estimate and the lists of networks and
 * tokens, and the backend the other operations. With `prefix`, the operations are below it.
 *
 * The plugin is encapsulated: its hook, its parsers and its error handler are for its own routes only. Routes of the application have
 * precedence over it; the plugin answers everything else below its prefix. It registers one route for all paths, so Fastify's router
 * does not decide which operation a path is. Fastify calls no hook for a target that its router cannot read: give
 * {@link errorsFastify} to `frameworkErrors`.
 *
 * @example
 * ```ts
 * const app = Fastify({ genReqId: traceId, frameworkErrors: errorsFastify })
 * app.register(fastifySendoff, { scope: credentials(callers), limiter, facts, catalogue, backend: { url } })
 * ```
 */
export const fastifySendoff: typeof plugin = /* @__PURE__ */ named(plugin)

/** Writes on a plugin what `fastify-plugin` writes on one that stays encapsulated. */
function named<Plugin extends object>(plugin: Plugin): Plugin {
  return Object.assign(plugin, {
    [Symbol.for('fastify.display-name')]: 'sendoff',
    [Symbol.for('plugin-meta')]: { name: 'sendoff', fastify: '>=4' },
  })
}

/**
 * The refusal of a target that Fastify's router cannot read, for the option `frameworkErrors`.
 *
 * @example
 * ```ts
 * const app = Fastify({ frameworkErrors: errorsFastify })
 * ```
 */
export function errorsFastify(_error: unknown, request: FastifyRequest, reply: object): void {
  const response = reply as FastifyReply
  const { method = '', url = '' } = request.raw
  const { traceId, requestId } = namesOf(request)
  const found: FoundOperation = own(findOperation(method, url.replace(/#.*/s, '')))
  const { status, headers, body } = refusalReply(traceId, found.refused ? found : { refused: 'bad-target' })
  response.code(status)
  response.headers({ ...headers, 'x-request-id': requestId })
  response.send(new TextEncoder().encode(JSON.stringify(body)))
}
