import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS, operationPath, RateLimiter, readBearer, SendoffError } from 'sendoff'
import { guardExpress, guardFetch, guardHono, headerOf, passed, traceId } from 'sendoff/http'
import { WindowError } from 'sendoff/redis'
import { skipping } from './clock.mjs'
import { asked } from './help.mjs'

const POLICY = { limit: 2, windowMs: 60_000 }
const KEY = { 'x-api-key': 'shop', 'content-type': 'application/json' }
const scope = (request) => request.headers.get('x-api-key')
const handle = (request, { operation, params }) => Response.json({ operation, params })

const ask = (guard, method, path, headers = KEY) => asked(guard, path, { method, headers })
const transfer = (guard, headers) => ask(guard, 'POST', '/api/v1/nft/transfer', headers)
const lost = async () => { throw new Error('lost') }
const LOST = { admit: lost, touch: lost }

const never = (why) => assert.fail(typeof why === 'string' ? why : 'expected no call')
const pathOf = ({ id, parameters }) => operationPath(id, Object.fromEntries(parameters.map((name) => [name, 'a'])))

test('an unknown caller does not count', async () => {
  const limiter = new RateLimiter(POLICY)
  const nobody = [undefined, null, '', {}, { scope: '' }, Object.create({ scope: undefined })]
  for (const scope of [...nobody.map((scope) => () => scope), async () => undefined, () => readBearer('Basic x').token]) {
    for (const row of OPERATIONS) assert.equal((await ask(guardFetch({ scope, limiter }, never), row.method, pathOf(row), {})).status, 401)
  }
  assert.equal(limiter.size, 0)
})

test('a guard for fetch answers errors of the caller, and rethrows others', async () => {
  const guard = guardFetch({ scope, limiter: 'none' }, (_, { operation }) => Response.json(operationPath(operation, { a: 1 })))
  assert.equal((await ask(guard, 'GET', '/api/v1/orders')).status, 400)
  await assert.rejects(ask(guardFetch({ scope, limiter: 'none' }, () => never('a bug')), 'GET', '/api/v1/orders'), { message: 'a bug' })
})

test('all calls count under one limit, and other requests only start the window', async () => {
  const limiter = new RateLimiter(POLICY)
  let now = 90_000
  const guard = guardFetch({ scope, limiter, now: () => now }, handle)
  assert.equal((await ask(guard, 'GET', '/api/v1/orders')).status, 200)
  assert.deepEqual(limiter.snapshot(), [['shop', 90_000, 0]])

  now += 1_500
  assert.equal((await transfer(guard)).status, 200)
  assert.equal((await ask(guard, 'POST', '/s2s/api/v2/nft/transfer')).status, 200)
  const { status, header } = await transfer(guard)
  assert.deepEqual([status, header('retry-after')], [429, '59'])
  assert.equal((await ask(guard, 'GET', '/api/v1/orders')).status, 200)
  assert.equal((await transfer(guard, { 'x-api-key': 'other' })).status, 200)
  now += 59_000
  assert.equal((await transfer(guard)).status, 200)
})

test('if the store is lost, whatever it throws, `onStoreLoss` decides on calls that count', async () => {
  const errors = []
  const decided = (error) => { errors.push(error.message); return 'admit' }
  const error = new Error('lost')
  for (const [thrown, onStoreLoss, code] of [...[error, null, undefined, 'lost'].map((thrown) => [thrown, 'refuse', 503]), [error, 'admit', 200], [error, decided, 200]]) {
    const throws = async () => { throw thrown }
    const guard = guardFetch({ scope, store: { admit: throws, touch: throws }, onStoreLoss, advertise: POLICY }, handle)
    const { status, header, body } = await transfer(guard)
    assert.equal(status, code)
    if (code === 503) assert.equal(body.error.message, 'the store of the rate limit does not answer: the call was not carried out')
    assert.equal(header('retry-after'), code === 503 ? '1' : null)
    assert.equal((await ask(guard, 'GET', '/api/v1/orders')).status, 200)
  }
  assert.deepEqual(errors, ['lost', 'lost'])
})

