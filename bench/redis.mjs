// Rate windows on Redis, beside rate-limiter-flexible: one redis-server that is started here, one connection of ioredis a
// side, 100 callers, 32 calls at once. The sides take turns.
import { spawnSync } from 'node:child_process'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { RedisWindows } from '../bindings/sendoff-js/dist/redis.mjs'
import { redisServer } from '../bindings/sendoff-js/examples/node-backend/tests/support/redis-server.mjs'

const [ROUNDS, CALLS, CALLERS, AT_ONCE] = [15, 6_000, 100, 32]
// No call is refused, so every one of them writes.
const [LIMIT, SECONDS] = [2 ** 21 - 1, 86_400]

const SIDES = {
  sendoff(redis) {
    const windows = new RedisWindows(redis, { limit: LIMIT, windowMs: SECONDS * 1000 }, { environment: 'bench', secret: 'bench' })
    return (caller) => windows.admit(caller)
  },
  'rate-limiter-flexible'(redis) {
    const limiter = new RateLimiterRedis({ storeClient: redis, points: LIMIT, duration: SECONDS, keyPrefix: 'bench' })
    return (caller) => limiter.consume(caller)
  },
  // What a script with a clock and a value that it reads and writes cannot do without; it has no rule.
  'TIME, GET and SET alone'(redis) {
    const lua = "redis.call('TIME') redis.call('GET', KEYS[1]) redis.call('SET', KEYS[1], ARGV[1], 'KEEPTTL') return 1"
    redis.defineCommand('threeCommands', { numberOfKeys: 1, lua })
    return (caller) => redis.threeCommands(`three ${caller}`, '1750000000000 1')
  },
}

/**
 * Microseconds a call, of each round: `server` in the script (commandstats), `client` the processor time of this process,
 * `wall` the time that passed. Undefined without redis-server.
 */
export async function onRedis() {
  if (spawnSync('redis-server', ['--version']).error) return undefined
  const server = await redisServer()
  const sides = Object.entries(SIDES).map(([name, make]) => {
    const redis = new Redis(server.url)
    return { name, redis, call: make(redis), times: { server: [], client: [], wall: [] } }
  })
  try {
    for (const side of sides) await round(side)
    for (const { times } of sides) for (const figures of Object.values(times)) figures.length = 0
    for (let count = 0; count < ROUNDS; count += 1) for (const side of sides) await round(side)
  } finally {
    for (const { redis } of sides) redis.disconnect()
    await server.end()
  }
  return Object.fromEntries(sides.map(({ name, times }) => [name, times]))
}

async function round({ redis, call, times }) {
  await redis.config('RESETSTAT')
  const [start, used] = [performance.now(), process.cpuUsage()]
  let next = 0
  const one = async () => {
    while (next < CALLS) await call(`caller ${(next++ * 7919) % CALLERS}`)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
  const { user, system } = process.cpuUsage(used)
  times.wall.push(((performance.now() - start) * 1000) / CALLS)
  times.client.push((user + system) / CALLS)
  const [, script] = /cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(await redis.info('commandstats'))
  times.server.push(Number(script))
}
