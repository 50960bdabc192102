// `forward` of `sendoff/http` in Node alone: what the backend gets, and every way in which it may not answer.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { createServer as createSocketServer } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { answerExpress, errorsExpress, failureReply, forward, guardExpress } from 'sendoff/http'
import { listening, thrown } from './help.mjs'

const TRANSFER = '/api/v1/nft/transfer'

/** A backend that answers with what it got. */
const echo = (t) =>
  listening(t, createServer(async ({ method, url, headers, ...request }, response) => {
    response.end(JSON.stringify({ method, url, headers }))
  }).on('request', (request) => request.resume()))

/** A host that forwards each request, on a server of HTTP/1 or HTTP/2. */
function forwarding(backend, create = createServer) {
  return create(async (request, response) => {
    try {
      const { status, headers, body } = await forward(request, backend)
      response.writeHead(status, headers)
      body.pipe(response)
    } catch (error) {
      response.writeHead(error.refusal ? 502 : 500, { 'x-refused': error.refusal?.refused ?? error.message }).end()
    }
  })
}

/** What is refused, by its name. */
const refused = async (url, init) => (await fetch(url + TRANSFER, { method: 'POST', body: '{}', ...init })).headers.get('x-refused')

test('a backend that changes the protocol or ends without a reply is lost at once', async (t) => {
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
  const answers = {
    '101, and closed': (socket) => socket.end(switched),
    '101, and open': (socket) => socket.write(switched),
    '101 with more behind it': (socket) => socket.write(`${switched}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`),
    'closed without a reply': (socket) => socket.end(),
    'reset without a reply': (socket) => socket.resetAndDestroy(),
    'an early hint, and closed': (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'),
    'an early hint, and reset': (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n', () => socket.resetAndDestroy()),
    'half a head': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-'),
    'no HTTP': (socket) => socket.end('hello\r\n\r\n'),
  }
  for (const [name, answer] of Object.entries(answers)) {
    const backend = createSocketServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)))
    const url = await listening(t, forwarding({ url: await listening(t, backend), timeoutMs: 20_000 }))
    const began = performance.now()
    assert.equal(await refused(url), 'backend-lost', name)
    assert(performance.now() - began < 5_000, name)
  }
  const silent = createSocketServer((socket) => socket.on('error', () => {}))
  const url = await listening(t, forwarding({ url: await listening(t, silent), timeoutMs: 200 }))
  assert.equal(await refused(url), 'backend-late')
  const nobody = await listening(t, forwarding({ url: 'http://127.0.0.1:1', timeoutMs: 20_000 }))
  assert.equal(await refused(nobody), 'backend-lost')
})

test('a GET with a body, a `connection` that names a header for the backend, and a body above the highest limit, are refused before anything is sent', async () => {
  const named = 'expected only headers of this connection in `connection`, found one for the backend'
  const most = 2 ** 32 - 1
  for (const [method, headers, refused, message] of [
    ['GET', { 'content-length': '2' }, 400, 'expected a GET without a body, found one with a body'],
    ...['close, authorization', 'close, Content-Length', 'X-API-Key'].map((connection) => ['GET', { connection }, 400, named]),
    ['POST', { 'content-length': String(2 ** 33) }, 413, `expected a body of at most ${most} bytes, found a longer one`],
  ]) {
    const call = forward({ method, url: '/api/v1/orders', headers }, { url: 'http://127.0.0.1:1', bodyBytes: most })
    const { status, body } = failureReply('trace', await thrown(() => call))
    assert.deepEqual([status, body.error.message], [refused, message], JSON.stringify(headers))
  }
})