test('with `local`, the process counts while the store is lost', async () => {
  for (const onStoreLoss of ['local', () => 'local']) {
    const limiter = new RateLimiter(POLICY)
    let now = 90_000
    const guard = guardFetch({ scope, store: LOST, onStoreLoss, limiter, now: () => now, advertise: POLICY }, handle)
    assert.equal((await ask(guard, 'GET', '/api/v1/orders')).status, 200)
    assert.deepEqual(limiter.snapshot(), [['shop', 90_000, 0]])
    now += 1_500
    for (const [status, left] of [[200, 'r=1;t=59'], [200, 'r=0;t=59'], [429, 'r=0;t=59']]) {
      const answer = await transfer(guard)
      assert.deepEqual([answer.status, answer.header('ratelimit')], [status, `"sendoff";${left}`])
    }
  }
})

test('one request per second tries a lost store again', async (t) => {
  const skip = skipping(t)
  const asked = []
  let { admit } = LOST
  const store = { admit: (scope) => { asked.push(scope); return admit() }, touch: async () => { asked.push('touch') } }
  const guard = guardFetch({ scope, store, onStoreLoss: 'refuse' }, handle)
  const call = async () => (await transfer(guard)).status
  for (let calls = 0; calls < 10; calls++) assert.equal(await call(), 503)
  assert.equal((await ask(guard, 'GET', '/api/v1/orders')).status, 200)
  assert.deepEqual(asked, ['shop'])
  skip(1_010)
  assert.deepEqual(await Promise.all([call(), call(), call()]), [503, 503, 503])
  assert.deepEqual(asked, ['shop', 'shop'])
  skip(1_010)
  admit = async () => ({ admitted: true, phase: 'same', remaining: 1, resetAfter: 1 })
  assert.equal(await call(), 200)
  assert.deepEqual(await Promise.all([call(), call()]), [200, 200])
})

test('a window that cannot be read affects one scope', async () => {
  const store = {
    admit: async (scope) => {
      if (scope === 'shop') throw new WindowError('unreadable')
      return { admitted: true, phase: 'same', remaining: 1, resetAfter: 1 }
    },
    touch: never,
  }
  const guard = guardFetch({ scope, store, onStoreLoss: 'refuse' }, handle)
  for (const [key, status] of [['shop', 503], ['other', 200], ['shop', 503], ['other', 200]])
    assert.equal((await transfer(guard, { 'x-api-key': key })).status, status)
})

test('an error of the limiter is an error of the host, not a loss of the store', async () => {
  const guard = guardFetch({ scope, limiter: new RateLimiter(POLICY), now: () => NaN }, never)
  await assert.rejects(transfer(guard), ({ message, cause }) => {
    assert.equal(message, 'the limiter failed')
    return cause.name === 'SendoffError'
  })
  await assert.rejects(ask(guardFetch({ scope: never, limiter: 'none' }, never), 'GET', '/api/v1/orders'), assert.AssertionError)
  const store = { admit: async () => { throw new SendoffError([{ path: 'ask.scope', code: 'format', message: 'no' }]) }, touch: never }
  const lost = () => never('expected no loss of the store')
  await assert.rejects(transfer(guardFetch({ scope, store, onStoreLoss: lost }, never)), { message: 'the limiter failed' })
  const local = guardFetch({ scope, store: LOST, onStoreLoss: () => 'local' }, never)
  await assert.rejects(transfer(local), { message: "expected a `limiter` for `onStoreLoss: 'local'`, found none" })
})

/** The reply of a guard for Express, without a server; `passes` if it called `next`. */
function askExpress(options, request) {
  return new Promise((resolve, reject) => {
    const response = { statusCode: 0, headers: {} }
    response.setHeader = (name, value) => { response.headers[name] = value }
    response.end = (body) => resolve({ status: response.statusCode, headers: response.headers, body })
    guardExpress({ limiter: 'none', ...options })(request, response, (...error) => (error.length > 0 ? reject(error[0]) : resolve('passes')))
  })
}

test('a guard for Hono answers refusals itself, in every runtime', async () => {
  for (const env of [undefined, {}, { incoming: {} }, { incoming: { url: '/nowhere' } }]) {
    const url = `http://localhost${env?.incoming?.url ? '/api/v1/orders' : '/nowhere'}`
    const c = { req: { method: 'GET', url, header: (name) => (name ? KEY[name] : KEY) }, env, header: never }
    const reply = await guardHono({ scope: never, limiter: 'none' })(c, never)
    assert.deepEqual([reply.status, (await reply.json()).error.code], [404, 404])
  }
})

