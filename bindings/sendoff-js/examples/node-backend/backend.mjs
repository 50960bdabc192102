// What the three servers share: who calls, how much, and what is known of a caller.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { RateLimiter, readBearer } from 'sendoff'
import { RedisWindows } from 'sendoff/redis'

const { LIMIT = '1500', WINDOW_MS = '300000' } = process.env
const { REDIS_URL, REDIS_CLIENT = 'ioredis', REDIS_TIMEOUT_MS = '250', ON_STORE_LOSS = 'refuse' } = process.env
const { SECRET = 'the same in all processes' } = process.env

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

// A real backend asks its own records.
const [callers, facts] = ['callers.json', 'facts.json'].map((name) => new Map(Object.entries(read(name))))

/**
 * The application that calls, by an API key or a bearer token.
 *
 * @param {{ readonly [name: string]: string | string[] | undefined }} headers
 * @returns {string | undefined}
 */
export function applicationOf({ 'x-api-key': key, authorization = '' }) {
  return callers.get(String(key ?? readBearer(String(authorization)).token))
}

/**
 * What is known of an application.
 *
 * @param {string} application
 * @returns {import('sendoff').Facts}
 */
export function factsOf(application) {
  return facts.get(application)
}

const policy = { limit: Number(LIMIT), windowMs: Number(WINDOW_MS) }

/** The limit and who keeps it: Redis, for many processes, or this one. */
export const limit = REDIS_URL
  ? {
      store: new RedisWindows(await connected(REDIS_URL), policy, {
        environment: 'production',
        secret: SECRET,
        timeoutMs: Number(REDIS_TIMEOUT_MS),
      }),
      onStoreLoss: /** @type {'refuse' | 'pass'} */ (ON_STORE_LOSS),
      advertise: policy,
    }
  : { limiter: new RateLimiter(policy), advertise: policy }

/**
 * Neither client keeps a queue while it is not connected: a call that was refused must not be counted later.
 *
 * @param {string} url
 */
async function connected(url) {
  if (REDIS_CLIENT === 'redis') {
    return createClient({ url, disableOfflineQueue: true }).on('error', complain).connect()
  }
  const client = new Redis(url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false })
  client.on('error', complain)
  await once(client, 'ready')
  return client
}

/** @param {Error} error */
function complain({ message }) {
  console.error(`redis: ${message}`)
}
