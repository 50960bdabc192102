// Redis servers with replicas, one of which can take over: a cluster, or one master that sentinels watch.

import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort, redisServer } from './redis-server.mjs'

export const PASSWORD = 'of-the-nodes'
/** How long a server is silent until others replace it, in milliseconds. */
const SILENCE_MS = 500

/** Three masters and the replica of each. */
export async function cluster(t) {
  const options = { 'cluster-enabled': 'yes', 'cluster-node-timeout': SILENCE_MS }
  const start = async () => {
    const bus = await freePort()
    return { ...(await server(t, { ...options, 'cluster-port': bus })), bus }
  }
  const nodes = await Promise.all(Array.from({ length: 6 }, start))
  const addresses = nodes.map(({ port, bus }) => `127.0.0.1:${port}@${bus}`)
  execFileSync('redis-cli', ['-a', PASSWORD, '--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'], { stdio: 'pipe' })
  for (const [at, { client, says }] of nodes.entries()) {
    await until(async () => await says('cluster', 'cluster_state:ok') && await says('info', at < 3 ? 'connected_slaves:1' : 'master_link_status:up'))
    await client.readonly()
  }
  return { nodes, roots: rootsOf(nodes) }
}

/** A master and its replica, and the addresses of three sentinels. */
export async function sentinels(t) {
  const master = await server(t)
  const replica = await server(t, { replicaof: `127.0.0.1 ${master.port}` })
  const file = `
    sentinel monitor shop 127.0.0.1 ${master.port} 2
    sentinel auth-pass shop ${PASSWORD}
    sentinel down-after-milliseconds shop ${SILENCE_MS}
    sentinel failover-timeout shop 3000`
  const watching = await Promise.all([1, 2, 3].map(() => server(t, {}, file)))
  await until(() => replica.says('info', 'master_link_status:up'))
  for (const { says } of watching) await until(() => says('info', 'slaves=1,sentinels=3'))
  return { nodes: [master, replica], roots: rootsOf(watching) }
}

const rootsOf = (nodes) => nodes.map(({ port }) => ({ host: '127.0.0.1', port }))

/** Waits until something is so. */
export async function until(isSo, ms = 20_000) {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > ms) throw new Error(`expected it within ${ms} ms: ${isSo}`)
    await sleep(10)
  }
}

/** A server until the end of the test, and a client that asks it alone. */
async function server(t, more, sentinel) {
  const own = { requirepass: PASSWORD, masterauth: PASSWORD, 'repl-diskless-sync-delay': 0, ...more }
  const node = await redisServer(undefined, sentinel ? {} : own, sentinel)
  const client = new Redis({ port: node.port, password: sentinel ? '' : PASSWORD, enableOfflineQueue: false, retryStrategy: () => 100 })
  client.on('error', () => {})
  t.after(() => (client.disconnect(), node.end()))
  /** The answer to `CLUSTER INFO` or `INFO` contains a text. */
  const says = async (command, text) =>
    client.call(...(command === 'cluster' ? ['cluster', 'info'] : ['info'])).then((answer) => answer.includes(text), () => false)
  return { ...node, client, says }
}
