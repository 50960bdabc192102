// RedisWindows with Redis, through both clients.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
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

each('a call is admitted after retryAfter seconds, and not a second earlier', async (client) => {
  const windows = new RedisWindows(client, { limit: 1, windowMs: 2_000 }, PATIENT)
  assert.equal((await windows.admit('shop')).admitted, true)
  const { retryAfter } = await windows.admit('shop')
  assert.equal(retryAfter, 2)
  await sleep(1_000)
  const { retryAfter: rest } = await windows.admit('shop')
  assert(rest <= 2, String(rest))
  await sleep((retryAfter - 1) * 1_000)
  const verdict = await windows.admit('shop')
  assert.deepEqual([verdict.admitted, verdict.phase], [true, 'rolled'])
})

each('a full window is refused without a round trip until its last millisecond', async (client) => {
  const windows = new RedisWindows(client, { limit: 1, windowMs: 2_000 }, PATIENT)
  await windows.admit('shop')
  await windows.admit('shop')
  const before = await runs()
  const deadlines = []
  for (let call = 0; call < 500; call++) {
    const { admitted, retryAfter } = await windows.admit('shop')
    assert.equal(admitted, false)
    deadlines.push(performance.now() + retryAfter * 1_000)
    assert.equal((await windows.peek('shop')).admitted, false)
  }
  assert.equal(await runs(), before)
  // The core decides on a batch, so it is sent to the store.
  await assert.rejects(windows.admit('shop', 2), { name: 'SendoffError' })
  const fresh = new RedisWindows(client, { limit: 1, windowMs: 2_000 }, PATIENT)
  await sleep(Math.ceil(Math.min(...deadlines) - performance.now()))
  assert.equal((await fresh.peek('shop')).admitted, true)
  assert.equal((await windows.admit('shop')).admitted, true)
})

each('a refused batch does not use up the calls left', async (client) => {
  const windows = new RedisWindows(client, { limit: 2, windowMs: 60_000 }, PATIENT)
  await windows.admit('shop')
  assert.equal((await windows.admit('shop', 2)).admitted, false)
  assert.deepEqual(await windows.admit('shop').then(({ admitted, remaining }) => [admitted, remaining]), [true, 0])
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

each('a request that does not count starts the day, and later ones need no round trip', async (client) => {
  const windows = new RedisWindows(client, { limit: 2, windowMs: 60_000 }, PATIENT)
  const [seconds, micros] = await store.time()
  await windows.touch('shop')
  const [[key, value]] = Object.entries(await content())
  assert.match(key, /^sendoff:rw:v1:\{production\.60000\+0t\.[0-9a-f]{32}\}$/)
  const [start, count] = value.split(' ').map(Number)
  const now = seconds * 1_000 + Math.floor(micros / 1_000)
  assert(start >= now && start < now + 1_000 && count === 0, value)
  const before = await runs()
  for (let call = 0; call < 100; call++) await windows.touch('shop')
  assert.equal(await runs(), before)
  await windows.touch('other')
  assert.equal(await runs(), before + 1)
  assert.equal((await windows.admit('shop')).remaining, 1)
  assert.deepEqual(await content().then((kept) => kept[key]), `${start} 1`)
})

each('a refusal and a peek write nothing', async (client) => {
  const windows = new RedisWindows(client, { limit: 2, windowMs: 60_000 }, PATIENT)
  assert.equal((await windows.peek('shop')).remaining, 1)
  assert.deepEqual(await content(), {})
  await windows.touch('shop')
  assert.equal(Object.keys(await content()).length, 1)
  await windows.admit('shop', 2)
  const before = await content()
  assert.equal((await windows.admit('shop')).admitted, false)
  assert.equal((await new RedisWindows(client, { limit: 2, windowMs: 60_000 }, PATIENT).admit('shop', 2)).admitted, false)
  assert.deepEqual(await content(), before)
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
  const windows = new RedisWindows(client, { limit: 9, windowMs: 60_000 }, { ...PRODUCTION, timeoutMs: 100 })
  await windows.admit('shop')
  await store.call('CLIENT', 'PAUSE', '1000', 'WRITE')
  const start = performance.now()
  await assert.rejects(windows.admit('shop'), /expected the store to answer within 100 ms/)
  assert(performance.now() - start < 900)
  await store.call('CLIENT', 'UNPAUSE')
  assert.equal((await windows.peek('shop')).admitted, true)
})

each('a store that hung does not count the calls that waited in it', async (client) => {
  for (const knowsTheClock of [true, false]) {
    await store.flushall()
    const windows = new RedisWindows(client, { limit: 9, windowMs: 60_000 }, { ...PRODUCTION, timeoutMs: 100 })
    if (knowsTheClock) await windows.admit('shop')
    server.freeze()
    try {
      for (let call = 0; call < 5; call++) await assert.rejects(windows.admit('shop'), /within 100 ms/)
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
