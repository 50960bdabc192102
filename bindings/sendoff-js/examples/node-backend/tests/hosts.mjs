// The three servers, each in its own processes, with a shared store.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { estimate } from 'sendoff'
import { host } from './support/host.mjs'
import { redisServer, relay } from './support/redis-server.mjs'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const facts = read('../facts.json').demo
const request = read('../../../../../tests/demo/request.json')
const CLIENT = { authorization: 'Bearer demo-token' }
const SERVER = { 'x-api-key': 'demo-key' }
const TRANSFER = '/api/v1/nft/transfer'
const JSON_BODY = { 'content-type': 'application/json' }

let store
before(async () => { store = await redisServer() })
after(async () => { await store.end() })

/** The number of calls with each status. */
async function statuses(calls) {
  const counts = {}
  for (const { status } of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Calls until a call is admitted: on a busy machine the store may take longer than a server waits. */
async function admitted(server) {
  let status
  for (const end = performance.now() + 10_000; status !== 501 && performance.now() < end; await sleep(50))
    ({ status } = await server.fetch('POST', TRANSFER, CLIENT))
  assert.equal(status, 501, 'expected the store to be found')
}

for (const [name, REDIS_CLIENT] of [['express', 'ioredis'], ['hono', 'redis'], ['fastify', 'ioredis']]) {
  /** The server, with its own windows in the store, because another secret results in other keys. */
  const shared = (t, env) => {
    const SECRET = `${name} ${REDIS_CLIENT} ${t.name}`
    // A long timeout, because the machine may be busy.
    const REDIS_TIMEOUT_MS = '10000'
    return host(t, name, { REDIS_URL: store.url, REDIS_CLIENT, REDIS_TIMEOUT_MS, SECRET, ...env })
  }

  /** The server of the tests that need no store. */
  const alone = await host({ after }, name)

  test(`${name}, ${REDIS_CLIENT}: an estimate equals the core's`, async () => {
    const answer = await alone.fetch('POST', '/api/oc/v1/estimate', {
      ...CLIENT, ...JSON_BODY, body: JSON.stringify(request),
    })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, estimate(request, facts))
  })

  test(`${name}, ${REDIS_CLIENT}: all credentials of an application share one count, and refusals do not count`, async (t) => {
    const server = await shared(t, { LIMIT: '2' })
    for (const [method, target, credentials, status] of [
      ['POST', TRANSFER, { authorization: 'Bearer nobody' }, 401],
      ['POST', '/api/v1/%2e/nft/transfer', CLIENT, 400],
      ['POST', `${TRANSFER}/`, CLIENT, 404],
      ['POST', `${TRANSFER}?a=/../b`, CLIENT, 501],
      ['POST', '/s2s/api/v1/wallet', SERVER, 501],
      ['POST', TRANSFER, CLIENT, 429],
      ['GET', '/api/v1/orders', CLIENT, 501],
      ['POST', TRANSFER, { authorization: 'Bearer other-token' }, 501],
    ]) assert.equal((await server.raw(`${method} ${target}`, credentials)).status, status, target)
  })

  /** Two processes that share the windows of a policy. */
  const two = (t, env) => Promise.all([shared(t, env), shared(t, env)])

  test(`${name}, ${REDIS_CLIENT}: two processes share one limit`, async (t) => {
    const [a, b] = await two(t, { LIMIT: '50', WINDOW_MS: '600000' })
    // The day's first request starts the window for all following calls.
    await a.fetch('GET', '/api/v1/orders', CLIENT)
    const calls = Array.from({ length: 120 }, (_, call) => (call % 2 ? a : b).fetch('POST', TRANSFER, CLIENT))
    assert.deepEqual(await statuses(calls), { 429: 70, 501: 50 })
    const { headers, body } = (await Promise.all(calls)).find(({ status }) => status === 429)
    const { trace_id, ...error } = body.error
    assert.deepEqual(error, { code: 429, errorCode: 'ER-TECH-0100', message: 'Rate Limit Exceeded' })
    assert.match(trace_id, /./)
    assert.equal(headers.get('ratelimit-policy'), '"sendoff";q=50;w=600')
    assert.equal(headers.get('ratelimit'), `"sendoff";r=0;t=${headers.get('retry-after')}`)
  })

  test(`${name}, ${REDIS_CLIENT}: what one process refuses, the other admits after retry-after`, async (t) => {
    const [a, b] = await two(t, { LIMIT: '1', WINDOW_MS: '1000' })
    // On a busy machine a window can end between two calls.
    let refused
    do refused = await a.fetch('POST', TRANSFER, CLIENT)
    while (refused.status === 501)
    assert.equal(refused.status, 429)
    await sleep(Number(refused.headers.get('retry-after')) * 1_000)
    const { status, headers } = await b.fetch('POST', TRANSFER, CLIENT)
    assert.deepEqual([status, headers.get('ratelimit')], [501, '"sendoff";r=0;t=1'])
  })

  test(`${name}, ${REDIS_CLIENT}: without its store ON_STORE_LOSS decides, and then the store limits again`, async (t) => {
    const own = await redisServer()
    const env = { REDIS_URL: own.url, LIMIT: '1', QUIET: 'yes' }
    const [refusing, admitting] = await Promise.all([shared(t, env), shared(t, { ...env, ON_STORE_LOSS: 'admit' })])
    const both = (path = TRANSFER, method = 'POST') =>
      Promise.all([refusing, admitting].map(async (server) => (await server.fetch(method, path, CLIENT)).status))
    await refusing.fetch('GET', '/api/v1/orders', CLIENT)
    await own.end()
    assert.deepEqual(await both(), [503, 501])
    assert.deepEqual(await both(), [503, 501])
    // The store is not asked, because the day is known to have begun.
    assert.equal((await refusing.fetch('GET', '/api/v1/orders', CLIENT)).status, 501)
    const { headers, body } = await refusing.fetch('POST', TRANSFER, CLIENT)
    assert.deepEqual(Object.keys(body.error), ['code', 'message', 'trace_id'])
    assert.equal(headers.get('retry-after'), '1')
    // Requests that do not count are not refused.
    assert.equal((await refusing.fetch('GET', '/api/v1/orders', { authorization: 'Bearer other-token' })).status, 501)

    const again = await redisServer(own.port)
    t.after(() => again.end())
    let found
    for (let tries = 0; tries < 100 && String(found) !== '429,429'; tries++) {
      await sleep(100)
      found = await both()
    }
    assert.deepEqual(found, [429, 429])
  })

  test(`${name}, ${REDIS_CLIENT}: without its store it can count for itself`, async (t) => {
    const own = await redisServer()
    const server = await shared(t, { REDIS_URL: own.url, LIMIT: '2', ON_STORE_LOSS: 'local', QUIET: 'yes' })
    await own.end()
    const calls = Array.from({ length: 5 }, () => server.fetch('POST', TRANSFER, CLIENT))
    assert.deepEqual(await statuses(calls), { 429: 3, 501: 2 })
  })

  test(`${name}, ${REDIS_CLIENT}: while its store hangs, one request per second waits for it`, async (t) => {
    const own = await redisServer()
    t.after(() => own.end())
    const server = await shared(t, { REDIS_URL: own.url, REDIS_TIMEOUT_MS: '1000', QUIET: 'yes' })
    await admitted(server)
    own.freeze()
    // A call that waits takes the time limit, and all others much less on a busy machine too.
    let [calls, slow] = [0, 0]
    for (const end = performance.now() + 4_000; performance.now() < end; calls++) {
      const sent = performance.now()
      assert.equal((await server.fetch('POST', TRANSFER, CLIENT)).status, 503)
      if (performance.now() - sent >= 990) slow++
      await sleep(10)
    }
    assert(calls > 4 * slow && slow <= 3, `${slow} of ${calls} calls waited`)
  })

  test(`${name}, ${REDIS_CLIENT}: a silent connection is replaced`, async (t) => {
    const stores = [await redisServer(), await redisServer()]
    const address = await relay(t, stores[0])
    t.after(() => Promise.all(stores.map((each) => each.end())))
    const server = await shared(t, { REDIS_URL: address.url, REDIS_TIMEOUT_MS: '250', LIMIT: '9', QUIET: 'yes' })
    await admitted(server)
    address.moveTo(stores[1])
    assert.equal((await server.fetch('POST', TRANSFER, CLIENT)).status, 503)
    await admitted(server)
  })
}

for (const name of ['express', 'hono', 'fastify']) {
  test(`${name}: without a store it keeps the limit in memory`, async (t) => {
    const server = await host(t, name, { LIMIT: '5' })
    const calls = Array.from({ length: 20 }, () => server.fetch('POST', TRANSFER, CLIENT))
    assert.deepEqual(await statuses(calls), { 429: 15, 501: 5 })
  })
}