test('a body that somebody has read is a fault of the host, said at once', async (t) => {
  const told = []
  const backend = { url: await echo(t), timeoutMs: 20_000 }
  const [guard, answers, failed] = [
    guardExpress({ scope: () => 'shop', limiter: 'none' }),
    answerExpress({ facts: () => ({}), catalogue: () => ({ chains: [] }), backend }),
    errorsExpress({ onError: (error) => told.push(error.message) }),
  ]
  const readers = [(request) => json(request), (request) => new Promise((resolve) => request.once('data', resolve))]
  for (const [path, reads] of [TRANSFER, '/api/oc/v1/estimate'].flatMap((path) => readers.map((reads) => [path, reads]))) {
    const url = await listening(t, createServer((request, response) => {
      guard(request, response, async () => {
        await reads(request)
        answers(request, response, (error) => failed(error, request, response))
      })
    }))
    const began = performance.now()
    const reply = await fetch(url + path, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })
    assert.deepEqual([reply.status, performance.now() - began < 5_000], [500, true])
  }
  assert.deepEqual(told, Array(4).fill('expected a body that nobody has read, found one that a body parser has read'))

  // Without a body there is nothing to read: a body parser may have looked.
  const url = await listening(t, createServer(async (request, response) => {
    await text(request)
    const { status } = await forward(request, backend)
    response.writeHead(status).end()
  }))
  assert.equal((await fetch(`${url}/api/v1/orders`)).status, 200)
})

test('a body is forwarded up to a number of bytes', async (t) => {
  const received = new Map()
  const backend = await listening(t, createServer((request, response) => {
    const { 'job-id': job } = request.headers
    request.on('error', () => {}).on('data', (part) => received.set(job, (received.get(job) ?? 0) + part.length)).on('end', () => response.end())
  }))
  const chunked = (length) => ({ duplex: 'half', body: new Blob([new Uint8Array(length)]).stream() })
  for (const [most, options] of [[1_048_576, {}], [70_000, { bodyBytes: 70_000 }]]) {
    const url = await listening(t, forwarding({ url: backend, ...options }))
    for (const [length, expected] of [[most, null], [most + 1, 'too-large'], [20_000_000, 'too-large']]) {
      // Known before it comes, and found while it comes.
      for (const [job, init] of Object.entries({ whole: { body: new Uint8Array(length) }, chunked: chunked(length) })) {
        const name = `${job} ${length} of ${most}`
        assert.equal(await refused(url, { ...init, headers: { 'job-id': name } }), expected, name)
        const found = received.get(name) ?? 0
        assert(expected === null ? found === length : job === 'whole' ? found === 0 : found <= most, `${name}: ${found}`)
      }
    }
  }
})

test('headers that gateways write for their backends do not pass', async (t) => {
  const url = await listening(t, forwarding({ url: await echo(t) }))
  const forged = [
    'x-credential-identifier', 'x-credential-username', 'x-anonymous-consumer', 'x-jwt-assertion', 'x-apigateway-api-userinfo', 'x-endpoint-api-userinfo',
    'x-apigateway-event', 'x-middleware-subrequest', 'x-middleware-rewrite', 'x-consumer-custom-id', 'x-authentik-username', 'remote-groups', 'x-remote-user',
    'cf-access-authenticated-user-email', 'cf-connecting-ip', 'x-appengine-user-email', 'x-goog-iap-jwt-assertion', 'tailscale-user-login', 'x-tyk-authorization',
    'x-pomerium-claim-email', 'x-ms-token-aad-id-token', 'x-ms-client-principal', 'cloudfront-viewer-address', 'fly-client-ip', 'x-nf-client-connection-ip',
    'x-vercel-forwarded-for', 'client-cert', 'client-cert-chain', 'x-userinfo', 'x_jwt_assertion', 'X_Middleware_Subrequest', 'x-envoy-external-address', 'client-ip', 'x_api_key', 'transfer_encoding', 'x-sendfile-type', 'x-original-url',
    'x-forwarded-for', 'forwarded', 'x-real-ip', 'proxy', 'x-http-method-override', 'teleport-jwt-assertion',
  ]
  const kept = { 'x-api-key': 'k', 'x-shop-campaign': 'a', 'job-id': 'b', 'x-request-id': '0b5f2a9c', 'x-device-token': 'c' }
  const headers = { ...Object.fromEntries(forged.map((name) => [name, 'forged'])), ...kept }
  const told = await (await fetch(url + TRANSFER, { method: 'POST', body: '{}', headers })).json()
  assert.deepEqual(Object.keys(told.headers).filter((name) => told.headers[name] === 'forged'), [])
  for (const [name, value] of Object.entries(kept)) assert.equal(told.headers[name], value, name)
})

