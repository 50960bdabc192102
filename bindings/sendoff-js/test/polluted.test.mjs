// Names on the prototype of all objects: the package reads no property that falls through to it, and no name there changes an answer.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { suites } from '../suite-files.mjs'
import { fresh } from './fresh.mjs'
import { deployment, facts, polluted, request } from './help.mjs'
import { world } from './world.mjs'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const require = createRequire(import.meta.url)
const native = fresh('native')
fresh('wasm')
const [index, text, sign, signature, http, redis, { flow }, sandbox, testing] = ['', '/text', '/sign', '/signature', '/http', '/redis', '/flow', '/sandbox', '/testing']
  .map((entry) => require(`sendoff${entry}`))

/** Every name that the package's code can read: each word of it, and each text of it that could be a key. */
const names = new Set()
for (const file of readdirSync(dist).filter((file) => file.endsWith('.cjs'))) {
  // Without the WebAssembly.
  const code = readFileSync(dist + file, 'utf8').replace(/"[^"\n]{10000,}"|'[^'\n]{10000,}'|`[^`\n]{10000,}`/g, '')
  for (const [word] of code.matchAll(/[A-Za-z_$][\w$]*/g)) names.add(word)
  for (const [, key] of code.matchAll(/["'`]([\w-]+)["'`]/g)) names.add(key)
}
// Those that all objects have anyway.
for (const name of Object.getOwnPropertyNames(Object.prototype)) names.delete(name)

/** The first case of each function and kind: an answer, and issues. */
const cases = new Map()
for (const { call, args, ok, err } of suites([]).flatMap(({ cases }) => cases)) {
  const key = `${call} ${ok ? 'answers' : err ? 'refuses' : ''}`
  if (!key.endsWith(' ') && !cases.has(key)) cases.set(key, [call, args])
}

const outcome = (call) => {
  try {
    return { answer: call() }
  } catch (error) {
    return index.SendoffError.is(error) ? { issues: error.issues } : { thrown: String(error) }
  }
}

const isDocument = (arg) => typeof arg === 'object' && arg !== null && !Array.isArray(arg)
const policy = { limit: 2, windowMs: 1000 }
const ADDRESS = `0x${'ab'.repeat(20)}`
const WORD = `0x${'11'.repeat(32)}`

// The fields of documents, and the places of lists.
const documents = [...cases.values()].flatMap(([, args]) => args.filter(isDocument))
for (const name of Object.keys(Object.assign({ 0: 'a', 1: 'b' }, ...documents))) names.add(name)

/** Every function with a case, in each entry, and the parts in JavaScript. */
const calls = []
for (const [key, [call, args]] of cases) {
  for (const [entry, functions] of Object.entries({ index, sign, signature, native })) {
    if (!Object.hasOwn(functions, call)) continue
    calls.push([`${entry} ${key}`, () => functions[call](...args)])
    const safe = `safe${call[0].toUpperCase()}${call.slice(1)}`
    calls.push([`${entry} safe ${key}`, () => functions[safe](...args)])
    calls.push([`${entry} safe ${key}, of nothing`, () => functions[safe](...args.map((arg) => (isDocument(arg) ? {} : arg)))])
  }
  const texts = args.map((arg) => (typeof arg === 'string' || arg === undefined ? arg : JSON.stringify(arg)))
  if (Object.hasOwn(text, call)) calls.push([`text ${key}`, () => text[call](...texts)])
}
calls.push(['checkSignature', () => signature.checkSignature(WORD, `0x${'11'.repeat(64)}1b`, ADDRESS)])
calls.push(['signatureCall', () => signature.signatureCall(WORD, '0x1111', ADDRESS)])
for (const [key, value] of [['accepts', cases.get('estimate answers')[1][0]], ['refuses', {}]]) {
  calls.push([`schema ${key}`, () => index.EstimateRequest['~standard'].validate(value)])
  calls.push([`inWords ${key}`, () => index.inWords(index.NftTransferRequest)['~standard'].validate(value)])
}
calls.push(['RateLimiter', () => {
  const limiter = new index.RateLimiter(policy)
  const verdicts = [5, 6, 7].map((now) => limiter.admit('a', now))
  limiter.touch('b', 7)
  limiter.restore(limiter.snapshot())
  return [verdicts, limiter.peek('a', 8), limiter.snapshot()]
}])
calls.push(['errorReply', () => http.errorReply('trace', 400, 'no')])
calls.push(['headerOf', () => [{}, { headers: {} }, { headers: { 'x-api-key': 'k' } }].map((request) => http.headerOf(request, 'x-api-key'))])
for (const error of [new Error('inner'), { status: 413 }, { statusCode: 404, message: 'no' }, {}, null, new http.Refused({ refused: 'not-found' })])
  calls.push([`failureReply ${String(error?.message)}`, () => http.failureReply('trace', error)])

const TOKEN = { authorization: 'Bearer sandbox-token' }
calls.push(['Sandbox', () => {
  const pocket = new sandbox.Sandbox({ seed: 'a' }, {})
  const answers = ['/api/v1/portfolio', '/nothing'].map((target) => pocket.answer({ method: 'GET', target, headers: TOKEN }, 5))
  return [answers, sandbox.Sandbox.load(pocket.save()).state(), sandbox.Sandbox.lies()]
}])

/** Requests of each host to each guard, and how the guard judged them. */
async function guards() {
  const options = (more) => ({ scope: (request) => http.headerOf(request, 'x-api-key'), limiter: new index.RateLimiter(policy), now: () => 5, ...more })
  const found = []
  const url = '/api/v1/nft/transfer'
  for (const headers of [{ 'x-api-key': 'k', 'content-type': 'application/json' }, {}]) {
    for (const more of [{}, { cors: { origins: '*' } }, { others: 'ignore', advertise: policy }]) {
      for (const [method, target] of [['POST', url], ['OPTIONS', url], ['POST', '/healthz']]) {
        const node = () => ({ method, url: target, headers, raw: { method, url: target }, rawHeaders: Object.entries(headers).flat() })
        const sent = []
        const setHeader = (name, value) => name !== 'x-request-id' && sent.push([name, value])
        await new Promise((resolve, reject) => {
          const response = { setHeader, end: (body) => resolve(sent.push(body.replace(/[\da-f-]{36}/, ''))) }
          http.guardExpress(options(more))(node(), response, (error) => (error ? reject(error) : resolve(sent.push('next'))))
        })
        const fastify = { code: (status) => sent.push(status), headers: ({ 'x-request-id': _, ...rest }) => sent.push(rest), send: () => sent.push('send') }
        sent.push((await http.guardFastify(options(more))(node(), fastify)) === undefined)
        const c = { req: { method, url: `https://shop.example${target}`, header: (name) => new Headers(headers).get(name) ?? undefined }, env: {}, header: () => {} }
        sent.push((await http.guardHono(options(more))(c, async () => sent.push('next')))?.status)
        found.push(sent)
      }
    }
  }
  return found
}

/** A client of each kind, which answers as the store. */
const answer = async () => [2, 1, 5, 5, 1]
const clients = [{ evalsha: answer, eval: answer }, { evalSha: answer, eval: answer }]
const windows = () => Promise.all(clients.map(async (client) => {
  const windows = new redis.RedisWindows(client, policy, { environment: 'production' })
  return [await windows.admit('a'), await windows.touch('a')]
}))

/** The pocket service in each way in, and a client of lists against a lie. */
async function pockets() {
  const pocket = new sandbox.Sandbox({}, { now: () => 5 })
  const url = 'https://sandbox.example/api/v1/portfolio'
  const reply = await pocket.fetch(url, { headers: TOKEN })
  const found = [pocket.handles({ url }), reply.status, [...reply.headers], await reply.text()]

  const request = { url: '/api/v1/portfolio', headers: TOKEN, async *[Symbol.asyncIterator]() {} }
  await pocket.listener(request, { writeHead: (...head) => found.push(head), end: (body) => found.push(body) })
  const shows = async ({ fetch }) => (await fetch(url, { headers: TOKEN })).text()
  const { results } = await testing.againstLies(shows, { of: 'lists', names: ['list-doubled'] })
  return [...found, results]
}

/** Transfers of each kind, and their outcomes. */
async function flows() {
  const found = []
  const lost = async () => Promise.reject(new Error('lost'))
  const refused = (code, message) => async () => ({ error: { code, message } })
  const kinds = [
    {},
    { show: () => false },
    { sign: async () => '0x11' },
    { estimate: lost },
    { estimate: async () => ({ text: '{}' }) },
    { estimate: async () => ({ text: '{"status":"error","error":{"code":429,"message":"wait"}}' }) },
    { send: lost, receipt: async () => null },
    { send: refused(-32507, 'AA24 signature error'), receipt: async () => null },
    { send: refused(-32000, 'replacement underpriced'), receipt: async () => null, raise: () => false },
    { send: async () => ({ result: WORD }), receipt: async () => ({}) },
    { send: async () => Promise.reject({ code: -32504, message: 'throttled' }), receipt: async () => null },
    { receipt: async () => null, nonce: async () => ({ used: true, now: 5 }) },
    { receipt: async (hash) => ({ userOpHash: hash, success: false }), nonce: async () => ({ used: true, now: 5, success: false }) },
  ]
  for (const more of kinds) {
    const show = ({ account }) => found.push(account.call.sentences) > 0
    const { seen, program } = world({ waits: 9, show, receipt: async (hash) => ({ userOpHash: hash, success: true }), ...more })
    const outcome = await flow(program, { request, deployment }).catch((thrown) => ({ thrown: String(thrown) }))
    found.push({ ...outcome, ...(Object.hasOwn(outcome, 'cause') && { cause: String(outcome.cause) }) }, seen.waits)
  }
  return found
}

const answers = async () => calls.map(([, call]) => outcome(call))

test('there are names and calls', () => {
  assert(names.size > 1000 && names.has('x-api-key') && names.has('issues') && names.has('refused'))
  assert(calls.length > 200)
})

/**
 * What the language reads of any object, whatever the code does: `JSON.stringify` reads `toJSON`, whose result is not used; `await` reads
 * `then` of what a function promises; the end of a list's destructuring reads `return`.
 */
const OF_THE_LANGUAGE = new Set(['toJSON', 'then', 'return'])

/** The fields of a property's description: with them on every object, Node's own code fails. */
const DESCRIPTION = new Set(['get', 'set', 'value', 'writable', 'enumerable', 'configurable'])

test('no property that the package reads falls through to the prototype of all objects', async () => {
  const read = new Map()
  let isAsking = false
  const trap = (name) => ({
    get() {
      // Node reads properties too, to write the stack.
      if (isAsking) return undefined
      isAsking = true
      const [, , caller = ''] = new Error().stack.split('\n')
      isAsking = false
      if (caller.includes(dist) && !OF_THE_LANGUAGE.has(name)) read.set(name, caller.trim())
      return undefined
    },
    set(value) {
      Object.defineProperty(this, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true })
    },
  })
  // Node loads these when they are first used.
  new Request('https://shop.example', { headers: new Headers() })
  new Response('', { headers: {} })
  const traps = Object.fromEntries([...names].filter((name) => !DESCRIPTION.has(name)).map((name) => [name, trap(name)]))
  for (const asks of [answers, guards, windows, pockets, flows]) await polluted(Object.prototype, traps, asks)
  assert.deepEqual([...read], [])
})

const fails = () => { throw new Error('polluted') }
const rawHeaders = ['authorization', 'a', 'authorization', 'b']

/** The names that options, worlds, answers and replies have, without those that `new Request` reads of any object. */
const OF_ANSWERS = {
  ok: false, issues: [], refused: 'not-found', path: 'a', midnight: 'carry', holdMs: 0, dayOffsetMinutes: 5, 'x-api-key': 'thief', originalUrl: '/healthz',
  store: { admit: () => ({ admitted: true }) },
  reply: { status: 200, headers: {} },
}
const OF_THE_SERVICE = { now: () => 7, sleep: fails, onAnswer: fails, onError: fails, of: 'order', names: ['white-lie'], seed: 'polluted', status: 500, statusText: 'no', once: false, rawHeaders, unseen: 'polluted', undefined: 'polluted' }

/** A test that fails if one of these values on the prototype of all objects changes what is found. */
const unchanged = (find, values) => async () => {
  const expected = JSON.stringify(await find())
  for (const [name, value] of Object.entries(values)) {
    for (const enumerable of [true, false]) {
      const found = await polluted(Object.prototype, { [name]: { value, enumerable, writable: true } }, async () => JSON.stringify(await find()))
      assert(found === expected, name)
    }
  }
}

test('no name on the prototype of all objects changes an answer', unchanged(answers, OF_ANSWERS))
test('no name on the prototype of all objects changes what a guard does', unchanged(async () => [await guards(), await windows()], OF_ANSWERS))
test('no name on the prototype of all objects changes the pocket service, nor the kit', unchanged(pockets, OF_THE_SERVICE))
