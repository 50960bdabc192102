// Redis servers with replicas, one of which can take over: a cluster, or one master that sentinels watch.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'

export const PASSWORD = 'of-the-nodes'
/** How long a server is silent until others replace it, in milliseconds. */
const SILENCE_MS = 500
const LAST_SLOTS = [5_460, 10_922, 16_383]

/** Three masters, 0 to 2, and the replica of each, 3 to 5. */
export async function cluster() {
  const folder = mkdtempSync(join(tmpdir(), 'sendoff-nodes-'))
  const places = await freePlaces(6)
  const id = (at) => (at + 1).toString(16).padStart(40, '0')
  const line = (at, myself) => {
    const [{ port }, of] = [places[at], at % 3]
    const head = `${id(at)} 127.0.0.1:${port}@${port + 10_000} ${myself ? 'myself,' : ''}`
    const slots = `${of ? LAST_SLOTS[of - 1] + 1 : 0}-${LAST_SLOTS[of]}`
    return at < 3 ? `${head}master - 0 0 ${at + 1} connected ${slots}` : `${head}slave ${id(of)} 0 0 ${of + 1} connected`
  }
  const nodes = []
  for (const [at, place] of places.entries()) {
    const dir = join(folder, String(at))
    mkdirSync(dir)
    const lines = places.map((_, other) => line(other, other === at))
    writeFileSync(join(dir, 'nodes.conf'), [...lines, 'vars currentEpoch 3 lastVoteEpoch 0', ''].join('\n'))
    nodes.push(await start(place, { dir, 'cluster-enabled': 'yes', 'cluster-node-timeout': SILENCE_MS }))
  }
  await until(async () => {
    const states = nodes.map((node) => says(node, 'cluster', ['info'], 'cluster_state:ok'))
    const links = nodes.slice(3).map((node) => says(node, 'info', ['replication'], 'master_link_status:up'))
    return (await Promise.all([...states, ...links])).every(Boolean)
  })
  return { ...servers(nodes, folder), roots: places.slice(0, 3).map(({ port }) => ({ host: '127.0.0.1', port })) }
}

/** A master, 0, its replica, 1, and three sentinels, 2 to 4. */
export async function sentinels() {
  const folder = mkdtempSync(join(tmpdir(), 'sendoff-nodes-'))
  const places = await freePlaces(5)
  const [master, replica, ...watching] = places
  const nodes = [await start(master, { dir: folder }), await start(replica, { dir: folder, replicaof: `127.0.0.1 ${master.port}` })]
  for (const place of watching) {
    const file = join(folder, `${place.port}.conf`)
    const lines = [
      `port ${place.port}`,
      'bind 127.0.0.1',
      `sentinel monitor shop 127.0.0.1 ${master.port} 2`,
      `sentinel auth-pass shop ${PASSWORD}`,
      `sentinel down-after-milliseconds shop ${SILENCE_MS}`,
      'sentinel failover-timeout shop 3000',
    ]
    writeFileSync(file, lines.join('\n'))
    nodes.push(await listening(place, [file, '--sentinel'], undefined))
  }
  await until(async () => {
    const knows = nodes.slice(2).map((node) => says(node, 'info', ['sentinel'], 'slaves=1,sentinels=3'))
    return (await Promise.all([...knows, says(nodes[1], 'info', ['replication'], 'master_link_status:up')])).every(Boolean)
  })
  return { ...servers(nodes, folder), roots: watching.map(({ port }) => ({ host: '127.0.0.1', port })) }
}

/** Waits until something is so. */
export async function until(isSo, ms = 20_000) {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > ms) throw new Error(`expected it within ${ms} ms: ${isSo}`)
    await sleep(10)
  }
}

function servers(nodes, folder) {
  const tell = (at, command, ...rest) => ask(nodes[at], command, rest)
  return {
    tell,
    isMaster: (at) => says(nodes[at], 'info', ['replication'], 'role:master'),
    /** Cuts a replica off its master: from now on it gets no write. */
    cut: async (at) => {
      await tell(at, 'config', 'set', 'masterauth', 'wrong')
      await tell(at, 'client', 'kill', 'type', 'master')
      await until(() => says(nodes[at], 'info', ['replication'], 'master_link_status:down'))
    },
    /** A replica takes its master's slots over, and asks nobody. */
    takeOver: async (at) => {
      await tell(at, 'config', 'set', 'masterauth', PASSWORD)
      await tell(at, 'cluster', 'failover', 'takeover')
    },
    /** How many calls a server has counted in each window. */
    counts: (at) => connected(nodes[at], async (client) => {
      // A replica of a cluster answers then, too.
      await client.readonly().catch(() => {})
      const keys = await client.keys('*')
      const windows = await Promise.all(keys.map((key) => client.get(key)))
      return Object.fromEntries(keys.map((key, index) => [key, Number(windows[index].split(' ')[1])]))
    }),
    kill: (at) => nodes[at].child.kill('SIGKILL'),
    end: async () => {
      for (const { child } of nodes) child.kill('SIGKILL')
      await Promise.all(nodes.map(({ ended }) => ended))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ask(node, command, rest) {
  return connected(node, (client) => client.call(command, ...rest))
}

/** Lets a function use a connection to one server. */
async function connected({ port, password }, use) {
  const client = new Redis({ port, ...(password && { password }), lazyConnect: true, retryStrategy: null, connectTimeout: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    client.disconnect()
  }
}

async function says(node, command, rest, text) {
  return ask(node, command, rest).then((answer) => String(answer).includes(text), () => false)
}

function start(place, options) {
  const all = { port: place.port, bind: '127.0.0.1', save: '', appendonly: 'no', 'repl-diskless-sync-delay': 0, ...options }
  const pairs = Object.entries({ ...all, requirepass: PASSWORD, masterauth: PASSWORD })
  return listening(place, pairs.flatMap(([name, value]) => [`--${name}`, ...(name === 'replicaof' ? value.split(' ') : [String(value)])]), PASSWORD)
}

async function listening({ port, held }, args, password) {
  await Promise.all(held.map((server) => once(server.close(), 'close')))
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  const ended = once(child, 'exit').catch((cause) => {
    throw new Error('expected redis-server, as in `apt-get install redis-server`', { cause })
  })
  const listens = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
  await Promise.race([until(listens), ended])
  return { port, password, child, ended }
}

/** Ports that are held until the servers start. A cluster's servers use those that are 10,000 higher too. */
async function freePlaces(count) {
  const hold = async (port) => {
    // Servers that started before ask for the others already.
    const server = createServer((asked) => asked.destroy()).listen(port, '127.0.0.1')
    return once(server, 'listening').then(() => server, () => undefined)
  }
  const places = []
  while (places.length < count) {
    const own = await hold(0)
    const { port } = own.address()
    const bus = port < 55_000 ? await hold(port + 10_000) : undefined
    if (bus) places.push({ port, held: [own, bus] })
    else own.close()
  }
  return places
}
