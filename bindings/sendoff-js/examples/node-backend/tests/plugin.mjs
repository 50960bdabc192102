// The plugin for Fastify in an application with other routes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { RateLimiter } from 'sendoff'
import { errorsFastify, fastifySendoff } from 'sendoff/http'
import { scope, service } from '../backend.mjs'

const TRANSFER = '/api/v1/nft/transfer'
const CLIENT = { authorization: 'Bearer demo-token' }

/** An application with a route, a parser and an error handler of its own beside the plugin. */
async function application(options = {}) {
  const app = Fastify({ frameworkErrors: errorsFastify(), routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } })
  const { prefix, ...rest } = options
  const limiter = new RateLimiter({ limit: 2, windowMs: 60_000 })
  await app.register(fastifySendoff, { prefix, scope, limiter, ...service, backend: undefined, ...rest })
  app.post('/own', async (request) => ({ own: request.body }))
  app.get('/broken', async () => { throw Object.assign(new Error('its own'), { statusCode: 418 }) })
  app.setErrorHandler((error, _request, reply) => reply.code(error.statusCode ?? 500).send({ mine: error.message }))
  await app.ready()
  return app
}

for (const prefix of [undefined, '/wallet/v1']) {
  const at = prefix ?? ''

  test(`fastify plugin${at}: the application keeps its parsers, its errors and its routes`, async () => {
    const app = await application({ prefix })
    const own = await app.inject({ method: 'POST', url: '/own', payload: { a: 1 } })
    assert.deepEqual([own.statusCode, own.json()], [200, { own: { a: 1 } }])
    const broken = await app.inject('/broken')
    assert.deepEqual([broken.statusCode, broken.json()], [418, { mine: 'its own' }])
    assert.equal(own.headers['x-request-id'], undefined)
  })

  test(`fastify plugin${at}: every spelling that reaches an operation is counted`, async () => {
    const app = await application({ prefix })
    const status = async (url, headers = CLIENT, method = 'POST') => (await app.inject({ method, url: at + url, headers })).statusCode
    assert.deepEqual([await status(TRANSFER), await status(TRANSFER, {})], [501, 401])
    for (const alias of [`${TRANSFER}/`, TRANSFER.toUpperCase(), `/${TRANSFER}`, '/api/v1/nft/%74ransfer', `${TRANSFER};a`]) assert.equal(await status(alias), 404, alias)
    assert.deepEqual([await status(TRANSFER), await status(TRANSFER), await status('/api/v1/orders', CLIENT, 'GET')], [501, 429, 501])
    assert.equal(await status('/nothing', CLIENT, 'GET'), 404)
  })

  test(`fastify plugin${at}: the core answers the lists`, async () => {
    const app = await application({ prefix })
    const reply = await app.inject({ url: `${at}/api/v1/supported/networks`, headers: CLIENT })
    assert.deepEqual([reply.statusCode, reply.headers['content-type'], reply.json().data.network[0].chain_id], [200, 'application/json', '80002'])
  })
}

test('fastify plugin: two of them, each with its own limit', async () => {
  const app = Fastify()
  for (const prefix of ['/one', '/two']) app.register(fastifySendoff, { prefix, scope, limiter: new RateLimiter({ limit: 1, windowMs: 60_000 }), ...service })
  const statuses = []
  for (const url of ['/one', '/one', '/two', '/two']) statuses.push((await app.inject({ method: 'POST', url: url + TRANSFER, headers: CLIENT })).statusCode)
  assert.deepEqual(statuses, [501, 429, 501, 429])
})
