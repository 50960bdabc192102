// The entry `sendoff/sandbox`: the pocket service behind `fetch`, as data, and in Node's server.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { OPERATIONS, SendoffError } from 'sendoff'
import { Sandbox } from 'sendoff/sandbox'
import { listening } from './help.mjs'

const NOW = 1_750_000_000_000
const ORIGIN = 'https://sandbox.example'
const headers = { authorization: 'Bearer sandbox-token', 'content-type': 'application/json' }
const transfer = {
  network_name: 'POLYGON',
  token_address: '',
  quantity: '0.1',
  recipient_address: '0xCDAC489b062A5d057Bd15DdE758829eCF3A14e5B',
}
const EXECUTE = '/api/v1/transfer/tokens/execute'
const POST = { method: 'POST', body: JSON.stringify(transfer) }

test('the module replays a record of the core to the byte, in ESM and CommonJS, and goes on from a saved state', () => {
  const record = JSON.parse(readFileSync(new URL('../../../crates/sendoff-sandbox/tests/record.json', import.meta.url), 'utf8'))
  assert(record.length > 20)
  for (const entry of [Sandbox, createRequire(import.meta.url)('sendoff/sandbox').Sandbox]) {
    const told = []
    const world = { onAnswer: (request, now, reply) => told.push({ now, request, reply }) }
    let sandbox = new entry({ seed: 'record' }, world)
    for (const [at, { now, request, reply }] of record.entries()) {
      assert.deepEqual(sandbox.answer(request, now), reply)
      if (at === record.length >> 1) sandbox = entry.load(sandbox.save(), world)
    }
    assert.deepEqual(told.map(({ reply }) => reply), record.map(({ reply }) => reply))
  }
})

test('its memory does not grow with the number of calls', () => {
  const sandbox = new Sandbox({ limits: null })
  const rss = () => (globalThis.gc?.(), process.memoryUsage().arrayBuffers + process.memoryUsage().external)
  const ask = () => sandbox.answer({ method: 'GET', target: '/api/v1/portfolio', headers }, NOW)
  for (let at = 0; at < 200; at++) ask()
  const before = rss()
  for (let at = 0; at < 3_000; at++) ask()
  assert(rss() - before < 1 << 24)
})

test('what is unknown or of another type is refused', () => {
  assert.throws(() => new Sandbox({ speed: 1 }), (error) => SendoffError.is(error) && error.message.includes('speed'))
  assert.throws(() => new Sandbox().answer({ target: '/' }), SendoffError.is)
  for (const saved of ['{}', null, undefined, 5, {}, [], '']) assert.throws(() => Sandbox.load(saved), SendoffError.is, String(saved))
  for (const name of ['now', 'sleep', 'onAnswer', 'onError']) {
    for (const [value, found] of [[5, 'number'], [{}, 'object'], ['now', 'string'], [false, 'boolean']]) {
      for (const start of [(world) => new Sandbox({}, world), (world) => Sandbox.load(new Sandbox().save(), world)]) {
        assert.throws(() => start({ [name]: value }), { name: 'TypeError', message: `expected a function in \`${name}\`, found ${found}` })
      }
    }
    new Sandbox({}, { [name]: undefined })
  }
})

