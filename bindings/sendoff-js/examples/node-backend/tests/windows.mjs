// RedisWindows with Redis, through both clients.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { RedisWindows } from 'sendoff/redis'
import { redisServer } from './support/redis-server.mjs'

const PRODUCTION = { environment: 'production', secret: 'secret' }
/** Long enough for a busy machine. */
const PATIENT = { ...PRODUCTION, timeoutMs: 10_000 }

let server
/** Both clients, and one to inspect the store. */
let clients
let store

before(async () => {
  server = await redisServer()
  const io = new Redis(server.url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false })
  await once(io, 'ready')
  const node = await createClient({ url: server.url, disableOfflineQueue: true }).connect()
  clients = { ioredis: io, 'node-redis': node }
  store = new Redis(server.url)
})

after(async () => {
  clients.ioredis.disconnect()
  clients['node-redis'].destroy()
  store.disconnect()
  await server.end()
})

/** The number of runs of the script so far. */
async function runs() {
  const stats = await store.info('commandstats')
  const calls = [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)]
  return calls.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Every key with its value. */
async function content() {
  const keys = await store.keys('*')
  return Object.fromEntries(await Promise.all(keys.sort().map(async (key) => [key, await store.get(key)])))
}

/** A test for each client, in an empty store that does not know the script. */
function each(name, run) {
  for (const client of ['ioredis', 'node-redis']) {
    test(`${client}: ${name}`, async (t) => {
      await store.flushall()
      await store.script('FLUSH')
      await run(clients[client], t)
    })
  }
}

each('simultaneous calls are admitted exactly up to the limit', async (client) => {
  const policy = { limit: 100, windowMs: 60_000 }
  const sides = [client, ...Object.values(clients)].map((each) => new RedisWindows(each, policy, PATIENT))
  const calls = Array.from({ length: 300 }, (_, call) => sides[call % 3].admit('shop'))
  const verdicts = await Promise.all(calls)
  const admitted = verdicts.filter((verdict) => verdict.admitted)
  assert.equal(admitted.length, 100)
  const left = admitted.map(({ remaining }) => remaining).sort((a, b) => a - b)
  assert.deepEqual(left, Array.from({ length: 100 }, (_, index) => index))
  const batch = new RedisWindows(client, policy, PATIENT)
  assert.equal((await batch.admit('other', 100)).remaining, 0)
  assert.equal((await batch.admit('other')).admitted, false)
})

each('a store that lost the script gets it again', async (client) => {
  const windows = new RedisWindows(client, { limit: 9, windowMs: 60_000 }, PATIENT)
  for (let left = 8; left > 4; left--) {
    assert.equal((await windows.admit('shop')).remaining, left)
    await store.script('FLUSH')
  }
  const before = await runs()
  await windows.admit('shop')
  assert.equal(await runs(), before + 2)
  await windows.admit('shop')
  assert.equal(await runs(), before + 3)
})

each('scopes, environments and secrets have their own windows, and keys do not reveal them', async (client) => {
  const policy = { limit: 1, windowMs: 60_000 }
  for (const options of [PATIENT, { ...PATIENT, environment: 'sandbox' }, { ...PATIENT, secret: 'another' }]) {
    const windows = new RedisWindows(client, policy, options)
    for (const scope of ['shop', 'ä {b} %', '__proto__']) assert.equal((await windows.admit(scope)).admitted, true)
  }
  const keys = Object.keys(await content())
  assert.equal(keys.length, 9)
  assert(!keys.some((key) => /shop|proto|secret|another/.test(key)), keys.join())
})

each('calls do not wait for a store that hangs, and succeed after it', async (client) => {
  const windows = new RedisWindows(client, { limit: 9, windowMs: 60_000 }, { ...PRODUCTION, timeoutMs: 1_000 })
  await windows.admit('shop')
  await store.call('CLIENT', 'PAUSE', '10000', 'WRITE')
  const start = performance.now()
  await assert.rejects(windows.admit('shop'), /expected the store to answer within 1000 ms/)
  assert(performance.now() - start < 9_000)
  await store.call('CLIENT', 'UNPAUSE')
  assert.equal((await windows.peek('shop')).admitted, true)
})

each('a store that hung does not count the calls that waited in it', async (client) => {
  for (const knowsTheClock of [true, false]) {
    await store.flushall()
    const windows = new RedisWindows(client, { limit: 9, windowMs: 60_000 }, { ...PRODUCTION, timeoutMs: 1_000 })
    if (knowsTheClock) await windows.admit('shop')
    server.freeze()
    try {
      const calls = Array.from({ length: 5 }, () => windows.admit('shop'))
      await Promise.all(calls.map((call) => assert.rejects(call, /within 1000 ms/)))
    } finally {
      server.thaw()
    }
    // The store ran all waiting calls before this.
    const patient = new RedisWindows(client, { limit: 9, windowMs: 60_000 }, PATIENT)
    assert.equal((await patient.admit('shop')).remaining, knowsTheClock ? 7 : 8)
  }
})

each('a key with another value is an error of that window only', async (client) => {
  const windows = new RedisWindows(client, { limit: 9, windowMs: 60_000 }, PATIENT)
  await windows.admit('shop')
  const [key] = await store.keys('*')
  const spoil = [() => store.set(key, 'x'), () => store.del(key).then(() => store.rpush(key, 'x'))]
  for (const spoiled of spoil) {
    await spoiled()
    await assert.rejects(windows.admit('shop'), { name: 'WindowError', message: /SENDOFF expected `start count`/ })
    assert.equal((await windows.admit('other')).admitted, true)
  }
})

test('at most 65,536 scopes are remembered, and the oldest is forgotten first', async () => {
  await store.flushall()
  const windows = new RedisWindows(clients.ioredis, { limit: 9, windowMs: 60_000 }, PATIENT)
  const scopes = Array.from({ length: 2 ** 16 + 1 }, (_, index) => `shop ${index}`)
  for (let at = 0; at < scopes.length; at += 1_024)
    await Promise.all(scopes.slice(at, at + 1_024).map((scope) => windows.touch(scope)))
  const before = await runs()
  await windows.touch(scopes.at(-1))
  await windows.touch(scopes[1])
  assert.equal(await runs(), before)
  await windows.touch(scopes[0])
  assert.equal(await runs(), before + 1)
})
