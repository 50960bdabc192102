// What surrounds a guard, in each host: the headers for pages of other origins, routes of the host's own, and the log's id.

import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { RateLimiter } from 'sendoff'
import { listening } from '../../../test/help.mjs'
import { hosts } from './support/guarded.mjs'

const TRANSFER = '/api/v1/nft/transfer'
const PAGE = 'https://app.example'
const POLICY = { limit: 1, windowMs: 60_000 }

/** A host, and how it is asked. */
async function started(t, name, options, log) {
  const server = await hosts[name]({ limiter: new RateLimiter(POLICY), ...options }, { log })
  const url = await listening(t, server)
  return (method, path, headers = {}) => fetch(url + path, { method, headers })
}

for (const name of ['express', 'hono', 'fastify']) {
  test(`${name}: a page of another origin can ask, and read why it is refused`, async (t) => {
    const ask = await started(t, name, { cors: { origins: [PAGE] } })
    const asks = { origin: PAGE, 'access-control-request-method': 'POST' }
    for (const [method, headers, status] of [
      // As a browser asks: without credentials.
      ['OPTIONS', asks, 204],
      ['OPTIONS', { origin: PAGE }, 405],
      ['POST', { origin: PAGE, 'x-api-key': 'shop' }, 200],
      ['POST', { origin: PAGE, 'x-api-key': 'shop' }, 429],
      ['POST', { origin: PAGE }, 401],
    ]) {
      const reply = await ask(method, TRANSFER, headers)
      assert.deepEqual([reply.status, reply.headers.get('access-control-allow-origin')], [status, PAGE])
      assert.match(reply.headers.get('vary'), /\borigin\b/i)
    }
  })

  test(`${name}: routes of the host's own pass, other spellings of an operation do not`, async (t) => {
    const ask = await started(t, name)
    const health = await ask('GET', '/healthz')
    assert.deepEqual([health.status, await health.text()], [200, 'healthy'])
    assert(health.headers.get('x-request-id'))
    assert.equal((await ask('POST', `${TRANSFER}/`, { 'x-api-key': 'shop' })).status, 404)
    // A handler of operations gets whatever no route took.
    const nothing = await ask('GET', '/nothing')
    assert.deepEqual([nothing.status, (await nothing.json()).error.message], [404, 'expected the path of an operation, found an unknown path'])
  })
}

for (const name of ['express', 'fastify']) {
  test(`${name}: the log has the id of the envelope`, async (t) => {
    const lines = []
    const log = new Writable({ write: (chunk, _coding, done) => done(void lines.push(JSON.parse(chunk))) })
    const ask = await started(t, name, {}, log)
    for (const headers of [{}, { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` }]) {
      const { error } = await (await ask('POST', TRANSFER, headers)).json()
      const ids = lines.splice(0).map(({ reqId, req }) => reqId ?? req.id)
      assert(ids.length > 0 && ids.every((id) => id === error.trace_id), `${ids} ${error.trace_id}`)
    }
  })
}
