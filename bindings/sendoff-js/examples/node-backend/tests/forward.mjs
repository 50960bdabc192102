// Calls that pass the guard go to a real wallet backend, and its replies come back. What is refused:
// test/host-forward.test.mjs of the package.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as send } from 'node:http'
import { buffer, json, text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { host } from './support/host.mjs'
import { wallet } from './support/wallet.mjs'

const CLIENT = { authorization: 'Bearer demo-token' }
const TRANSFER = '/api/v1/nft/transfer'
/** For calls that are to end by the timeout. All others have a minute: on a busy machine a reply can take longer than this. */
const IMPATIENT = { BACKEND_TIMEOUT_MS: '2000' }

for (const name of ['express', 'hono', 'fastify']) {
  /** A server in front of a backend, and how it is asked: the head of the reply, with its body still to be read. */
  const behind = async (t, env = {}) => {
    const { url: BACKEND_URL, seen } = await wallet(t)
    const { url } = await host(t, name, { BACKEND_URL, BACKEND_TIMEOUT_MS: '60000', ...env })
    const begin = (play, { method = 'POST', path = TRANSFER, ...headers } = {}) =>
      send(url + path, { method, headers: { ...CLIENT, 'x-play': play, ...headers } })
    const ask = async (play, { body, ...head } = {}) => {
      const [reply] = await once(begin(play, head).end(body), 'response')
      return reply
    }
    return { begin, ask, seen }
  }
  /** The server of the tests that neither count calls nor need another configuration. */
  const { begin, ask } = await behind({ after })
  const impatient = await behind({ after }, IMPATIENT)

  test(`${name}: a call goes on as it came, without what is for this connection or forged`, async () => {
    const body = '{ "a":1,"a":2 }'
    const kept = { 'x-api-key': 'demo-client-key', 'content-type': 'application/json', cookie: 'a=1; b=2', 'x-request-id': '0b5f2a9c' }
    const hop = { connection: 'keep-alive, X-Hop', 'x-hop': '1', 'keep-alive': 'timeout=9', te: 'trailers', 'proxy-authorization': 'a' }
    const forged = { forwarded: 'for=1', 'x-forwarded-for': '1', 'x-real-ip': '1', x_forwarded_host: 'a', 'x-original-url': '/b' }
    const path = `${TRANSFER}?to=%41%2f&to=b`
    const reply = await ask('tell', { path: `${path}#c`, body, ...kept, ...hop, ...forged })
    const told = await json(reply)
    assert.deepEqual([reply.statusCode, told.method, told.url, told.body], [200, 'POST', path, body])
    const { host: its, connection, ...headers } = told.headers
    assert.deepEqual(headers, { ...CLIENT, ...kept, 'x-play': 'tell', 'content-length': String(body.length) })
    assert.match(its, /^127\.0\.0\.1:\d+$/)
    assert.equal(reply.headers['x-request-id'], kept['x-request-id'])
    // Without an id of the caller the backend gets that of the reply.
    const unnamed = await ask('tell')
    assert.match(unnamed.headers['x-request-id'], /^[0-9a-f-]{36}$/)
    assert.equal((await json(unnamed)).headers['x-request-id'], unnamed.headers['x-request-id'])
  })

  test(`${name}: a reply comes back as it was, without what is for the backend's connection`, async () => {
    const reply = await ask('headers')
    const { 'set-cookie': cookies, 'content-encoding': coding, etag, ...rest } = reply.headers
    assert.deepEqual([cookies, coding, etag], [['a=1', 'b=2'], 'gzip', '"1"'])
    assert.deepEqual(['x-hop', 'proxy-authenticate'].filter((field) => field in rest), [])
    assert.notEqual(rest['x-request-id'], 'its own')
    assert.equal(gunzipSync(await buffer(reply)).toString(), 'packed')
    const limit = '{"status":"error","error":{"code":429,"message":"its own limit"}}'
    for (const [play, ...expected] of [['empty', 204, undefined, ''], ['limited', 429, '7', limit], ['busy', 503, 'Sun, 22 Nov 2026 08:49:37 GMT', '{}']]) {
      const other = await ask(play)
      assert.deepEqual([other.statusCode, other.headers['retry-after'], await text(other)], expected)
    }
  })

  test(`${name}: bodies go part by part in both directions`, async () => {
    const call = begin('echo', { 'content-type': 'application/octet-stream' })
    call.write('one')
    const [reply] = await once(call, 'response')
    assert.equal(String((await once(reply, 'data'))[0]), 'one')
    // What was not written yet cannot have been collected.
    call.write('two')
    assert.equal(String((await once(reply, 'data'))[0]), 'two')
    call.end()
    assert.equal(await text(reply), '')

    const large = begin('echo', { 'content-type': 'application/octet-stream' })
    const bytes = Buffer.alloc(5_000_000, 'sendoff')
    large.end(bytes)
    const [echoed] = await once(large, 'response')
    assert(bytes.equals(await buffer(echoed)))
  })

  test(`${name}: a backend that hangs up is 502, and one that is silent 504`, async () => {
    const { ask, seen } = impatient
    const failed = async (reply) => [reply.statusCode, (await json(reply)).error]
    const about = { errorCode: 'ER-TECH-0006', trace_id: '0b5f2a9c' }
    const id = { 'x-request-id': '0b5f2a9c', body: '{}' }
    const began = performance.now()
    assert.deepEqual(await failed(await ask('late', id)), [504, { code: 504, message: 'the backend does not answer in time', ...about }])
    const took = performance.now() - began
    assert(took >= 1_990 && took < 5_000, `${took} ms`)
    const lost = [502, { code: 502, message: 'the backend does not answer', ...about }]
    assert.deepEqual(await failed(await ask('hangUp', id)), lost)
    // Neither call was sent twice.
    assert.equal(seen.calls, 2)
  })

  test(`${name}: half a reply does not look whole`, async () => {
    for (const reply of [await ask('breakOff'), await impatient.ask('stall')]) {
      assert.equal(reply.statusCode, 200)
      await assert.rejects(text(reply), /aborted|terminated/)
    }
  })

  test(`${name}: a caller who leaves in the middle of a body is not waited for`, async (t) => {
    const { begin, seen } = await behind(t)
    const call = begin('late', { 'content-length': '10' }).on('error', () => {})
    call.write('half')
    while (seen.calls < 1) await sleep(20)
    call.destroy()
    for (const end = performance.now() + 5_000; seen.broken < 1 && performance.now() < end;) await sleep(20)
    assert.equal(seen.broken, 1)
  })
}
