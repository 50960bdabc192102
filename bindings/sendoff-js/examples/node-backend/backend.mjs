// The parts that the three servers share: callers, their limit, and the facts about them.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { OPERATIONS, RateLimiter, readBearer } from 'sendoff'
import { RedisWindows } from 'sendoff/redis'

const { LIMIT = '1500', WINDOW_MS = '300000' } = process.env
const { REDIS_URL, REDIS_CLIENT = 'ioredis', REDIS_TIMEOUT_MS = '250', ON_STORE_LOSS = 'refuse' } = process.env
const { SECRET = 'the same in all processes' } = process.env

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
/** @param {object} object */
const map = (object) => new Map(Object.entries(object))

// A real backend asks its own records, and holds digests of keys and tokens.
const facts = map(read('facts.json'))
const { tokens, keys, serverKeys } = Object.fromEntries([...map(read('callers.json'))].map(([kind, all]) => [kind, map(all)]))
const SERVER = new Set(OPERATIONS.filter(({ side }) => side === 'server').map(({ id }) => id))
const LISTS = new Set(['supportedNetworks', 'supportedTokens'])

/**
 * The application that calls an operation. Server operations take a server key; client operations a user's token, and a key
 * beside it must be the same application's. Only the lists of networks and tokens take a client key alone.
 *
 * @param {{ readonly [name: string]: string | string[] | undefined }} headers
 * @param {import('sendoff').Operation} operation
 * @returns {string | undefined}
 */
export function applicationOf({ 'x-api-key': key, authorization }, operation) {
  const isOfServer = SERVER.has(operation)
  const byKey = (isOfServer ? serverKeys : keys).get(String(key))
  // An unknown key, or a key for another use, is refused.
  if (key !== undefined && !byKey) return undefined
  if (authorization === undefined) return isOfServer || LISTS.has(operation) ? byKey : undefined
  const byToken = tokens.get(readBearer(String(authorization)).token)
  if (isOfServer ? !byKey || byKey !== byToken : byKey && byKey !== byToken) return undefined
  return byToken
}

/**
 * The facts about an application.
 *
 * @param {string} application
 * @returns {import('sendoff').Facts}
 */
export function factsOf(application) {
  return facts.get(application)
}

const policy = { limit: Number(LIMIT), windowMs: Number(WINDOW_MS) }

/** The limit, kept in Redis for many processes, or in this process. */
export const limit = REDIS_URL
  ? { ...lossOf(ON_STORE_LOSS), store: await windows(REDIS_URL), advertise: policy }
  : { limiter: new RateLimiter(policy), advertise: policy }

/**
 * The rule for calls while Redis does not answer.
 *
 * @param {string} word
 */
function lossOf(word) {
  if (word === 'local') return { onStoreLoss: /** @type {const} */ ('local'), limiter: new RateLimiter(policy) }
  return { onStoreLoss: /** @type {'refuse' | 'pass'} */ (word) }
}

/** @param {string} url */
async function windows(url) {
  const [client, onSilence] = await connected(url)
  return new RedisWindows(client, policy, {
    environment: 'production',
    secret: SECRET,
    timeoutMs: Number(REDIS_TIMEOUT_MS),
    onSilence,
  })
}

/**
 * A client, and the function for `onSilence`. Neither client keeps a queue while it is disconnected, because a refused call must
 * not be counted later. Both close a silent connection, as after a failover.
 *
 * @param {string} url
 * @returns {Promise<[import('sendoff/redis').IoRedis | import('sendoff/redis').NodeRedis, (() => void)?]>}
 */
async function connected(url) {
  if (REDIS_CLIENT === 'redis') {
    const client = createClient({ url, disableOfflineQueue: true }).on('error', complain)
    await client.connect()
    return [client, () => {
      if (!client.isReady) return
      client.destroy()
      client.connect().catch(complain)
    }]
  }
  const queue = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false }
  const client = new Redis(url, { ...queue, socketTimeout: 1_000, connectTimeout: 1_000 })
  client.on('error', complain)
  await once(client, 'ready')
  return [client]
}

/** @param {Error} error */
function complain({ message }) {
  console.error(`redis: ${message}`)
}
