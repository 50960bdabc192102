import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { pinoHttp } from 'pino-http'
import { errorsExpress, errorsFastify, errorsHono, guardExpress, guardFastify, guardFetch, guardHono, passed, traceId } from 'sendoff/http'

const answer = (request) => ({ status: 'success', data: passed(request) })

/**
 * Each host with its guard below a prefix, a route of its own there, and what `handle` answers to all other requests; with a log to a stream
 * if it has one.
 */
export const hosts = {
  express(options, { prefix = '', handle = answer, log } = {}) {
    const app = express()
    if (log) app.use(pinoHttp({ genReqId: traceId }, log))
    app.use(prefix, guardExpress({ scope: ({ headers }) => headers['x-api-key'], others: 'ignore', ...options }))
    app.get(`${prefix}/healthz`, (_request, response) => response.send('healthy'))
    app.use(prefix, (request, response) => response.json(handle(request)))
    app.use(errorsExpress())
    return createServer(app)
  },
  hono(options, { prefix = '', handle = answer } = {}) {
    const app = new Hono()
    app.use(`${prefix}/*`, guardHono({ scope: (c) => c.req.header('x-api-key'), others: 'ignore', ...options }))
    app.get(`${prefix}/healthz`, (c) => c.text('healthy'))
    app.all(`${prefix}/*`, (c) => c.json(handle(c)))
    app.onError(errorsHono())
    return createServer(getRequestListener(app.fetch))
  },
  async fastify(options, { prefix = '', handle = answer, log } = {}) {
    let server
    const serverFactory = (handler) => (server = createServer(handler))
    const routerOptions = { caseSensitive: false, ignoreDuplicateSlashes: true }
    const app = Fastify({ serverFactory, routerOptions, genReqId: traceId, ...(log && { logger: { stream: log } }) })
    const below = async (scope) => {
      scope.addHook('onRequest', guardFastify({ scope: ({ headers }) => headers['x-api-key'], others: 'ignore', ...options }))
      scope.get('/healthz', async () => 'healthy')
      scope.all('/*', async (request) => handle(request))
      scope.setErrorHandler(errorsFastify())
    }
    await app.register(below, { prefix })
    await app.ready()
    return server
  },
  /** Its guard sees all paths. */
  fetch({ others, ...options }, { handle = answer } = {}) {
    const all = (request) => Response.json(handle(request))
    const guard = guardFetch({ scope: ({ headers }) => headers.get('x-api-key'), ...options }, all, others && all)
    return createServer(getRequestListener(guard))
  },
}
