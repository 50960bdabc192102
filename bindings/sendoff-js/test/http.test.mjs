import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { OPERATIONS, operationPath, RateLimiter, readBearer, readReply, SendoffError } from 'sendoff'
import { guardExpress, guardFetch, guardHono, headerOf, passed, traceId } from 'sendoff/http'
import { WindowError } from 'sendoff/redis'
import { skipping } from './clock.mjs'
import { listening } from './help.mjs'

const POLICY = { limit: 2, windowMs: 60_000 }
const KEY = { 'x-api-key': 'shop', 'content-type': 'application/json' }
const scope = (request) => request.headers.get('x-api-key')
const handle = (request, { operation, params }) => Response.json({ operation, params })

/** The reply of a guard for fetch: its status, its headers and its body. */
async function ask(guard, method, path, headers = KEY) {
  const response = await guard(new Request(`http://localhost${path}`, { method, headers }))
  const { status } = response
  return { status, header: (name) => response.headers.get(name), body: await response.json() }
}

const transfer = (guard, headers) => ask(guard, 'POST', '/api/v1/nft/transfer', headers)
const lost = async () => { throw new Error('lost') }
const LOST = { admit: lost, touch: lost }

const never = (why) => assert.fail(typeof why === 'string' ? why : 'expected no call')
const paramsOf = ({ parameters }) => Object.fromEntries(parameters.map((name) => [name, 'a b']))
const pathOf = (row) => operationPath(row.id, paramsOf(row))

test('every operation passes, with its parameters', async () => {
  const guard = guardFetch({ scope, limiter: 'none' }, handle)
  for (const row of OPERATIONS) {
    const { status, body } = await ask(guard, row.method, pathOf(row))
    assert.equal(status, 200)
    assert.deepEqual(body, { operation: row.id, params: paramsOf(row) })
  }
})

test('a target without an operation is refused with the envelope', async () => {
  const guard = guardFetch({ scope: never, limiter: 'none' }, never)
  const refused = {
    'GET /api/v1/order': [404, 'expected the path of an operation, found an unknown path'],
    'GET /api/v1/orders/': [404, 'expected the path `/api/v1/orders`, found a spelling of it that is not canonical'],
    'POST //api/v1/nft/transfer': [404, 'expected the path `/api/v1/nft/transfer`, found a spelling of it that is not canonical'],
    'POST /api/v1/orders': [405, 'expected the method `GET` for `orders`, found a different one'],
    'GET /api%2Fv1/orders': [400, 'expected a request target in origin form that all servers read alike, found a malformed or ambiguous one'],
  }
  for (const [line, [code, message]] of Object.entries(refused)) {
    const [method, path] = line.split(' ')
    const { status, header, body } = await ask(guard, method, path, { 'x-request-id': 'trace' })
    assert.equal(status, code, line)
    assert.deepEqual(body, { status: 'error', error: { code, message, trace_id: 'trace' } })
    assert.equal(header('content-type'), 'application/json')
    assert.equal(header('allow'), code === 405 ? 'GET' : null)
    assert.equal(readReply(body).traceId, 'trace')
  }
})

test('an unknown caller gets 401, and does not count', async () => {
  const limiter = new RateLimiter(POLICY)
  const nobody = [() => undefined, () => null, () => '', async () => undefined, () => readBearer('Basic x').token]
  for (const scope of nobody) {
    const guard = guardFetch({ scope, limiter }, never)
    for (const row of OPERATIONS) {
      const { status, header, body } = await ask(guard, row.method, pathOf(row), {})
      assert.equal(status, 401)
      assert.equal(header('www-authenticate'), row.side === 'client' ? 'Bearer' : 'ApiKey')
      assert.equal(body.error.errorCode, 'ER-TECH-0007')
      const { body: unknown } = await ask(guard, row.method, pathOf(row))
      assert.equal(unknown.error.errorCode, row.side === 'client' ? 'ER-TECH-0007' : 'OAU_401')
    }
  }
  assert.equal(limiter.size, 0)
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
  const { status, header, body } = await transfer(guard, { ...KEY, 'x-request-id': 'trace' })
  assert.equal(status, 429)
  assert.equal(header('retry-after'), '59')
  const error = { code: 429, errorCode: 'ER-TECH-0100', message: 'Rate Limit Exceeded', trace_id: 'trace' }
  assert.deepEqual(body, { status: 'error', error })
  assert.equal((await ask(guard, 'GET', '/api/v1/orders')).status, 200)
  assert.equal((await transfer(guard, { 'x-api-key': 'other' })).status, 200)
  now += 59_000
  assert.equal((await transfer(guard)).status, 200)
})

