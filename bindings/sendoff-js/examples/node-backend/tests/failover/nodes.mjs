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

/** The servers and the client of each test. */
const STORES = {
  'a cluster, ioredis': [cluster, (roots) => {
    const redisOptions = { password: PASSWORD, autoResendUnfulfilledCommands: false, socketTimeout: 1_000 }
    return new Cluster(roots, { redisOptions, slotsRefreshTimeout: 500, lazyConnect: true })
  }],
  'a cluster, node-redis': [cluster, (roots) => {
    const defaults = { password: PASSWORD, disableOfflineQueue: true, socket: { reconnectStrategy: 100 } }
    const rootNodes = roots.map(({ port }) => ({ url: `redis://127.0.0.1:${port}` }))
    return createCluster({ rootNodes, defaults, topologyRefreshOnReconnectionAttemptStrategy: 500 })
  }],
  'sentinels, ioredis': [sentinels, (roots) => {
    const options = { sentinels: roots, name: 'shop', password: PASSWORD, enableOfflineQueue: false, socketTimeout: 1_000 }
    return new Redis({ ...options, autoResendUnfulfilledCommands: false, lazyConnect: true, retryStrategy: () => 100 })
  }],
  'sentinels, node-redis': [sentinels, (roots) => {
    const options = { name: 'shop', sentinelRootNodes: roots, nodeClientOptions: { password: PASSWORD, disableOfflineQueue: true } }
    return createSentinel({ ...options, scanInterval: 500 })
  }],
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

/** The count of each window that a server has. */
async function counts({ client }) {
  const keys = await client.keys('*').catch(() => [])
  return Promise.all(keys.map(async (key) => Number((await client.get(key)).split(' ')[1])))
}

for (const [name, [start, clientOf]] of Object.entries(STORES)) {
  test(`${name}: when a master is killed, its replica goes on, and each window admits what it has left`, async (t) => {
    const { nodes, roots } = await start(t)
    const windows = await connected(t, clientOf(roots))
    const scopes = Array.from({ length: 12 }, (_, number) => `shop ${number}`)
    const masters = async () => (await Promise.all(nodes.map((node) => node.says('info', 'role:master')))).filter(Boolean).length
    const before = await masters()
    const all = async () => (await Promise.all(nodes.map(counts))).flat()

    for (const scope of scopes) assert.equal((await windows.admit(scope)).remaining, LIMIT - 1)
    // A master that forgot the script gets it again.
    await nodes[0].client.script('FLUSH')
    const begun = performance.now()
    for (const scope of scopes) assert.equal((await windows.admit(scope)).remaining, LIMIT - 2)
    const most = backMs(scopes.length, performance.now() - begun)
    assert((await counts(nodes[0])).length > 0)
    await until(async () => String(await all()) === String(Array(2 * scopes.length).fill(2)))

    nodes[0].kill()
    const answers = Promise.all(scopes.map((scope) => calls(windows, scope)))
    const killed = performance.now()
    await until(async () => await masters() === before)
    const promoted = performance.now() - killed
    for (const { admitted, undecided, back } of await answers) {
      assert(back - promoted <= most, `back ${back - promoted} ms after the promotion, of ${most}`)
      assert(admitted <= LIMIT - 2 && admitted + undecided >= LIMIT - 2, `${admitted} and ${undecided}`)
    }
    await until(async () => (await all()).every((count) => count === LIMIT))
  })
}