test('a request keeps its trace id, and only guarded requests have an operation', () => {
  const request = {}
  assert.equal(traceId(request), traceId(request))
  assert.notEqual(traceId(request), traceId({}))
  assert.throws(() => passed(request), /expected a request that passed a guard of `sendoff\/http`/)
})

test('onVerdict is called for every call that counts', async () => {
  const events = []
  const onVerdict = ({ outcome, operation, scope, traceId, verdict, error }) =>
    events.push([outcome, operation, scope, traceId, verdict?.admitted, error?.message])
  let now = 90_000
  const guard = guardFetch({ scope, limiter: new RateLimiter({ ...POLICY, limit: 1 }), now: () => now, onVerdict }, handle)
  const traced = (guard) => transfer(guard, { ...KEY, 'x-request-id': 'trace' })
  const of = (outcome, admitted) => [outcome, 'transferNft', 'shop', 'trace', admitted, undefined]
  await ask(guard, 'GET', '/api/v1/orders')
  await ask(guard, 'GET', '/nowhere')
  assert.deepEqual(events.splice(0), [])
  await traced(guard)
  await traced(guard)
  now -= 80_000
  await traced(guard)
  assert.deepEqual(events.splice(0), [of('admitted', true), of('refused', false), of('stepped-back', true)])
  const limiter = new RateLimiter(POLICY)
  const lost = ['store-lost', 'transferNft', 'shop', 'trace', undefined, 'lost']
  for (const [options, expected] of [
    [{ onStoreLoss: 'refuse' }, [lost]],
    [{ onStoreLoss: 'admit' }, [lost]],
    [{ onStoreLoss: 'local', limiter }, [lost, of('admitted', true)]],
  ]) {
    await traced(guardFetch({ scope, store: LOST, ...options, onVerdict }, handle))
    assert.deepEqual(events.splice(0), expected)
  }
})

test('with `others`, what is no operation goes there, and no operation does', async () => {
  const guard = guardFetch({ scope, limiter: 'none' }, handle, (request) => Response.json({ path: new URL(request.url).pathname }))
  assert.deepEqual((await ask(guard, 'GET', '/healthz')).body, { path: '/healthz' })
  assert.equal((await ask(guard, 'GET', '/api/v1/orders')).body.operation, 'orders')
  const stranger = { method: 'GET', url: '/healthz', headers: {} }
  assert.equal(await askExpress({ scope: never, others: 'ignore' }, stranger), 'passes')
  assert.throws(() => passed(stranger), ({ refusal }) => refusal.refused === 'not-found')
})

test('with `cors`, a page of another origin can call, and preflights are neither identified nor counted', async () => {
  const [mine, other] = ['https://app.example', 'https://other.example']
  const asks = { 'access-control-request-method': 'POST' }
  const wants = { ...asks, 'access-control-request-headers': 'x-api-key' }
  const limiter = new RateLimiter({ ...POLICY, limit: 1 })
  const listed = guardFetch({ scope, limiter, cors: { origins: [mine] } }, handle)
  const open = guardFetch({ scope, cors: { origins: '*', maxAge: 5 }, limiter: 'none' }, handle)
  for (const [guard, method, headers, status, origin, vary, more] of [
    [listed, 'OPTIONS', { origin: mine, ...wants }, 204, mine, 'origin', { 'allow-methods': 'GET, POST', 'allow-headers': 'x-api-key', 'max-age': '600' }],
    [listed, 'OPTIONS', { origin: mine, ...asks }, 204, mine, 'origin', { 'allow-headers': null }],
    [listed, 'OPTIONS', { origin: other, ...wants }, 204, null, 'origin'],
    // Without these headers, and with another method, it is no preflight.
    [listed, 'OPTIONS', { origin: mine }, 405, mine, 'origin'],
    [listed, 'OPTIONS', wants, 405, null, 'origin'],
    [listed, 'PUT', { origin: mine, ...wants }, 405, mine, 'origin'],
    [listed, 'POST', { ...KEY, origin: mine }, 200, mine, 'origin', { 'expose-headers': 'retry-after, x-request-id, ratelimit, ratelimit-policy' }],
    [listed, 'POST', { ...KEY, origin: mine }, 429, mine, 'origin'],
    [listed, 'POST', { origin: mine }, 401, mine, 'origin'],
    [listed, 'POST', { ...KEY, origin: other }, 429, null, 'origin'],
    [listed, 'POST', KEY, 429, null, 'origin'],
    [open, 'OPTIONS', { origin: other, ...wants }, 204, '*', null, { 'max-age': '5' }],
  ]) {
    const reply = await guard(new Request('http://localhost/api/v1/nft/transfer', { method, headers }))
    const named = (name) => reply.headers.get(`access-control-${name}`)
    assert.deepEqual([reply.status, named('allow-origin'), reply.headers.get('vary')], [status, origin, vary], `${method} ${JSON.stringify(headers)}`)
    for (const [name, value] of Object.entries(more ?? {})) assert.equal(named(name), value, name)
    if (guard === listed && method === 'OPTIONS') assert.equal(limiter.size, 0)
  }
  const express = await askExpress({ scope: never, cors: { origins: [mine] } }, { method: 'OPTIONS', url: '/', headers: { origin: mine, ...wants } })
  assert.deepEqual([express.status, express.body, express.headers['access-control-allow-methods']], [204, '', 'GET, POST'])
})

