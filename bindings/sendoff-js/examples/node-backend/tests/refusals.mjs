// The corpus of refusals, sent to the three servers and to the guard for fetch. The gateway has the same test.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { answerFetch, guardFetch } from 'sendoff/http'
import { scope, service } from '../backend.mjs'
import { host } from './support/host.mjs'
import { redisServer } from './support/redis-server.mjs'

const { cases } = JSON.parse(readFileSync(new URL('../../../../../tests/refusals/refusals.json', import.meta.url), 'utf8'))
const CREDENTIALS = { token: 'demo-token', key: 'demo-client-key', 'server-key': 'demo-key', 'other-token': 'other-token' }
const OF_CONNECTIONS = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'x-powered-by']

const worldOf = ({ world = 'plain' }) => world
const inWorld = (world) => cases.filter((each) => worldOf(each) === world)
const named = (text, names) => text.replace(/\{([a-z-]+)\}/g, (brace, name) => names[name] ?? brace)

/** The method, target, headers and body of a case. */
function requestOf({ request: { line, headers, body = [] } }) {
  const [method, target] = line.split(/ (.*)/)
  const fields = Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => [name, named(value, CREDENTIALS)]))
  const parts = (typeof body === 'string' ? [{ text: body }] : body)
    .map(({ text, times = 1, hex }) => (hex ? Buffer.from(hex, 'hex') : Buffer.from(text.repeat(times))))
  return { method, target, fields, body: Buffer.concat(parts) }
}

/** Compares a reply with that of a case: all headers, and the bytes of the body. */
function check(each, { status, headers, body }) {
  const found = Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTIONS.includes(name)))
  const seconds = found['retry-after']
  if (worldOf(each) === 'full') assert(Number(seconds) >= 1 && Number(seconds) <= 91, seconds)
  const expected = Object.entries(each.reply.headers).map(([name, value]) => [name, named(value, { seconds })])
  assert.equal(body, each.reply.body, each.name)
  assert.deepEqual({ status, headers: found }, { status: each.reply.status, headers: Object.fromEntries(expected) }, each.name)
}

/** Sends the bytes of a case, and returns the reply. */
async function exchange(url, each) {
  const { method, target, fields, body } = requestOf(each)
  const { hostname, port, host } = new URL(url)
  const length = method === 'GET' ? [] : [['content-length', body.length]]
  const lines = [['host', host], ['connection', 'close'], ...length, ...fields].map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(port), hostname)
  socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`)
  // A body that is too large is refused by its length: it is not waited for.
  if (body.length <= 2 ** 20) socket.write(body)
  const answer = (await buffer(socket)).toString()
  const [head, ...rest] = answer.split('\r\n\r\n')
  const [line, ...headers] = head.split('\r\n')
  return {
    status: Number(line.split(' ')[1]),
    headers: headers.map((header) => header.split(/: (.*)/)).map(([name, value]) => [name.toLowerCase(), value]),
    body: rest.join('\r\n\r\n'),
  }
}

for (const name of ['express', 'hono', 'fastify']) {
  test(`${name}: refusals have the expected bytes`, async (t) => {
    const server = await host(t, name, { LIMIT: '1000' })
    for (const each of inWorld('plain')) check(each, await exchange(server.url, each))
  })

  test(`${name}: refusals of a full window have the expected bytes`, async (t) => {
    const server = await host(t, name, { LIMIT: '1', WINDOW_MS: '90500' })
    const [first] = inWorld('full')
    assert.equal((await exchange(server.url, first)).status, 501)
    for (const each of inWorld('full')) check(each, await exchange(server.url, each))
  })

  test(`${name}: refusals without the store have the expected bytes`, async (t) => {
    const store = await redisServer()
    const server = await host(t, name, { REDIS_URL: store.url, QUIET: 'yes' })
    await store.end()
    for (const each of inWorld('lost')) check(each, await exchange(server.url, each))
  })
}

test('fetch: refusals have the expected bytes', async () => {
  const guard = guardFetch({ scope, limiter: 'none' }, answerFetch(service))
  for (const each of inWorld('plain').filter(({ onWireOnly }) => !onWireOnly)) {
    const { method, target, fields, body } = requestOf(each)
    const init = { method, headers: fields, ...(method === 'GET' ? {} : { body }) }
    const response = await guard(new Request(`http://localhost${target}`, init))
    check(each, { status: response.status, headers: response.headers, body: await response.text() })
  }
})