test('behind trusted proxies the backend gets the address of the caller', async (t) => {
  const backend = await echo(t)
  const seen = async (proxies, headers = {}) => {
    const url = await listening(t, forwarding({ url: backend, ...(proxies && { proxies }) }))
    const told = await (await fetch(url + TRANSFER, { method: 'POST', body: '{}', headers })).json()
    return [told.headers['x-forwarded-for'], told.headers.forwarded]
  }
  const local = ['127.0.0.0/8', '10.0.0.0/8', '2001:db8::/32']
  const list = (header, text) => seen({ addresses: local, header }, { [header]: text })
  assert.deepEqual(await seen(undefined, { 'x-forwarded-for': '192.0.2.1' }), [undefined, undefined])
  assert.deepEqual(await seen({ addresses: [], header: 'forwarded' }, { forwarded: 'for=192.0.2.1' }), ['127.0.0.1', undefined])
  for (const [header, text, expected] of [
    ['x-forwarded-for', '192.0.2.1', '192.0.2.1'],
    // What the caller wrote is at the left of what its proxy wrote.
    ['x-forwarded-for', '198.51.100.7, 192.0.2.1', '192.0.2.1'],
    ['x-forwarded-for', '198.51.100.7, 192.0.2.1, 10.1.2.3', '192.0.2.1'],
    ['x-forwarded-for', '192.0.2.1:8080', '192.0.2.1'],
    ['x-forwarded-for', '[2001:db9::1]:443, 2001:db8::5', '2001:db9::1'],
    ['x-forwarded-for', '::ffff:192.0.2.1', '192.0.2.1'],
    ['x-forwarded-for', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    // What is no address ends the list: the proxy at its right is the last that is known.
    ['x-forwarded-for', '192.0.2.1, unknown, 10.1.2.3', '10.1.2.3'],
    ['x-forwarded-for', '', '127.0.0.1'],
    ['forwarded', 'for=192.0.2.1;proto=https', '192.0.2.1'],
    ['forwarded', 'for=198.51.100.7, for="[2001:db9::1]:443";by=_a, for=10.0.0.1', '2001:db9::1'],
    ['forwarded', 'for="198.51.100.7, for=192.0.2.1, For=10.0.0.1', '192.0.2.1'],
    ['forwarded', 'for=_hidden, for=10.0.0.1', '10.0.0.1'],
    ['forwarded', 'by=192.0.2.1', '127.0.0.1'],
  ]) assert.deepEqual(await list(header, text), [expected, undefined], `${header}: ${text}`)
  // Another header is the caller's own text.
  assert.deepEqual(await seen({ addresses: local, header: 'forwarded' }, { 'x-forwarded-for': '192.0.2.1' }), ['127.0.0.1', undefined])
})

test("a call to Node's HTTP/2 server is forwarded without the names of HTTP/2", async (t) => {
  const url = await listening(t, forwarding({ url: `${await echo(t)}/v9/` }, createHttp2Server))
  const client = connectHttp2(url)
  t.after(() => client.close())
  const ask = async (headers, body) => {
    const stream = client.request({ ':path': TRANSFER, ':method': 'POST', ...headers }, { endStream: false })
    stream.end(body)
    const [head] = await once(stream, 'response')
    return [head[':status'], head['x-refused'], await text(stream)]
  }
  const [status, , body] = await ask({ 'x-api-key': 'k', 'x-shop-campaign': 'a' }, '{"a":1}')
  const { method, url: path, headers } = JSON.parse(body)
  assert.deepEqual([status, method, path, headers['x-api-key'], headers['x-shop-campaign']], [200, 'POST', `/v9${TRANSFER}`, 'k', 'a'])
  assert.deepEqual(Object.keys(headers).filter((name) => name.startsWith(':')), [])
  // A body without a length would be read as the next request.
  assert.deepEqual((await ask({ ':method': 'GET' }, 'GET /api/v1/orders HTTP/1.1\r\n\r\n')).slice(0, 2), [502, 'body-of-get'])
})
