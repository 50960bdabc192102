// Hosts with a handler for each operation, whose routers accept as many spellings as they can be told to.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { OPERATIONS } from 'sendoff'
import { guardExpress, guardFastify, guardHono } from 'sendoff/http'

const routes = OPERATIONS.map(({ id, path }) => ({ id, path: path.replace(/\{(\w+)\}/g, ':$1') }))
const serverOf = (listener, isHttp2) => (isHttp2 ? createHttp2Server : createServer)(listener)

/**
 * The hosts by their names: each is a server whose handlers call `reached(operation, headers)`, behind a guard if there are
 * `options` for one; `undefined` if it does not take HTTP/2.
 */
export const hosts = { express: expressHost, hono: honoHost, fastify: fastifyHost }

function expressHost({ options, reached }, isHttp2) {
  if (isHttp2) return undefined
  const app = express()
  if (options) app.use(guardExpress(options))
  for (const { id, path } of routes) app.all(path, (request, response) => { reached(id, request.headers); response.end() })
  // Express prints what it cannot decode.
  app.use((_error, _request, response, _next) => { response.status(400).end() })
  return serverOf(app)
}

function honoHost({ options, reached }, isHttp2) {
  const app = new Hono({ strict: false })
  if (options) app.use(guardHono(options))
  for (const { id, path } of routes) app.all(path, (c) => { reached(id, c.req.header()); return c.body(null) })
  return serverOf(getRequestListener(app.fetch, { errorHandler: () => new Response(null, { status: 400 }) }), isHttp2)
}

async function fastifyHost({ options, reached }, isHttp2) {
  const guard = options && guardFastify(options)
  const app = Fastify({
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, useSemicolonDelimiter: true },
    ...(isHttp2 ? { http2: true } : {}),
    async frameworkErrors(error, request, reply) {
      if (!guard || !(await guard(request, reply))) reply.code(error.statusCode ?? 400).send()
    },
  })
  if (guard) app.addHook('onRequest', guard)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  for (const { id, path } of routes) app.all(path, (request, reply) => { reached(id, request.headers); reply.send() })
  await app.ready()
  return app.server
}

/** The address of a host over HTTP/1.1 or HTTP/2, and `undefined` if it does not take HTTP/2. `before` gets each of its requests. */
export async function serve(t, name, isHttp2, { before, ...how }) {
  const server = await hosts[name](how, isHttp2)
  if (!server) return undefined
  if (before) server.prependListener('request', before)
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `127.0.0.1:${server.address().port}`
}