test('with `advertise`, replies have the fields of the rate limit', async () => {
  const limiter = new RateLimiter(POLICY)
  const options = { scope, limiter, now: () => 0, advertise: POLICY }
  const guard = guardFetch(options, () => Response.redirect('http://localhost/'))
  const fields = async (method, path) => {
    const { headers } = await guard(new Request(`http://localhost${path}`, { method, headers: KEY }))
    return [headers.get('ratelimit-policy'), headers.get('ratelimit')]
  }
  assert.deepEqual(await fields('GET', '/api/v1/orders'), [null, null])
  for (const left of ['r=1;t=60', 'r=0;t=60', 'r=0;t=60']) {
    assert.deepEqual(await fields('POST', '/api/v1/nft/transfer'), ['"sendoff";q=2;w=60', `"sendoff";${left}`])
  }
})

test('if the store is lost, `onStoreLoss` decides on calls that count', async () => {
  const errors = []
  const decided = (error) => { errors.push(error.message); return 'admit' }
  for (const [onStoreLoss, code] of [['refuse', 503], ['admit', 200], [decided, 200]]) {
    const guard = guardFetch({ scope, store: LOST, onStoreLoss, advertise: POLICY }, handle)
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
  await assert.rejects(ask(guardFetch({ scope, store, onStoreLoss: lost }, never), 'POST', '/api/v1/nft/transfer'), { message: 'the limiter failed' })
})

test('whatever a store throws, it is lost; a decision for a limiter that is not there is an error', async () => {
  for (const thrown of [null, undefined, 'lost']) {
    const store = { admit: async () => { throw thrown }, touch: never }
    assert.equal((await ask(guardFetch({ scope, store, onStoreLoss: 'refuse' }, never), 'POST', '/api/v1/nft/transfer')).status, 503)
    const local = guardFetch({ scope, store, onStoreLoss: () => 'local' }, never)
    await assert.rejects(ask(local, 'POST', '/api/v1/nft/transfer'), { message: "expected a `limiter` for `onStoreLoss: 'local'`, found none" })
  }
})

test('every reply has the id of its request, in place of a handler\'s own', async () => {
  const guard = guardFetch({ scope, limiter: 'none' }, () => Response.json({}, { headers: { 'x-request-id': 'own' } }))
  for (const [path, status] of [['/api/v1/orders', 200], ['/nowhere', 404]]) {
    const reply = await ask(guard, 'GET', path, { ...KEY, 'x-request-id': 'trace' })
    assert.deepEqual([reply.status, reply.header('x-request-id')], [status, 'trace'])
  }
})

test('the body of an estimate that cannot be read is refused by its headers', async () => {
  const guard = guardFetch({ scope, limiter: 'none' }, never)
  for (const headers of [{ ...KEY, 'content-type': 'text/plain' }, { ...KEY, 'content-encoding': 'gzip' }]) {
    assert.equal((await ask(guard, 'POST', '/api/oc/v1/estimate', headers)).status, 415)
  }
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

test('in Node a guard refuses repeated headers that servers may read differently, and drops a fragment', async () => {
  const request = { method: 'GET', url: '/api/v1/orders', headers: { host: 'a', authorization: 'Bearer a' } }
  const options = { scope: () => 'shop' }
  assert.equal(await askExpress(options, request), 'passes')
  assert.equal(await askExpress(options, { ...request, url: '/api/v1/orders#top' }), 'passes')
  for (const [name, status] of [['Host', 400], ['Authorization', 401]]) {
    const reply = await askExpress(options, { ...request, rawHeaders: [name, 'a', name, 'b'] })
    assert.deepEqual([reply.status, JSON.parse(reply.body).error.code], [status, status])
  }
})

test('a guard for Hono answers refusals itself, in every runtime', async () => {
  for (const env of [undefined, {}, { incoming: {} }, { incoming: { url: '/nowhere' } }]) {
    const url = `http://localhost${env?.incoming?.url ? '/api/v1/orders' : '/nowhere'}`
    const c = { req: { method: 'GET', url, header: (name) => (name ? KEY[name] : KEY) }, env, header: never }
    const reply = await guardHono({ scope: never, limiter: 'none' })(c, never)
    assert.deepEqual([reply.status, (await reply.json()).error.code], [404, 404])
  }
})

test('a trace id comes from traceparent, or x-request-id, or is new', () => {
  const id = '0af7651916cd43dd8448eb211c80319c'
  const parent = 'b7ad6b7169203331'
  const traced = async (headers) => (await ask(guardFetch({ scope, limiter: 'none' }, handle), 'GET', '/', headers)).body.error.trace_id
  const good = [`00-${id}-${parent}-01`, `cc-${id}-${parent}-00`, `cc-${id}-${parent}-00-more`]
  const bad = [
    `00-${id}-${parent}-01-more`,
    `ff-${id}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `00-${id.toUpperCase()}-${parent}-01`,
    `00-${id}-${parent}`,
    `00-${id}-${parent}-01, 00-${id}-${parent}-01`,
  ]
  return Promise.all([
    ...good.map(async (traceparent) => assert.equal(await traced({ traceparent, 'x-request-id': 'other' }), id)),
    ...bad.map(async (traceparent) => assert.equal(await traced({ traceparent, 'x-request-id': 'other' }), 'other')),
    ...['', 'a b', 'é', 'x'.repeat(129)].map(async (name) => {
      assert.match(await traced({ 'x-request-id': name }), /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
    }),
  ])
})

test('a request keeps its trace id, and only guarded requests have an operation', () => {
  const request = {}
  assert.equal(traceId(request), traceId(request))
  assert.notEqual(traceId(request), traceId({}))
  assert.throws(() => passed(request), /expected a request that passed a guard of `sendoff\/http`/)
})

test('a guard for fetch answers errors of the caller, and rethrows others', async () => {
  const guard = guardFetch({ scope, limiter: 'none' }, (_, { operation }) => Response.json(operationPath(operation, { a: 1 })))
  const { status, body } = await ask(guard, 'GET', '/api/v1/orders', { ...KEY, 'x-request-id': 'trace' })
  assert.deepEqual([status, body.error.code, body.error.trace_id], [400, 400, 'trace'])
  await assert.rejects(ask(guardFetch({ scope, limiter: 'none' }, () => never('a bug')), 'GET', '/api/v1/orders'), { message: 'a bug' })
})

test('an invalid policy in `advertise` is refused when the guard is created', () => {
  const options = { scope, limiter: new RateLimiter(POLICY), advertise: { limit: 0, windowMs: 1 } }
  assert.throws(() => guardFetch(options, handle), { name: 'SendoffError' })
})

test('in Node a guard reads the target of the request line', async (t) => {
  const scope = ({ headers }) => headers['x-api-key']
  const guard = guardExpress({ scope, advertise: POLICY, limiter: new RateLimiter(POLICY) })
  const server = createServer((request, response) => {
    guard(request, response, (error) => {
      if (error) throw error
      response.end(passed(request).operation)
    })
  })
  await listening(t, server)
  const send = async (line, key = 'shop') => {
    const socket = connect(server.address().port, '127.0.0.1')
    socket.write(`${line} HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\nconnection: close\r\n\r\n`)
    return text(socket)
  }
  for (const target of ['/api/v1/../v1/orders', '/api/v1/%2e%2e/v1/orders', '/api%2Fv1/orders', '/api\\v1/orders', '*'])
    assert.match(await send(`GET ${target}`), /^HTTP\/1\.1 400 [^]*"code":400/)
  for (const target of ['//api/v1/orders', '/api//v1/orders', '/API/v1/orders', '/api/v1/orders;a', '/api/v1/order%73'])
    assert.match(await send(`GET ${target}`), /^HTTP\/1\.1 404 [^]*the path `\/api\/v1\/orders`, found a spelling of it that is not canonical/)
  assert.match(await send('GET /api/v1/orders?page=1'), /^HTTP\/1\.1 200 [^]*\norders/)
  assert.match(await send('POST /api/v1/nft/transfer'), /^HTTP\/1\.1 200 [^]*\nratelimit: "sendoff";r=1;t=60/i)
  assert.match(await send('POST /api/v1/nft/transfer', ''), /^HTTP\/1\.1 401 /)
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

test('with `others`, the host answers routes that are not operations', async () => {
  const others = (request) => Response.json({ path: new URL(request.url).pathname })
  const guard = guardFetch({ scope: () => undefined, limiter: new RateLimiter(POLICY) }, never, others)
  const { status, body } = await ask(guard, 'GET', '/healthz')
  assert.deepEqual([status, body], [200, { path: '/healthz' }])
  // Aliases of an operation's path are still refused.
  for (const [line, status] of [['POST /api/v1/nft/transfer/', 404], ['PUT /api/v1/nft/transfer', 405], ['POST /api/v1/nft/transfer', 401]]) {
    assert.equal((await ask(guard, ...line.split(' '))).status, status, line)
  }
  const operations = guardFetch({ scope, limiter: 'none' }, handle, never)
  assert.equal((await ask(operations, 'GET', '/api/v1/orders')).body.operation, 'orders')
  const stranger = { method: 'GET', url: '/healthz', headers: {} }
  assert.equal(await askExpress({ scope: never, others: 'ignore' }, stranger), 'passes')
  assert.throws(() => passed(stranger), ({ refusal }) => refusal.refused === 'not-found')
})

test('with `cors`, a page of another origin can call and read refusals', async () => {
  const [mine, other] = ['https://app.example', 'https://other.example']
  const limiter = new RateLimiter({ ...POLICY, limit: 1 })
  const guard = guardFetch({ scope, limiter, cors: { origins: [mine] } }, handle)
  const preflight = { origin: mine, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' }
  const sent = async (method, headers) => {
    const response = await guard(new Request('http://localhost/api/v1/nft/transfer', { method, headers }))
    const named = (name) => response.headers.get(`access-control-${name}`)
    const vary = response.headers.get('vary')
    return { status: response.status, text: await response.text(), named, vary, retryAfter: response.headers.get('retry-after') }
  }
  const { status, text, named, vary } = await sent('OPTIONS', preflight)
  assert.deepEqual([status, text, vary], [204, '', 'origin'])
  assert.deepEqual(
    ['allow-origin', 'allow-methods', 'allow-headers', 'max-age'].map(named),
    [mine, 'GET, POST', 'x-api-key', '600'],
  )
  assert.equal(limiter.size, 0)
  for (const [status, retryAfter] of [[200, null], [429, '60']]) {
    const answer = await sent('POST', { ...KEY, origin: mine })
    assert.deepEqual([answer.status, answer.named('allow-origin')], [status, mine])
    for (const name of ['retry-after', 'x-request-id']) assert(answer.named('expose-headers').split(', ').includes(name))
    assert.equal(answer.retryAfter === null, retryAfter === null)
  }
  const nobody = await sent('POST', { origin: mine })
  assert.deepEqual([nobody.status, nobody.named('allow-origin')], [401, mine])
  for (const headers of [{ ...KEY, origin: other }, KEY]) {
    const answer = await sent('POST', headers)
    assert.deepEqual([answer.named('allow-origin'), answer.vary], [null, 'origin'])
  }
  assert.equal((await sent('OPTIONS', { ...preflight, origin: other })).named('allow-origin'), null)
  // An OPTIONS request that is not a preflight has the wrong method.
  const { origin, 'access-control-request-method': asks, ...wanted } = preflight
  for (const headers of [{ origin }, { ...wanted, 'access-control-request-method': asks }, wanted]) {
    assert.equal((await sent('OPTIONS', headers)).status, 405)
  }
  assert.equal((await sent('PUT', preflight)).status, 405)
  const plain = await sent('OPTIONS', { origin, 'access-control-request-method': asks })
  assert.deepEqual([plain.status, plain.named('allow-headers')], [204, null])
  const express = await askExpress({ scope: never, cors: { origins: [mine] } }, { method: 'OPTIONS', url: '/', headers: preflight })
  assert.deepEqual([express.status, express.body, express.headers['access-control-allow-methods']], [204, '', 'GET, POST'])
  const open = guardFetch({ scope, cors: { origins: '*', maxAge: 5 }, limiter: 'none' }, handle)
  const { headers } = await open(new Request('http://localhost/api/v1/orders', { method: 'OPTIONS', headers: { ...preflight, origin: other } }))
  assert.deepEqual([headers.get('access-control-allow-origin'), headers.get('access-control-max-age'), headers.get('vary')], ['*', '5', null])
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
  for (const request of [
    new Request('http://localhost', { headers }),
    { headers },
    { req: { header: (name) => headers[name] } },
    { raw: null, headers },
    { raw: { headers }, headers },
  ]) assert.equal(traceId(request), 'mine')
  assert.match(traceId({ headers: { get: 'mine' } }), /^[0-9a-f-]{36}$/)
  const unnamed = { headers: {} }
  const id = traceId(unnamed)
  assert.match(id, /^[0-9a-f-]{36}$/)
  const { body } = await askExpress({ scope: never }, { raw: unnamed, headers: {}, method: 'GET', url: '/nowhere' })
  assert.equal(JSON.parse(body).error.trace_id, id)
})
