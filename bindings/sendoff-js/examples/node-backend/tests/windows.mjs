// RedisWindows with Redis, through both clients: what a store that hangs counts, and a window that cannot be read.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { RedisWindows } from 'sendoff/redis'
import { redisServer } from './support/redis-server.mjs'

const CLIENTS = {
  async ioredis(url) {
    const client = new Redis(url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false })
    await once(client, 'ready')
    return client
  },
  'node-redis': (url) => createClient({ url, disableOfflineQueue: true }).connect(),
}

/** Windows of a server that knows neither them nor the script, by default patient enough for a busy machine. */
async function started(t, connected) {
  const server = await redisServer()
  const client = await connected(server.url)
  t.after(() => (client.destroy ? client.destroy() : client.disconnect(), server.end()))
  const windows = (timeoutMs = 10_000) =>
    new RedisWindows(client, { limit: 9, windowMs: 60_000 }, { environment: 'production', secret: 'secret', timeoutMs })
  return { server, windows }
}

for (const [name, connected] of Object.entries(CLIENTS)) {
  test(`${name}: a store that hung does not count the calls that waited in it`, async (t) => {
    const { server, windows } = await started(t, connected)
    for (const before of [1, 0]) {
      const [hasty, scope] = [windows(1_000), `shop ${before}`]
      // The first answer tells the store's clock.
      if (before) await hasty.admit(scope)
      server.freeze()
      try {
        const calls = Array.from({ length: 5 }, () => hasty.admit(scope))
        await Promise.all(calls.map((call) => assert.rejects(call, /within 1000 ms/)))
      } finally {
        server.thaw()
      }
      // The store ran all waiting calls before this.
      assert.equal((await windows().admit(scope)).remaining, 8 - before)
    }
  })

  test(`${name}: a key with another value is an error of that window only`, async (t) => {
    const { server, windows } = await started(t, connected)
    const store = new Redis(server.url)
    t.after(() => store.disconnect())
    await windows().admit('shop')
    const [key] = await store.keys('*')
    for (const spoil of [() => store.set(key, 'x'), () => store.del(key).then(() => store.rpush(key, 'x'))]) {
      await spoil()
      await assert.rejects(windows().admit('shop'), { name: 'WindowError', message: /SENDOFF expected `start count`/ })
      assert.equal((await windows().admit('other')).admitted, true)
    }
  })
}
