// The three servers, each in its own process, and stores that they lose. That processes share one limit: windows.mjs.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { estimate } from 'sendoff'
import { host } from './support/host.mjs'
import { redisServer, relay } from './support/redis-server.mjs'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const facts = read('../facts.json').demo
const request = read('../../../../../tests/demo/request.json')
const CLIENT = { authorization: 'Bearer demo-token' }
const TRANSFER = '/api/v1/nft/transfer'
const JSON_BODY = { 'content-type': 'application/json' }

/** Calls until a call is admitted: on a busy machine the store may take longer than a server waits. */
async function admitted(server) {
  let status
  for (const end = performance.now() + 10_000; status !== 501 && performance.now() < end; await sleep(50))
    ({ status } = await server.fetch('POST', TRANSFER, CLIENT))
  assert.equal(status, 501, 'expected the store to be found')
}

for (const name of ['express', 'hono', 'fastify']) {
  test(`${name}: an estimate equals the core's`, async (t) => {
    const { fetch } = await host(t, name)
    const answer = await fetch('POST', '/api/oc/v1/estimate', { ...CLIENT, ...JSON_BODY, body: JSON.stringify(request) })
    assert.deepEqual([answer.status, answer.body], [200, estimate(request, facts)])
  })
}

// What a guard does with a store is the same in each framework, and a silent or lost connection is each client's own.
for (const [name, REDIS_CLIENT] of [['express', 'ioredis'], ['hono', 'redis']]) {
  /** The server. The timeout is long, because the machine may be busy. */
  const counting = (t, env) => host(t, name, { REDIS_CLIENT, REDIS_TIMEOUT_MS: '10000', QUIET: 'yes', ...env })

  test(`${name}, ${REDIS_CLIENT}: without its store ON_STORE_LOSS decides, and then the store limits again`, async (t) => {
    const own = await redisServer()
    const env = { REDIS_URL: own.url, LIMIT: '1' }
    const servers = await Promise.all(['refuse', 'admit', 'local'].map((loss) => counting(t, { ...env, ON_STORE_LOSS: loss })))
    const statuses = () => Promise.all(servers.map(async (server) => (await server.fetch('POST', TRANSFER, CLIENT)).status))
    const [refusing] = servers
    await refusing.fetch('GET', '/api/v1/orders', CLIENT)
    await own.end()
    assert.deepEqual(await statuses(), [503, 501, 501])
    assert.deepEqual(await statuses(), [503, 501, 429])
    // Requests that do not count are not refused, whether their day is known to have begun or not.
    for (const authorization of [CLIENT.authorization, 'Bearer other-token'])
      assert.equal((await refusing.fetch('GET', '/api/v1/orders', { authorization })).status, 501)

    const again = await redisServer(own.port)
    t.after(() => again.end())
    let found
    for (let tries = 0; tries < 100 && String(found) !== '429,429,429'; tries++) {
      await sleep(100)
      found = await statuses()
    }
    assert.deepEqual(found, [429, 429, 429])
  })

  test(`${name}, ${REDIS_CLIENT}: a silent connection is replaced`, async (t) => {
    const stores = [await redisServer(), await redisServer()]
    const address = await relay(t, stores[0])
    t.after(() => Promise.all(stores.map((each) => each.end())))
    const server = await counting(t, { REDIS_URL: address.url, REDIS_TIMEOUT_MS: '250', LIMIT: '9' })
    await admitted(server)
    address.moveTo(stores[1])
    assert.equal((await server.fetch('POST', TRANSFER, CLIENT)).status, 503)
    await admitted(server)
  })
}
