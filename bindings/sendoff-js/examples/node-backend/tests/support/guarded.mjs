import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { errorsExpress, errorsFastify, errorsHono, guardExpress, guardFastify, guardFetch, guardHono, passed } from 'sendoff/http'

const answer = (request) => ({ status: 'success', data: passed(request) })

/** Each host with its guard below a prefix, and what `handle` answers to all requests there. */
export const hosts = {
  express(options, { prefix = '', handle = answer } = {}) {
    const app = express()
    app.use(prefix, guardExpress({ scope: ({ headers }) => headers['x-api-key'], others: 'ignore', ...options }))
    app.use(prefix, (request, response) => response.json(handle(request)))
    app.use(errorsExpress())
    return createServer(app)
  },
  hono(options, { prefix = '', handle = answer } = {}) {
    const app = new Hono()
    app.use(`${prefix}/*`, guardHono({ scope: (c) => c.req.header('x-api-key'), others: 'ignore', ...options }))
    app.all(`${prefix}/*`, (c) => c.json(handle(c)))
    app.onError(errorsHono())
    return createServer(getRequestListener(app.fetch))
  },
  async fastify(options, { prefix = '', handle = answer } = {}) {
    let server
    const serverFactory = (handler) => (server = createServer(handler))
    const app = Fastify({ serverFactory, routerOptions: { caseSensitive: false, ignoreDuplicateSlashes: true } })
    const below = async (scope) => {
      scope.addHook('onRequest', guardFastify({ scope: ({ headers }) => headers['x-api-key'], others: 'ignore', ...options }))
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
