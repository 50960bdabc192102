// The plugin for Fastify in an application with other routes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { RateLimiter } from 'sendoff'
import { errorsFastify, fastifySendoff, traceId } from 'sendoff/http'
import { scope, service } from '../backend.mjs'

const TRANSFER = '/api/v1/nft/transfer'
const CLIENT = { authorization: 'Bearer demo-token' }

/** An application with a route, a parser and an error handler of its own beside the plugin. */
async function application({ prefix }) {
  const app = Fastify({ genReqId: traceId, frameworkErrors: errorsFastify(), routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } })
  const limiter = new RateLimiter({ limit: 2, windowMs: 60_000 })
  app.addHook('onSend', async ({ id }, reply) => void reply.header('log-id', id))
  await app.register(fastifySendoff, { prefix, scope, limiter, ...service, backend: undefined })
  app.post('/own', async (request) => ({ own: request.body }))
  app.get('/broken', async () => { throw Object.assign(new Error('its own'), { statusCode: 418 }) })
  app.setErrorHandler((error, _request, reply) => reply.code(error.statusCode ?? 500).send({ mine: error.message }))
  await app.ready()
  return app
}

for (const prefix of [undefined, '/wallet/v1']) {
  const at = prefix ?? ''

  test(`fastify plugin${at}: it counts and answers its operations, and the application keeps its parsers, errors and routes`, async () => {
    const app = await application({ prefix })
    const own = await app.inject({ method: 'POST', url: '/own', payload: { a: 1 } })
    assert.deepEqual([own.statusCode, own.json(), own.headers['x-request-id']], [200, { own: { a: 1 } }, undefined])
    const broken = await app.inject('/broken')
    assert.deepEqual([broken.statusCode, broken.json()], [418, { mine: 'its own' }])

    const ask = (url, headers = CLIENT, method = 'POST') => app.inject({ method, url: at + url, headers })
    const list = await ask('/api/v1/supported/networks', CLIENT, 'GET')
    assert.deepEqual([list.statusCode, list.headers['content-type'], list.json().data.network[0].chain_id], [200, 'application/json', '80002'])
    // A log has the id of the envelope.
    const nobody = await ask(TRANSFER, {})
    assert.deepEqual([nobody.statusCode, nobody.json().error.trace_id], [401, nobody.headers['log-id']])
    const aliases = [`${TRANSFER}/`, TRANSFER.toUpperCase(), `/${TRANSFER}`, '/api/v1/nft/%74ransfer', `${TRANSFER};a`]
    for (const [status, ...request] of [
      [501, TRANSFER],
      ...aliases.map((alias) => [404, alias]),
      [501, TRANSFER],
      [429, TRANSFER],
      [501, '/api/v1/orders', CLIENT, 'GET'],
      [404, '/nothing', CLIENT, 'GET'],
    ]) assert.equal((await ask(...request)).statusCode, status, request[0])
  })
}

test('fastify plugin: two of them, each with its own limit', async () => {
  const app = Fastify()
  for (const prefix of ['/one', '/two']) app.register(fastifySendoff, { prefix, scope, limiter: new RateLimiter({ limit: 1, windowMs: 60_000 }), ...service })
  const statuses = []
  for (const url of ['/one', '/one', '/two', '/two']) statuses.push((await app.inject({ method: 'POST', url: url + TRANSFER, headers: CLIENT })).statusCode)
  assert.deepEqual(statuses, [501, 429, 501, 429])
})
