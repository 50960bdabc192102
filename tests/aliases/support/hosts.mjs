// Hosts with a handler for each operation, whose routers accept as many spellings as they can be told to.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { getRequestListener } from '@hono/node-server'
import Router from '@koa/router'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { OPERATIONS } from 'sendoff'
import { guardExpress, guardFastify, guardHono } from 'sendoff/http'

const routes = OPERATIONS.map(({ id, path }) => ({ id, path: path.replace(/\{(\w+)\}/g, ':$1') }))

/**
 * The hosts by their names: each takes what stands before its handlers and what they call, `reached(operation, headers)`, and
 * gives what Node's server calls, and whether it takes HTTP/2 as well. Before the handlers stands a guard with `options`, a
 * function of Node's request, or nothing.
 */
export const hosts = { express: expressHost, hono: honoHost, fastify: fastifyHost, koa: koaHost }

function expressHost({ options, before, reached }) {
  const app = express()
  if (options) app.use(guardExpress(options))
  app.use((request, _response, next) => { before?.(request); next() })
  for (const { id, path } of routes) app.all(path, (request, response) => { reached(id, request.headers); response.end() })
  // Express prints what it cannot decode.
  app.use((_error, _request, response, _next) => { response.status(400).end() })
  return { listener: app }
}

function koaHost({ options, before, reached }) {
  const app = new Koa()
  const guard = options && guardExpress(options)
  if (guard) {
    app.use(async (context, next) => {
      let isLetPass = false
      await new Promise((resolve, reject) => {
        const passed = (error) => { isLetPass = true; error ? reject(error) : resolve() }
        context.res.once('close', resolve)
        guard(context.req, context.res, passed)
      })
      if (isLetPass) return next()
      context.respond = false
    })
  }
  app.use((context, next) => { before?.(context.req); return next() })
  const router = new Router()
  for (const { id, path } of routes) router.all(path, (context) => { reached(id, context.headers); context.body = '' })
  app.use(router.routes()).silent = true
  return { listener: app.callback(), takesHttp2: true }
}

function honoHost({ options, before, reached }) {
  const app = new Hono({ strict: false })
  if (options) app.use(guardHono(options))
  app.use((c, next) => { before?.(c.env.incoming); return next() })
  for (const { id, path } of routes) app.all(path, (c) => { reached(id, c.req.header()); return c.body(null) })
  return { listener: getRequestListener(app.fetch, { errorHandler: () => new Response(null, { status: 400 }) }), takesHttp2: true }
}

function fastifyHost({ options, before, reached }) {
  const guard = options && guardFastify(options)
  const routerOptions = { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, useSemicolonDelimiter: true }
  const build = (http2) => {
    const app = Fastify({
      routerOptions,
      ...(http2 ? { http2: true } : {}),
      async frameworkErrors(error, request, reply) {
        if (!guard || !(await guard(request, reply))) reply.code(error.statusCode ?? 400).send()
      },
    })
    if (guard) app.addHook('onRequest', guard)
    app.addHook('onRequest', async (request) => { before?.(request.raw) })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const { id, path } of routes) app.all(path, (request, reply) => { reached(id, request.headers); reply.send() })
    return app
  }
  return { app: build }
}

/** The host at a free port, over HTTP/1.1 or HTTP/2; `undefined` if it does not take HTTP/2. */
export async function serve(t, name, isHttp2, before) {
  const { listener, takesHttp2, app } = hosts[name](before)
  if (app) {
    const built = app(isHttp2)
    t.after(() => built.server.close())
    await built.listen({ port: 0, host: '127.0.0.1' })
    return `127.0.0.1:${built.server.address().port}`
  }
  if (isHttp2 && !takesHttp2) return undefined
  const server = (isHttp2 ? createHttp2Server : createServer)(listener).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return `127.0.0.1:${server.address().port}`
}
