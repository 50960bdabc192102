import { type FoundOperation, findOperation } from '../index.js'
import { member, own } from '../own.js'
import { checkBy, GUARD, type GuardOptions, passed } from './guard.js'
import { limitOf } from './limit.js'
import type { Incoming } from './node.js'
import { anything, checked, type Rules } from './options.js'
import { Refused, refusalReply, tooLarge } from './reply.js'
import { ERRORS, failed, type Served, serve, SERVICE, type Service } from './serve.js'
import { namesOf } from './trace.js'

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
    // The return value tells Fastify that there is a reply.
    return reply ? send(response, { ...reply, headers, body: reply.body && JSON.stringify(reply.body) }) : void response.headers(headers)
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

/** Fastify gives the options of `register` to a plugin, with its own. */
const OF_FASTIFY: Rules = { prefix: anything, logLevel: anything }
const PLUGIN: Rules = { ...GUARD, ...SERVICE, ...OF_FASTIFY }

/** The part of a Fastify instance whose type does not depend on its generics. */
interface Instance {
  readonly prefix: string
}

/** {@link fastifySendoff}: the plugin, and with options alone a function that returns it. */
interface FastifyPlugin {
  <Caller>(options: FastifyOptions<FastifyRequest, Caller>): (instance: Instance, options: { readonly prefix?: string }) => Promise<void>
  <Caller>(instance: Instance, options: FastifyOptions<FastifyRequest, Caller>): Promise<void>
}

async function plugin<Caller>(instance: Instance, given: FastifyOptions<FastifyRequest, Caller>): Promise<void> {
  const options = checked(given, PLUGIN, 'scope', 'facts', 'catalogue')
  const guard = Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(GUARD, name)))
  // The types of Fastify's own methods depend on its generics, and this package has no types of Fastify.
  const app = instance as unknown as App
  app.addHook('onRequest', guardFastify({ ...(guard as unknown as typeof options), base: instance.prefix, others: 'refuse' }))
  // The core reads JSON itself, and the body of other operations is the backend's.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.setErrorHandler(errorsFastify({ onError: options.onError }))
  app.all('/*', async (request, response) => send(response, await serve(request.raw as Incoming, passed<Caller>(request), options)))
}

function send(response: FastifyReply, { status, headers, body }: Omit<Served, 'body'> & { readonly body: Served['body'] | undefined }): FastifyReply {
  response.code(status)
  response.headers(headers as { [name: string]: string })
  // Fastify adds a charset to the content type of text.
  response.send(typeof body === 'string' ? new TextEncoder().encode(body) : body)
  return response
}

/**
 * A plugin for Fastify with a guard and the answers to all operations. The core answers the estimate and the lists of networks and
 * tokens, and the backend the other operations. With `prefix`, the operations are below it.
 *
 * The plugin is encapsulated: its hook, its parsers and its error handler are for its own routes only. Routes of the application have
 * precedence over it; the plugin answers everything else below its prefix. It registers one route for all paths, so Fastify's router
 * does not decide which operation a path is. Fastify calls no hook for a target that its router cannot read: give
 * `errorsFastify()` to `frameworkErrors`.
 *
 * @example
 * ```ts
 * const app = Fastify({ genReqId: traceId, frameworkErrors: errorsFastify() })
 * app.register(fastifySendoff, { scope: credentials(callers), limiter, facts, catalogue, backend: { url } })
 * // TypeScript infers the caller of `facts` and `catalogue` from `scope`:
 * app.register(fastifySendoff({ scope, limiter, facts: ({ caller }) => factsOf(caller), catalogue }), { prefix: '/wallet' })
 * ```
 */
export const fastifySendoff: FastifyPlugin = /* @__PURE__ */ named(((...given: [Instance, never] | [FastifyOptions<FastifyRequest>]) => {
  if (given.length > 1) return plugin(...(given as [Instance, never]))
  const options = checked(given[0] as FastifyOptions<FastifyRequest>, { ...GUARD, ...SERVICE }, 'scope', 'facts', 'catalogue')
  limitOf(options)
  return named(async (instance: Instance, own: object) => {
    checked(own, OF_FASTIFY)
    return plugin(instance, options)
  })
}) as FastifyPlugin)

/** Writes on a plugin what `fastify-plugin` writes on one that stays encapsulated. */
function named<Plugin extends object>(plugin: Plugin): Plugin {
  return Object.assign(plugin, {
    [Symbol.for('fastify.display-name')]: 'sendoff',
    [Symbol.for('plugin-meta')]: { name: 'sendoff', fastify: '>=4' },
  })
}

/** The errors of Fastify's router about a target, and of its body parsers about a body, which do not have the limit. */
const OF_ROUTER = /^FST_ERR_(BAD_URL|MAX_PARAM_LENGTH|ASYNC_CONSTRAINT)$/
const OF_BODY = 'FST_ERR_CTP_BODY_TOO_LARGE'

/**
 * The error handler for Fastify: the reply to what a guard or a handler throws ({@link failureReply}), for `setErrorHandler`, and the
 * refusal of a target that Fastify's router cannot read, for the option `frameworkErrors`. `onError` is called with each error that is not
 * the caller's; absent means `console.error`.
 *
 * @example
 * ```ts
 * const app = Fastify({ frameworkErrors: errorsFastify() })
 * app.setErrorHandler(errorsFastify({ onError: (error) => log.error(error) }))
 * ```
 */
export function errorsFastify(given: Pick<Service, 'onError'> = {}): (error: unknown, request: FastifyRequest, reply: object) => void {
  const options = checked(given, ERRORS)
  return (error, request, reply) => {
    const { traceId, requestId } = namesOf(request)
    const code = String(member(Object(error) as { code?: unknown }, 'code'))
    if (!OF_ROUTER.test(code)) {
      const { routeOptions } = request as { readonly routeOptions?: { readonly bodyLimit?: number } }
      const thrown = code === OF_BODY ? new Refused(tooLarge(routeOptions?.bodyLimit)) : error
      return void send(reply as FastifyReply, failed(traceId, thrown, options))
    }
    const { method = '', url = '' } = request.raw
    const found: FoundOperation = own(findOperation(method, url.replace(/#.*/s, '')))
    const { status, headers, body } = refusalReply(traceId, found.refused ? found : { refused: 'bad-target' })
    send(reply as FastifyReply, { status, headers: { ...headers, 'x-request-id': requestId }, body: JSON.stringify(body) })
  }
}
