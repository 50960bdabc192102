// A guard for handlers below a prefix, in each host as its users mount it: what reaches a handler was counted.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import { RateLimiter } from 'sendoff'
import { guardExpress, guardFastify, guardFetch, guardHono } from 'sendoff/http'
import { listening } from '../../../test/help.mjs'

const TRANSFER = '/api/v1/nft/transfer'
const PREFIX = '/wallet/v1'

/** The hosts: a guard, and below the prefix a handler for the transfer and one for all other paths. */
const hosts = {
  express(options, reached) {
    const app = express()
    const router = express.Router().post(TRANSFER, reached('transfer')).use(reached('other'))
    app.use(PREFIX, guardExpress({ scope: ({ headers }) => headers['x-api-key'], ...options }), router)
    return createServer(app)
  },
  hono(options, reached) {
    const app = new Hono()
    app.use(`${PREFIX}/*`, guardHono({ scope: (c) => c.req.header('x-api-key'), ...options }))
    const handler = (what) => (c) => (reached(what)(), c.body(null, 200))
    app.post(PREFIX + TRANSFER, handler('transfer')).all(`${PREFIX}/*`, handler('other'))
    return createServer(getRequestListener(app.fetch))
  },
  async fastify(options, reached) {
    let server
    const serverFactory = (handler) => (server = createServer(handler))
    const app = Fastify({ serverFactory, routerOptions: { caseSensitive: false, ignoreDuplicateSlashes: true } })
    const below = async (scope) => {
      scope.addHook('onRequest', guardFastify({ scope: ({ headers }) => headers['x-api-key'], ...options }))
      scope.post(TRANSFER, async () => reached('transfer')())
      scope.all('/*', async () => reached('other')())
    }
    await app.register(below, { prefix: PREFIX })
    await app.ready()
    return server
  },
  fetch(options, reached) {
    const handle = () => (reached('transfer')(), new Response())
    const others = () => (reached('other')(), new Response())
    const scope = ({ headers }) => headers.get('x-api-key')
    const { others: mode, ...rest } = options
    const guard = guardFetch({ scope, ...rest }, handle, mode && others)
    return createServer(getRequestListener(guard))
  },
}

/** A host, and a function that sends a request line to it: the status, and what was reached. */
async function serve(t, name, options) {
  const calls = []
  const reached = (what) => (_request, response) => {
    calls.push(what)
    response?.end()
    return ''
  }
  const server = await hosts[name](options, reached)
  await listening(t, server)
  return async (line, key = 'shop') => {
    const socket = connect(server.address().port, '127.0.0.1')
    const named = key ? `x-api-key: ${key}\r\n` : ''
    socket.write(`${line} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n${named}\r\n`)
    const answer = await text(socket)
    return [Number(answer.split(' ')[1]), ...calls.splice(0)]
  }
}

const own = () => new RateLimiter({ limit: 2, windowMs: 60_000 })

for (const name of Object.keys(hosts)) {
  for (const others of ['ignore', undefined]) {
    const mode = others ? ', others ignored' : ''

    test(`${name}${mode}: with its base a guard counts, identifies and refuses aliases`, async (t) => {
      const ask = await serve(t, name, { base: PREFIX, limiter: own(), others })
      assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}`, ''), [401])
      assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}?a=b`), [200, 'transfer'])
      for (const alias of [`${TRANSFER}/`, `/${TRANSFER}`, TRANSFER.toUpperCase(), '/api/v1/nft/%74ransfer', `${TRANSFER};a`, `${TRANSFER}/;a`])
        assert.deepEqual(await ask(`POST ${PREFIX}${alias}`), [404], alias)
      assert.deepEqual(await ask(`PUT ${PREFIX}${TRANSFER}`), [405])
      assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}`), [200, 'transfer'])
      assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}`), [429])
      assert.deepEqual(await ask(`GET ${PREFIX}/healthz`), others ? [200, 'other'] : [404])
    })

    test(`${name}${mode}: another spelling of the base is no way past the limit`, async (t) => {
      const ask = await serve(t, name, { base: PREFIX, limiter: own(), others })
      for (const path of ['/WALLET/v1', '//wallet/v1', '/wallet//v1', '/%77allet/v1', '/wallet;a/v1', '/wallet/v1/wallet/v1', '/wallet/v1/x', ''])
        for (const tail of [TRANSFER, `${TRANSFER}/`, `${TRANSFER};a`, '/s2s/api/v2/transfer/tokens/execute/;a', '/s2s/api/v2/transfer/tokens/execute/u1']) {
          const [, ...calls] = await ask(`POST ${path}${tail}`)
          assert.deepEqual(calls, [], path + tail)
        }
    })
  }

  test(`${name}, others ignored: without its base a guard below a prefix reaches no handler`, async (t) => {
    const ask = await serve(t, name, { limiter: own(), others: 'ignore' })
    assert.deepEqual(await ask(`POST ${PREFIX}${TRANSFER}`), [404])
    assert.deepEqual(await ask(`GET ${PREFIX}/healthz`), [200, 'other'])
    const deep = `${'/x;'.repeat(2_000)}${TRANSFER}`
    assert.deepEqual(await ask(`POST ${PREFIX}${deep}`), [404])
  })
}

test('a base that is no path in one spelling is refused at once', () => {
  for (const base of ['wallet', '/', '/wallet/', '//wallet', '/wallet?', '/a#', '/%41', '/..', '/a/./b', '/a;b', 'https://a.example/b', '/ä'])
    assert.throws(() => guardExpress({ scope: () => 'a', base, limiter: 'none' }), TypeError, base)
  for (const base of ['', '/wallet', '/a/b.c/~d_-']) guardExpress({ scope: () => 'a', base, limiter: 'none' })
})
