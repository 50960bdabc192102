// Calls every function of the main entry with every wrong value in every place of its arguments. Both backends must return the
// same issues and throw no other error, and the next call must succeed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suites } from '../suite-files.mjs'
import { LARGE, VALUES } from './bad-input.mjs'
import { fresh } from './fresh.mjs'
import { facts, request, twinOf } from './help.mjs'

const backends = ['native', 'wasm'].map(fresh)
const [sendoff] = backends

const fieldsIn = (args) => args.flatMap((arg) => (typeof arg === 'object' && arg !== null ? Object.keys(arg) : [])).length
const lengthOf = (args) => JSON.stringify(args).length

/** A valid call of each function: of its vectors with an answer and the most fields, the shortest. Some have no vector of values. */
const CALLS = {
  maxCost: [sendoff.estimate(request, facts).data.userOps],
  signingDigest: [`0x${'11'.repeat(32)}`],
  readBearer: ['Bearer token'],
  readReply: [{ status: 'success', data: { a: 1 } }],
}
for (const { call, args, ok, permits } of suites([]).flatMap(({ cases }) => cases)) {
  if ((ok ?? permits) === undefined || !(call in sendoff)) continue
  const more = fieldsIn(args) - fieldsIn((CALLS[call] ??= args))
  if (more > 0 || (more === 0 && lengthOf(args) < lengthOf(CALLS[call]))) CALLS[call] = args
}
const policy = { limit: 3, windowMs: 1000 }

/** The documents and the limiter: arguments, and a call with them. */
const OBJECTS = {
  schema: [[facts], ({ Facts }, value) => Facts['~standard'].validate(value)],
  'new RateLimiter': [[policy], ({ RateLimiter }, value) => new RateLimiter(value).size],
  'limiter.admit': [['a', 5, 1], ({ RateLimiter }, ...args) => new RateLimiter(policy).admit(...args)],
  'limiter.touch': [['a', 5], ({ RateLimiter }, ...args) => new RateLimiter(policy).touch(...args)],
  'limiter.peek': [['a', 5, 1], ({ RateLimiter }, ...args) => new RateLimiter(policy).peek(...args)],
  'limiter.restore': [[[['a', 5, 1]]], ({ RateLimiter }, value) => new RateLimiter(policy).restore(value)],
}

const isDocument = (arg) => typeof arg === 'object' && arg !== null && !Array.isArray(arg)

const all = [...Object.entries(CALLS), ...Object.entries(OBJECTS).map(([name, [args]]) => [name, args])]
const run = (backend, name, args) => (OBJECTS[name] ? OBJECTS[name][1](backend, ...args) : backend[name](...args))

/** The result of a call. Only a SendoffError is caught: any other error fails the test. */
function outcome(backend, name, args) {
  try {
    return { answer: run(backend, name, args) }
  } catch (error) {
    if (!backend.SendoffError.is(error)) throw error
    assert(error.issues.length > 0 && error.issues.every(({ message }) => message.length < 300))
    return { issues: error.issues }
  }
}

/** The result of both backends, which must be equal. */
function agreed(name, args) {
  const [native, wasm] = backends.map((backend) => outcome(backend, name, args()))
  assert.deepEqual(wasm, native)
  return native
}

const normal = new Map(all.map(([name, args]) => [name, agreed(name, () => args)]))

function works() {
  for (const backend of backends) assert.equal(backend.readText('quantity', '0x10').decimal, '16')
}

test('every function is called here, and has a twin that returns its answer or its issues', () => {
  const functions = Object.keys(sendoff).filter((name) => /^[a-z]/.test(name) && typeof sendoff[name] === 'function')
  // These never throw.
  const others = ['backend', 'init', 'inTokens', 'inWords', 'messageKeys']
  assert.deepEqual(functions.sort(), [...others, ...Object.keys(CALLS), ...Object.keys(CALLS).map(twinOf)].sort())
  for (const [name, outcome] of normal) assert('answer' in outcome, name)
  for (const [name, args] of Object.entries(CALLS)) {
    for (const given of [args, []]) {
      const { answer, issues } = outcome(sendoff, name, given)
      assert.deepEqual(sendoff[twinOf(name)](...given), issues ? { ok: false, issues } : { ok: true, value: answer })
    }
  }
})

for (const [what, make] of Object.entries({ ...VALUES, ...LARGE })) {
  test(`${what}: in place of each argument`, () => {
    for (const [name, args] of all) {
      for (const index of args.keys()) agreed(name, () => args.with(index, make()))
      works()
    }
  })
}

for (const [what, make] of Object.entries(VALUES)) {
  test(`${what}: in place of each field of a document`, () => {
    for (const [name, args] of all) {
      for (const [index, document] of args.entries()) {
        if (document === null || typeof document !== 'object') continue
        for (const key of Object.keys(document)) {
          const changed = () => (Array.isArray(document) ? document.with(key, make()) : { ...document, [key]: make() })
          agreed(name, () => args.with(index, changed()))
        }
      }
      works()
    }
  })
}

test('an ordinary document is accepted however it was created', () => {
  const bare = (document) => Object.assign(Object.create(null), document)
  for (const [name, args] of all) {
    for (const made of [structuredClone, bare, Object.freeze]) {
      const others = args.map((arg) => (isDocument(arg) ? made(arg) : arg))
      if (name !== 'schema') assert.deepEqual(agreed(name, () => others), normal.get(name), name)
    }
  }
})
