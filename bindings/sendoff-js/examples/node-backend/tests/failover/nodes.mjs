// RedisWindows with a cluster and with sentinels, through both clients, while a replica takes over.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import { createCluster, createSentinel } from 'redis'
import { RedisWindows } from 'sendoff/redis'
import { PASSWORD, cluster, sentinels, until } from '../support/redis-nodes.mjs'

const LIMIT = 60
const POLICY = { limit: LIMIT, windowMs: 86_400_000, midnight: 'carry' }
/**
 * How long after its promotion a replica's callers are served again, at most, if so many calls took this time before. On a busy
 * machine, on which a call takes longer than a millisecond, all of it takes longer.
 */
const backMs = (calls, ms) => 3_000 * Math.max(1, ms / calls)

const ioCluster = async ({ roots }) => {
  const redisOptions = { password: PASSWORD, autoResendUnfulfilledCommands: false, socketTimeout: 1_000 }
  const client = new Cluster(roots, { redisOptions, slotsRefreshTimeout: 500, lazyConnect: true })
  client.on('error', () => {})
  await client.connect()
  return { client, end: () => client.disconnect() }
}

const nodeCluster = async ({ roots }) => {
  const defaults = { password: PASSWORD, disableOfflineQueue: true, socket: { reconnectStrategy: 100 } }
  const rootNodes = roots.map(({ port }) => ({ url: `redis://127.0.0.1:${port}` }))
  const client = createCluster({ rootNodes, defaults, topologyRefreshOnReconnectionAttemptStrategy: 500 })
  client.on('error', () => {})
  await client.connect()
  return { client, end: () => client.destroy() }
}

const ioSentinel = async ({ roots }) => {
  const options = { sentinels: roots, name: 'shop', password: PASSWORD, enableOfflineQueue: false, socketTimeout: 1_000 }
  const client = new Redis({ ...options, autoResendUnfulfilledCommands: false, lazyConnect: true, retryStrategy: () => 100 })
  client.on('error', () => {})
  await client.connect()
  return { client, end: () => client.disconnect() }
}

const nodeSentinel = async ({ roots }) => {
  const options = { name: 'shop', sentinelRootNodes: roots, nodeClientOptions: { password: PASSWORD, disableOfflineQueue: true } }
  const client = createSentinel({ ...options, scanInterval: 500 })
  client.on('error', () => {})
  await client.connect()
  return { client, end: () => client.destroy() }
}

/** Calls of a scope until a call is refused: how many were admitted and not decided, and when the first was decided. */
async function calls(windows, scope) {
  const [began, answers] = [performance.now(), { admitted: 0, undecided: 0, back: Number.POSITIVE_INFINITY }]
  for (;;) {
    const verdict = await windows.admit(scope).catch(() => undefined)
    if (!verdict) {
      answers.undecided += 1
      if (performance.now() - began > 60_000) throw new Error(`expected to be served again, found ${answers.undecided} errors`)
      await sleep(20)
      continue
    }
    answers.back = Math.min(answers.back, performance.now() - began)
    if (!verdict.admitted) return answers
    answers.admitted += 1
  }
}

for (const [name, connect] of Object.entries({ ioredis: ioCluster, 'node-redis': nodeCluster })) {
  test(`${name}: a replica of a cluster admits again what it did not have, and no more`, async (t) => {
    const nodes = await cluster()
    t.after(nodes.end)
    const { client, end } = await connect(nodes)
    t.after(end)
    const windows = new RedisWindows(client, POLICY, { environment: 'production', secret: 'secret' })
    const scopes = Array.from({ length: 12 }, (_, number) => `shop ${number}`)
    const start = performance.now()
    for (const scope of scopes) assert.equal((await windows.admit(scope)).remaining, LIMIT - 1)
    const most = backMs(scopes.length, performance.now() - start)

    // Every master has windows. A master that forgot the script gets it again.
    const counted = await Promise.all([0, 1, 2].map(nodes.counts))
    assert(counted.every((counts) => Object.keys(counts).length > 0), JSON.stringify(counted))
    const key = Object.keys(counted[0])[0]
    await nodes.tell(0, 'script', 'flush')
    const own = []
    for (const scope of scopes) {
      await windows.admit(scope)
      if ((await nodes.counts(0))[key] === 2 && own.length === 0) own.push(scope)
    }
    const [scope] = own

    // Its replica does not have the next seven calls.
    await until(async () => (await nodes.counts(3))[key] === 2)
    await nodes.cut(3)
    for (let call = 0; call < 7; call++) assert.equal((await windows.admit(scope)).admitted, true)
    const others = Promise.all(scopes.filter((other) => other !== scope).map((other) => calls(windows, other)))
    await nodes.takeOver(3)
    // Until it is told, the old master admits calls too, which are lost like the others.
    await until(async () => !await nodes.isMaster(0))
    const { admitted, undecided, back } = await calls(windows, scope)
    assert(back <= most, `back after ${back} ms, of ${most}`)
    assert(admitted <= LIMIT - 2 && admitted + undecided >= LIMIT - 2, `${admitted} and ${undecided}`)
    assert.equal((await nodes.counts(3))[key], LIMIT)
    await others
    for (const counts of await Promise.all([1, 2, 3].map(nodes.counts))) {
      assert(Object.values(counts).every((count) => count === LIMIT), JSON.stringify(counts))
    }
  })
}

for (const [name, connect] of Object.entries({ ioredis: ioSentinel, 'node-redis': nodeSentinel })) {
  test(`${name}: when a master is killed, the one that sentinels name goes on`, async (t) => {
    const nodes = await sentinels()
    t.after(nodes.end)
    const { client, end } = await connect(nodes)
    t.after(end)
    const windows = new RedisWindows(client, POLICY, { environment: 'production', secret: 'secret' })
    const start = performance.now()
    for (let call = 0; call < 10; call++) assert.equal((await windows.admit('shop')).remaining, LIMIT - 1 - call)
    const most = backMs(10, performance.now() - start)
    await until(async () => Object.values(await nodes.counts(1))[0] === 10)
    nodes.kill(0)
    const answers = calls(windows, 'shop')
    const began = performance.now()
    await until(() => nodes.isMaster(1))
    const promoted = performance.now() - began
    const { admitted, undecided, back } = await answers
    assert(back - promoted <= most, `back ${back - promoted} ms after the promotion, of ${most}`)
    assert(admitted <= LIMIT - 10 && admitted + undecided >= LIMIT - 10, `${admitted} and ${undecided}`)
    assert.deepEqual(Object.values(await nodes.counts(1)), [LIMIT])
  })
}