test("with `cors`, a handler's `vary` stays", async () => {
  const cors = { origins: ['https://app.example'] }
  const headers = { vary: 'accept-encoding' }
  const answer = guardFetch({ scope, cors, limiter: 'none' }, () => new Response('', { headers }))
  const { headers: fetched } = await answer(new Request('http://localhost/api/v1/orders', { headers: KEY }))
  assert.equal(fetched.get('vary'), 'accept-encoding, origin')
  const added = []
  const c = {
    req: { method: 'GET', url: 'http://localhost/api/v1/orders', header: (name) => (name ? KEY[name] : KEY) },
    header: (name, value, options) => added.push([name, value, options?.append ?? false]),
  }
  await guardHono({ scope: () => 'shop', cors, limiter: 'none' })(c, async () => {})
  assert.deepEqual(added.filter(([name]) => name === 'vary'), [['vary', 'origin', true]])
  // All other headers are the guard's own.
  assert(added.length > 1 && added.every(([name, , append]) => append === (name === 'vary')))
})

test('a header is one text in requests of every host', () => {
  const rawHeaders = ['X-Api-Key', 'a', 'X-Api-Key', 'b']
  const requests = [
    new Request('http://localhost/', { headers: [['x-api-key', 'a'], ['x-api-key', 'b']] }),
    { headers: { 'x-api-key': 'a, b' }, rawHeaders },
    { headers: { 'x-api-key': 'a, b' }, raw: { rawHeaders } },
    { headers: { 'x-api-key': 'a' }, rawHeaders },
    { headers: { 'x-api-key': 'a, b' }, rawHeaders: ['X-Note', 'x-api-key', 'X-More', '1', 'X-Api-Key', 'a, b'] },
    { headers: { 'x-api-key': 'a, b' }, env: {} },
    { req: { header: (name) => ({ 'x-api-key': 'a, b' })[name] } },
  ]
  for (const request of requests) {
    assert.equal(headerOf(request, 'X-Api-Key'), 'a, b')
    assert.equal(headerOf(request, 'x-other'), undefined)
  }
})

test('requests of every host have a trace id, the same before and after a guard', async () => {
  const headers = { 'x-request-id': 'mine' }
  const of = [new Request('http://localhost', { headers }), { headers }, { req: { header: (name) => headers[name] } }, { raw: null, headers }, { raw: { headers }, headers }]
  for (const request of of) assert.equal(traceId(request), 'mine')
  const unnamed = { headers: {} }
  const id = traceId(unnamed)
  for (const made of [id, traceId({ headers: { get: 'mine' } })]) assert.match(made, /^[0-9a-f-]{36}$/)
  const { body } = await askExpress({ scope: never }, { raw: unnamed, headers: {}, method: 'GET', url: '/nowhere' })
  assert.equal(JSON.parse(body).error.trace_id, id)
})
