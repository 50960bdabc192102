import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { pinoHttp } from 'pino-http'
import { errorsExpress, errorsFastify, errorsHono, guardExpress, guardFastify, guardHono, passed, traceId } from 'sendoff/http'

/** Each host with its guard, a route of its own, and a log to this stream if it has one. */
export const hosts = {
  express(options, log) {
    const app = express()
    if (log) app.use(pinoHttp({ genReqId: traceId }, log))
    app.use(guardExpress({ scope: ({ headers }) => headers['x-api-key'], others: 'ignore', ...options }))
    app.get('/healthz', (_request, response) => response.send('healthy'))
    app.use((request, response) => response.json({ status: 'success', data: passed(request) }))
    app.use(errorsExpress())
    return createServer(app)
  },
  hono(options) {
    const app = new Hono()
    app.use(guardHono({ scope: (c) => c.req.header('x-api-key'), others: 'ignore', ...options }))
    app.get('/healthz', (c) => c.text('healthy'))
    app.all('/*', (c) => c.json({ status: 'success', data: passed(c) }))
    app.onError(errorsHono())
    return createServer(getRequestListener(app.fetch))
  },
  fastify(options, log) {
    let server
    const serverFactory = (handler) => (server = createServer(handler))
    const app = Fastify({ serverFactory, genReqId: traceId, ...(log && { logger: { stream: log } }) })
    app.addHook('onRequest', guardFastify({ scope: ({ headers }) => headers['x-api-key'], others: 'ignore', ...options }))
    app.get('/healthz', async () => 'healthy')
    app.all('/*', async (request) => ({ status: 'success', data: passed(request) }))
    app.setErrorHandler(errorsFastify())
    return app.ready().then(() => server)
  },
}
