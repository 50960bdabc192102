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

/** The clients of a cluster, and of sentinels. */
const CLUSTER = {
  ioredis({ roots }) {
    const redisOptions = { password: PASSWORD, autoResendUnfulfilledCommands: false, socketTimeout: 1_000 }
    return new Cluster(roots, { redisOptions, slotsRefreshTimeout: 500, lazyConnect: true })
  },
  'node-redis'({ roots }) {
    const defaults = { password: PASSWORD, disableOfflineQueue: true, socket: { reconnectStrategy: 100 } }
    const rootNodes = roots.map(({ port }) => ({ url: `redis://127.0.0.1:${port}` }))
    return createCluster({ rootNodes, defaults, topologyRefreshOnReconnectionAttemptStrategy: 500 })
  },
}
const SENTINELS = {
  ioredis({ roots }) {
    const options = { sentinels: roots, name: 'shop', password: PASSWORD, enableOfflineQueue: false, socketTimeout: 1_000 }
    return new Redis({ ...options, autoResendUnfulfilledCommands: false, lazyConnect: true, retryStrategy: () => 100 })
  },
  'node-redis'({ roots }) {
    const options = { name: 'shop', sentinelRootNodes: roots, nodeClientOptions: { password: PASSWORD, disableOfflineQueue: true } }
    return createSentinel({ ...options, scanInterval: 500 })
  },
}

/** Windows of a client, which is connected until the end of the test. */
async function connected(t, client) {
  client.on('error', () => {})
  await client.connect()
  t.after(() => (client.destroy ? client.destroy() : client.disconnect()))
  return new RedisWindows(client, POLICY, { environment: 'production', secret: 'secret' })
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

for (const [name, clientOf] of Object.entries(CLUSTER)) {
  test(`${name}: a replica of a cluster admits again what it did not have, and no more`, async (t) => {
    const nodes = await cluster()
    t.after(nodes.end)
    const windows = await connected(t, clientOf(nodes))
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

for (const [name, clientOf] of Object.entries(SENTINELS)) {
  test(`${name}: when a master is killed, the one that sentinels name goes on`, async (t) => {
    const nodes = await sentinels()
    t.after(nodes.end)
    const windows = await connected(t, clientOf(nodes))
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
