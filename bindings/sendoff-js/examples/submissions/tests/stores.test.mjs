// Redis and PostgreSQL, each a server of its own, with two connections.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createClient } from 'redis'
import { redisStore } from '../redis.mjs'
import { sqlStore, TABLE } from '../sql.mjs'
import { freePort, redisServer } from '../../node-backend/tests/support/redis-server.mjs'
import { count } from './writers.mjs'

/** Connections to a new server, two by two: `(stores, end)`. */
const SERVERS = {
  async redis(context) {
    const { url, end } = await redisServer()
    context.after(end)
    const connect = async () => {
      const client = createClient({ url }).on('error', () => {})
      context.after(() => client.destroy())
      return redisStore(await client.connect())
    }
    return Promise.all([connect(), connect()])
  },

  async postgres(context) {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'sendoff-postgres-'))
    const bin = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim()
    // The server does not run as root.
    const asUser = process.getuid() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
    const command = (name, ...rest) => [...asUser, join(bin, name), ...rest]
    if (asUser.length) execFileSync('chown', ['postgres', folder])
    const run = ([program, ...rest]) => execFileSync(program, rest, { cwd: '/', stdio: 'pipe' })
    run(command('initdb', '-D', folder, '-A', 'trust', '-U', 'sendoff', '--no-sync'))

    const [program, ...rest] = command('postgres', '-D', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', folder)
    const server = spawn(program, rest, { cwd: '/', stdio: 'ignore' })
    const ended = new Promise((resolve) => server.once('exit', resolve))
    // `runuser` does not pass a signal on.
    context.after(async () => {
      run(command('pg_ctl', 'stop', '-D', folder, '-m', 'immediate'))
      await ended
      rmSync(folder, { recursive: true, force: true })
    })
    const connect = async () => {
      for (;;) {
        const client = new pg.Client({ host: '127.0.0.1', port, user: 'sendoff', database: 'postgres' })
        client.on('error', () => {})
        try {
          await client.connect()
          context.after(() => client.end().catch(() => {}))
          return client
        } catch {
          await sleep(100)
        }
      }
    }
    const clients = [await connect(), await connect()]
    await clients[0].query(TABLE)
    return clients.map((client) => sqlStore((text, values) => client.query(text, values)))
  },
}

for (const [name, serve] of Object.entries(SERVERS)) {
  test(`${name}: two writers at once lose nothing`, { timeout: 60_000 }, async (context) => {
    const stores = await serve(context)
    // The first number of an intent is stored in another way than the next ones.
    const intents = Array.from({ length: 100 }, (_, number) => `intent ${number}`)
    const lost = await Promise.all(stores.map((store) => count(store, intents, 4)))
    assert(lost[0] + lost[1] > 0, 'the writers never met')
    for (const intent of intents) assert.match(await stores[0](intent).get(), /^8 /)
  })
}
