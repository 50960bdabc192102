// What surrounds a guard, in each host: pages of other origins, routes of the host's own, observers, and the log's id.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { RateLimiter } from 'sendoff'
import { RedisWindows } from 'sendoff/redis'
import { hosts } from './support/guarded.mjs'
import { redisServer } from './support/redis-server.mjs'

const TRANSFER = '/api/v1/nft/transfer'
const PAGE = 'https://app.example'
const EXPOSED = 'retry-after, x-request-id, ratelimit, ratelimit-policy'

/** A host, and how it is asked. */
async function started(t, name, options, log) {
  const server = await hosts[name](options, log)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address()
  return (method, path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
}

const limited = (limit) => ({ limiter: new RateLimiter({ limit, windowMs: 60_000 }), advertise: { limit, windowMs: 60_000 } })

for (const name of Object.keys(hosts)) {
  test(`${name}: a page of another origin can ask, and read why it is refused`, async (t) => {
    const ask = await started(t, name, { ...limited(1), cors: { origins: [PAGE], maxAge: 60 } })
    const origin = { origin: PAGE }
    const wants = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key,content-type' }
    // As a browser asks: without credentials, and of any path.
    for (let preflight = 0; preflight < 3; preflight += 1) {
      const { status, headers } = await ask('OPTIONS', TRANSFER, { ...origin, ...wants })
      assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, PAGE])
      assert.equal(headers.get('access-control-allow-methods'), 'GET, POST')
      assert.equal(headers.get('access-control-allow-headers'), 'x-api-key,content-type')
      assert.equal(headers.get('access-control-max-age'), '60')
    }
    const replies = []
    for (const key of [{ 'x-api-key': 'shop' }, { 'x-api-key': 'shop' }, {}]) replies.push(await ask('POST', TRANSFER, { ...origin, ...key }))
    assert.deepEqual(replies.map(({ status }) => status), [200, 429, 401])
    for (const { headers } of replies) {
      assert.equal(headers.get('access-control-allow-origin'), PAGE)
      assert.equal(headers.get('access-control-expose-headers'), EXPOSED)
      assert.match(headers.get('vary'), /\borigin\b/i)
      assert(headers.get('x-request-id'))
    }
    assert.match(replies[1].headers.get('retry-after'), /^\d+$/)

    const foreign = await ask('OPTIONS', TRANSFER, { ...wants, origin: 'https://other.example' })
    assert.equal(foreign.headers.get('access-control-allow-origin'), null)
    // Without these headers it is no preflight, and no operation has this method.
    assert.equal((await ask('OPTIONS', TRANSFER, origin)).status, 405)
  })

  test(`${name}: routes of the host's own pass, other spellings of an operation do not`, async (t) => {
    const ask = await started(t, name, { limiter: 'none' })
    const health = await ask('GET', '/healthz')
    assert.deepEqual([health.status, await health.text()], [200, 'healthy'])
    assert(health.headers.get('x-request-id'))
    assert.equal((await ask('POST', `${TRANSFER}/`, { 'x-api-key': 'shop' })).status, 404)
    // A handler of operations gets whatever no route took.
    const nothing = await ask('GET', '/nothing')
    assert.deepEqual([nothing.status, (await nothing.json()).error.message], [404, 'expected the path of an operation, found an unknown path'])
  })

  test(`${name}: each verdict is told, with who called and the id of the envelope`, async (t) => {
    const told = []
    let now = Date.UTC(2026, 10, 21, 12)
    const ask = await started(t, name, { ...limited(1), now: () => now, onVerdict: (each) => told.push(each) })
    const key = { 'x-api-key': 'shop' }
    await ask('POST', TRANSFER, key)
    const refused = await ask('POST', TRANSFER, key)
    now -= 120_000
    await ask('POST', TRANSFER, key)
    // These do not count, so there is no verdict.
    await ask('GET', '/api/v1/orders', key)
    await ask('POST', TRANSFER)
    await ask('GET', '/healthz')
    assert.deepEqual(told.map(({ outcome, operation, scope }) => [outcome, operation, scope]), [
      ['admitted', 'transferNft', 'shop'],
      ['refused', 'transferNft', 'shop'],
      ['stepped-back', 'transferNft', 'shop'],
    ])
    assert.equal(told[1].traceId, (await refused.json()).error.trace_id)
    assert.equal(String(told[1].verdict.retryAfter), refused.headers.get('retry-after'))
  })

  test(`${name}: a store that is lost is told, and what is decided then`, async (t) => {
    const store = await redisServer()
    const client = new Redis(store.url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false }).on('error', () => {})
    t.after(() => client.disconnect())
    await once(client, 'ready')
    const policy = { limit: 9, windowMs: 60_000 }
    const windows = new RedisWindows(client, policy, { environment: 'production', secret: name, timeoutMs: 10_000 })
    const told = []
    const onVerdict = ({ outcome, error }) => told.push([outcome, error instanceof Error])
    const refusing = await started(t, name, { store: windows, onStoreLoss: 'refuse', onVerdict })
    const counting = await started(t, name, { store: windows, onStoreLoss: 'local', limiter: new RateLimiter(policy), onVerdict })
    const key = { 'x-api-key': 'shop' }
    assert.equal((await refusing('POST', TRANSFER, key)).status, 200)
    await store.end()
    const refused = await refusing('POST', TRANSFER, key)
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
    assert.equal((await counting('POST', TRANSFER, key)).status, 200)
    assert.deepEqual(told, [['admitted', false], ['store-lost', true], ['store-lost', true], ['admitted', false]])
  })
}

for (const name of ['express', 'fastify']) {
  test(`${name}: the log has the id of the envelope`, async (t) => {
    const lines = []
    const log = new Writable({ write: (chunk, _coding, done) => done(void lines.push(JSON.parse(chunk))) })
    const ask = await started(t, name, limited(1), log)
    for (const headers of [{}, { traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01` }]) {
      const { error } = await (await ask('POST', TRANSFER, headers)).json()
      const ids = lines.splice(0).map(({ reqId, req }) => reqId ?? req.id)
      assert(ids.length > 0 && ids.every((id) => id === error.trace_id), `${ids} ${error.trace_id}`)
    }
  })
}
