// Canaries in every place of the package where a secret can be: none is in an error, a reply, an observer's words or what
// `util.inspect` shows.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import * as sendoff from 'sendoff'
import * as http from 'sendoff/http'
import { RedisWindows } from 'sendoff/redis'
import * as texts from 'sendoff/text'
import { facts, thrown } from './help.mjs'

const CANARY = 'canary-7f00-token'
const POLICY = { limit: 5, windowMs: 300_000 }

/** Fails if a value shows a canary, however it is looked at. */
function check(place, value) {
  const looks = [inspect(value, { depth: null, showHidden: true, getters: true }), String(value?.stack ?? value?.message ?? value)]
  for (const look of [...looks, JSON.stringify(value) ?? '']) {
    assert(!look.toLowerCase().includes('canary'), `a canary is in ${place}:\n${look}`)
    assert(!look.includes(Buffer.from(CANARY).toString('hex')), `a canary is in ${place}, as hex:\n${look}`)
  }
}

test('a bearer token that cannot be read is in no error', async () => {
  for (const header of [CANARY, `Basic ${CANARY}`, `Bearer ${CANARY}\n`, `Bearer ${CANARY} x`, `Bearer ${CANARY}é`, `bearer:${CANARY}`, ` ${CANARY}`]) {
    check(header, await thrown(() => sendoff.readBearer(header)))
    check(header, await thrown(() => texts.readBearer(header)))
    check(header, sendoff.safeReadBearer(header))
  }
})

test('the secret of windows is in no error, no request and no window', async () => {
  const question = { environment: 'production', secret: CANARY, scope: CANARY, kind: 'admit', now: 1 }
  check('a request', sendoff.redisRequest(POLICY, question))
  const wrong = [{ environment: '}' }, { kind: 'no' }, { cost: 'no' }, { now: 'no' }, { more: 1 }, { secret: [CANARY] }, { secret: { [CANARY]: 1 } }]
  for (const fields of wrong) check(inspect(Object.keys(fields)), await thrown(() => sendoff.redisRequest(POLICY, { ...question, ...fields })))
  const lost = Object.assign(new Error('the store is lost'), { code: 'ECONNREFUSED' })
  const client = { call: async () => { throw lost }, evalsha: async () => { throw lost }, eval: async () => { throw lost } }
  const windows = new RedisWindows(client, POLICY, { environment: 'production', secret: CANARY, timeoutMs: 50 })
  check('the windows', windows)
  check('the error of a lost store', await thrown(() => windows.admit(CANARY)))
  check('the windows, once lost', windows)
})

test('a limiter shows nobody whom it counts', () => {
  const limiter = new sendoff.RateLimiter(POLICY)
  limiter.admit(CANARY, 1)
  check('the limiter', limiter)
  check('the verdict', limiter.admit(CANARY, 2))
})

test('no reply of a guard and nothing an observer is told shows a credential', async () => {
  const told = []
  const lost = new Error('the store is lost')
  const identified = ({ headers }) => headers.get('authorization') === `Bearer ${CANARY}` ? 'shop' : undefined
  const read = ({ headers }) => sendoff.readBearer(headers.get('authorization') ?? '').token && 'shop'
  const worlds = [
    { scope: identified, limiter: new sendoff.RateLimiter({ limit: 1, windowMs: 300_000 }), advertise: POLICY },
    { scope: read, limiter: 'none' },
    { scope: identified, store: { admit: async () => { throw lost }, touch: async () => { throw lost } }, onStoreLoss: 'refuse' },
  ]
  const headers = [
    { authorization: `Bearer ${CANARY}` }, { authorization: `Bearer ${CANARY}`, 'x-api-key': CANARY },
    { authorization: CANARY }, { authorization: `Basic ${CANARY}` }, { 'x-api-key': CANARY }, { cookie: CANARY },
    { authorization: `Bearer ${CANARY}`, traceparent: `00-${CANARY}` }, { authorization: `Bearer ${CANARY}`, 'content-encoding': CANARY },
    { authorization: `Bearer ${CANARY}`, 'content-type': `application/${CANARY}` },
  ]
  const paths = ['/api/v1/nft/transfer', '/api/oc/v1/estimate', '/s2s/api/v1/wallet', `/${CANARY}`, `/api/v1/orders?token=${CANARY}`, `/api/v1/orders/;${CANARY}`]
  let refused = 0
  for (const world of worlds) {
    const guard = http.guardFetch({ ...world, onVerdict: (verdict) => told.push(verdict) }, async (request, { operation }) => {
      if (operation === 'estimate') return Response.json(sendoff.estimate(http.bodyText(await request.arrayBuffer()), facts))
      throw new http.Refused({ refused: 'no-backend', operation })
    })
    for (const path of paths) {
      for (const fields of headers) {
        const init = { method: 'POST', headers: { 'content-type': 'application/json', ...fields }, body: `{"jobId":"${CANARY}` }
        const reply = await guard(new Request(`http://localhost${path}`, init))
        check(`the reply to ${path}`, { status: reply.status, headers: [...reply.headers], body: await reply.text() })
        refused++
      }
    }
  }
  assert.equal(refused, worlds.length * paths.length * headers.length)
  assert(told.some(({ outcome }) => outcome === 'admitted') && told.some(({ outcome }) => outcome === 'refused'))
  assert(told.some(({ outcome }) => outcome === 'store-lost'))
  check('what an observer is told', told)
})

test('an error that a handler throws is told to nobody', () => {
  for (const error of [new Error(CANARY), Object.assign(new Error(CANARY), { status: 500 }), CANARY, { message: CANARY }, new Error('a', { cause: CANARY })]) {
    check('the reply', http.failureReply('trace', error))
  }
})

test('the command line shows nothing of its environment', () => {
  const program = fileURLToPath(new URL('../bin/sendoff.mjs', import.meta.url))
  const env = { ...process.env, REDIS_URL: `redis://:${CANARY}@127.0.0.1`, SHOP_KEY: CANARY, NPM_TOKEN: CANARY }
  for (const args of [['--help'], ['nothing'], ['hash', '/nowhere', '--deployment', '/nowhere']]) {
    const { stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8', input: '' })
    assert.equal(error, undefined)
    check(`sendoff ${args.join(' ')}`, stdout + stderr)
  }
})