test("lies about delivery are told by `fetch`, and by Node's server", async (t) => {
  let slept = 0
  const sandbox = new Sandbox({}, { sleep: async (ms) => void (slept += ms) })
  const ask = (lie, init) => sandbox.fetch(`${ORIGIN}/api/v1/portfolio`, { headers: { ...headers, 'x-sandbox-lie': lie }, ...init })
  assert.equal((await ask('slow')).status, 201)
  assert.equal(slept, 30_000)
  await assert.rejects((await ask('half-a-body')).text(), TypeError)
  await assert.rejects(ask('timeout-after'), TypeError)
  await assert.rejects(ask('timeout-before', { signal: AbortSignal.abort() }), { name: 'AbortError' })
  await assert.rejects((await ask('not-json')).json(), SyntaxError)

  const { ask: askServer } = await served(t, new Sandbox())
  const lied = (lie, more) => askServer('/api/v1/portfolio', { headers: { ...headers, 'x-sandbox-lie': lie }, ...more })
  await assert.rejects((await lied('half-a-body')).text(), TypeError)
  await assert.rejects(lied('timeout-after', { signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' })
})

test('a service worker passes on what is not for the service', () => {
  const sandbox = new Sandbox()
  const handled = (path) => sandbox.handles({ url: `https://wallet.example${path}` })
  for (const path of ['/api/v1/portfolio?page=1', '/api/v2/authenticate', '/api/oc/v1/estimate', '/s2s/api/v1/wallet', '/rpc']) assert(handled(path), path)
  for (const path of ['/', '/api/login', '/api', '/s2s', '/rpc/more', '/app/api/v1/portfolio']) assert(!handled(path), path)

  const route = readFileSync(new URL('../../../crates/sendoff-sandbox/src/service/route.rs', import.meta.url), 'utf8')
  const companions = [...route.matchAll(/"(?:GET|POST) ([^"]+)"/g)].map(([, path]) => path)
  const operations = OPERATIONS.map(({ path }) => path.replace(/{\w+}/, '{id}'))
  assert(companions.length >= 20 && operations.length >= 16)
  const paths = new Set([...companions, ...operations])

  // Another path of the page's own server goes there.
  for (const path of paths) {
    const inner = path.replace('{id}', '{id}/more')
    const others = [`${path}/`, `${path}/more`, path.replace(/\w$/, '$&s'), inner, path.replace('{id}', ''), path.replace(/\/[^/]+$/, ''), path.replace(/^\/s2s/, ''), `/s2s${path}`]
    assert(handled(`${path.replace('{id}', '7')}?page=1`), path)
    for (const other of others) assert.equal(handled(other.replace('{id}', '7')), paths.has(other), other)
  }
})

test("Node's server goes on when a caller leaves in the middle of a body", async (t) => {
  const { server, port, ask } = await served(t, new Sandbox())
  const socket = connect(port, '127.0.0.1')
  const asked = once(server, 'request')
  socket.write('POST /api/v1/portfolio HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"a":1')
  const [request] = await asked
  socket.destroy()
  await new Promise((resolve) => request.on('close', resolve))
  assert.equal((await ask('/api/v1/portfolio')).status, 201)
})

/** Node's server of a sandbox, and a function that asks it. */
async function served(t, sandbox) {
  const server = createServer(sandbox.listener)
  const url = await listening(t, server)
  return { server, port: server.address().port, ask: (path, init) => fetch(url + path, { headers, ...init }) }
}

/** What the console prints as errors from here on. */
function prints(t) {
  const printed = []
  t.mock.method(console, 'error', (...words) => printed.push(words))
  return printed
}

test('a body that is not UTF-8 is refused, as the gateway refuses it', async (t) => {
  const answered = []
  const sandbox = new Sandbox({}, { onAnswer: ({ body }) => answered.push(body) })
  const { ask } = await served(t, sandbox)
  const text = new TextEncoder().encode(JSON.stringify({ ...transfer, note: 'é' }))
  const cut = text.slice(0, text.lastIndexOf(0xa9))
  for (const send of [ask, (path, init) => sandbox.fetch(`${ORIGIN}${path}`, { headers, ...init })]) {
    for (const body of [cut, Uint8Array.of(0x22, 0xff, 0x22), Uint8Array.of(0xed, 0xa0, 0x80)]) {
      const refused = await send(EXECUTE, { method: 'POST', body })
      const { error } = await refused.json()
      assert.deepEqual([refused.status, error.code, error.errorCode], [400, 400, 'ER-TECH-0016'])
      assert.match(error.trace_id, /^[0-9a-f]{32}$/)
    }
    // A byte order mark is a part of the body.
    const marked = await send(EXECUTE, { method: 'POST', body: '\ufeff{}' })
    assert.equal(marked.status, 400)
    assert.match(await marked.text(), /found/)
    const made = await send(EXECUTE, { method: 'POST', body: text })
    assert.equal(made.status, 201)
    assert.match((await made.json()).data.orderId, /^[0-9a-f-]{36}$/)
  }
  assert.deepEqual(answered.map((body) => body.length), [3, text.length - 1, 3, text.length - 1])
})

test("Node's server reads no more than 2 MiB of a body", async (t) => {
  let answers = 0
  const { server, port, ask } = await served(t, new Sandbox({}, { onAnswer: () => (answers += 1) }))
  // Each says its limit: the service's, and the listener's.
  for (const [bytes, limit, asked] of [[3 << 19, 1_048_576, 1], [2 << 20, 1_048_576, 2], [(2 << 20) + 1, 2_097_152, 2]]) {
    const reply = await ask(EXECUTE, { method: 'POST', body: ' '.repeat(bytes) })
    const { code, message } = (await reply.json()).error
    assert.deepEqual([reply.status, code, answers], [413, 413, asked])
    assert.match(message, new RegExp(`${limit} bytes`))
  }
  assert.equal((await ask(EXECUTE, { method: 'POST', body: ' '.repeat(40 << 20) })).status, 413)

  for (const size of ['content-length: 1000000000', 'transfer-encoding: chunked']) {
    const asked = once(server, 'connection')
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    const [accepted] = await asked
    let reply = ''
    socket.on('data', (part) => (reply += part)).on('error', () => {})
    socket.write(`POST ${EXECUTE} HTTP/1.1\r\nhost: a\r\n${size}\r\n\r\n`)
    const part = size.startsWith('t') ? `10000\r\n${' '.repeat(1 << 16)}\r\n` : ' '.repeat(1 << 16)
    Readable.from((function* () { for (;;) yield part })()).pipe(socket)
    await new Promise((resolve) => socket.on('close', resolve))
    // A caller that goes on writing may find the connection closed before the reply.
    assert.match(reply, /^(HTTP\/1.1 413 |$)/)
    assert(accepted.bytesRead < 3 << 20, `${accepted.bytesRead}`)
  }
  assert.equal(answers, 2)
  assert.equal((await ask('/api/v1/portfolio')).status, 201)
})

test("Node's server goes on after a failure, and tells it", async (t) => {
  // Without `onError` it is an error of the console.
  const printed = prints(t)
  const quiet = await served(t, new Sandbox({}, { now: () => NaN }))
  assert.equal((await quiet.ask('/api/v1/portfolio')).status, 500)
  assert.equal(printed.length, 1)
  assert(SendoffError.is(printed[0][0]))

  const { Instance } = WebAssembly
  let memory
  WebAssembly.Instance = class extends Instance {
    constructor(...args) {
      super(...args)
      memory = this.exports.memory
    }
  }
  const told = []
  const trapping = new Sandbox({}, { onError: (error) => told.push(error) })
  WebAssembly.Instance = Instance
  const { ask: askTrapping } = await served(t, trapping)
  const saved = trapping.save()
  assert.equal((await askTrapping('/api/v1/portfolio')).status, 201)
  new Uint8Array(memory.buffer).fill(0xff)
  for (const _ of [1, 2]) assert.equal((await askTrapping('/api/v1/portfolio')).status, 500)
  assert(told[0] instanceof WebAssembly.RuntimeError)
  assert.equal(told[1].message, 'this sandbox broke in an earlier call: load a saved state')
  assert.equal(told.length, 2)
  const again = await served(t, Sandbox.load(saved))
  assert.equal((await again.ask('/api/v1/portfolio')).status, 201)
})

test("Node's server waits for `onAnswer`, and goes on after an `onError` that throws", async (t) => {
  const failure = new Error('a full disk')
  const told = []
  const orders = []
  const onAnswer = async (_request, _now, reply) => {
    orders.push(JSON.parse(reply.body).data.orderId)
    await new Promise(setImmediate)
    throw failure
  }
  const sandbox = new Sandbox({}, { onAnswer, onError: (error) => told.push(error) })
  const { ask } = await served(t, sandbox)
  for (const failures of [[failure], [failure, failure]]) {
    const reply = await ask(EXECUTE, POST)
    assert.deepEqual([reply.status, (await reply.json()).error.code, told], [500, 500, failures])
  }
  // The orders are made all the same.
  assert.deepEqual(sandbox.state().orders.map(({ id }) => id), orders)

  const printed = prints(t)
  const broken = new Error('no log')
  for (const onError of [() => { throw broken }, async () => { throw broken }]) {
    const { ask } = await served(t, new Sandbox({}, { onAnswer, onError }))
    assert.equal((await ask(EXECUTE, POST)).status, 500)
    while (printed.length < 2) await new Promise(setImmediate)
    assert.deepEqual(printed.splice(0), [[failure], [broken]])
  }

  // `fetch` waits for it too, and throws the error.
  await assert.rejects(new Sandbox({}, { onAnswer }).fetch(ORIGIN + EXECUTE, { headers, ...POST }), failure)
})

test("Node's server refuses a credential that is sent twice", async (t) => {
  const { port } = await served(t, new Sandbox())
  const asked = async (...lines) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(['GET /api/v1/portfolio HTTP/1.1', 'host: a', 'connection: close', ...lines, '', ''].join('\r\n'))
    return Number((await text(socket)).split(' ')[1])
  }
  const [right, wrong] = ['Authorization: Bearer sandbox-token', 'authorization: Bearer other']
  assert.equal(await asked(right), 201)
  for (const lines of [[right, wrong], [wrong, right], [right, right]]) assert.equal(await asked(...lines), 401)
  // A server of another kind may have the joined headers alone.
  const heads = []
  const response = { writeHead: (status) => heads.push(status), write() {}, end() {}, destroy() {} }
  await new Sandbox().listener({ method: 'GET', url: '/api/v1/portfolio', headers, async *[Symbol.asyncIterator]() {} }, response)
  assert.deepEqual(heads, [201])
})
