// The parts that the three servers share: callers, their limit, and what answers them.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { RateLimiter } from 'sendoff'
import { credentials } from 'sendoff/http'
import { RedisWindows } from 'sendoff/redis'

const { LIMIT = '1500', WINDOW_MS = '300000', BACKEND_URL, BACKEND_TIMEOUT_MS = '10000', BODY_BYTES = String(8 << 20) } = process.env
const { REDIS_URL, REDIS_CLIENT = 'ioredis', REDIS_TIMEOUT_MS = '250', ON_STORE_LOSS = 'refuse' } = process.env
const { SECRET = 'the same in all processes' } = process.env

/** @param {string} name */
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
/** @param {object} object */
const map = (object) => new Map(Object.entries(object))

// A real backend asks its own records, and looks up digests of keys and tokens.
const [facts, catalogues, callers] = [map(read('facts.json')), map(read('catalogues.json')), map(read('callers.json'))]

/** @param {string} kind */
function lookup(kind) {
  const applications = map(callers.get(kind))
  return (/** @type {string} */ credential) => applications.has(credential) ? { scope: applications.get(credential) } : undefined
}

/** Who calls: an application, by its keys and by the tokens of its users. */
export const scope = credentials({ token: lookup('tokens'), key: lookup('keys'), serverKey: lookup('serverKeys') })

/** What answers the calls that pass: the core with these facts, and the wallet backend. */
export const service = {
  facts: (/** @type {{ scope: string }} */ { scope }) => facts.get(scope),
  catalogue: (/** @type {{ scope: string }} */ { scope }) => catalogues.get(scope),
  backend: BACKEND_URL ? { url: BACKEND_URL, timeoutMs: Number(BACKEND_TIMEOUT_MS), bodyBytes: Number(BODY_BYTES) } : undefined,
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
  return { onStoreLoss: /** @type {'refuse' | 'admit'} */ (word) }
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
 * not be counted later. Both close a silent connection, as after a failover. Only the one that is used is loaded.
 *
 * @param {string} url
 * @returns {Promise<[import('sendoff/redis').IoRedis | import('sendoff/redis').NodeRedis, (() => void)?]>}
 */
async function connected(url) {
  if (REDIS_CLIENT === 'redis') {
    const { createClient } = await import('redis')
    const client = createClient({ url, disableOfflineQueue: true }).on('error', complain)
    await client.connect()
    return [client, () => {
      if (!client.isReady) return
      client.destroy()
      client.connect().catch(complain)
    }]
  }
  const { Redis } = await import('ioredis')
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
