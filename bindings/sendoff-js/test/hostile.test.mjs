// Hostile objects: every answer of `signable` contains the operation that was hashed.

import assert from 'node:assert/strict'
import test from 'node:test'
import * as sendoff from 'sendoff'
import { assemble, estimate, signable, SendoffError, userOpHash } from 'sendoff'
import * as sign from 'sendoff/sign'
import * as signature from 'sendoff/signature'
import { suites } from '../suite-files.mjs'
import { deployment, facts, request, twinOf } from './help.mjs'

const { jobManager, paymaster, clientSWA, ...entryPoint } = deployment
const honest = estimate(request, facts)
const TWELVE = Object.keys(honest.data.userOps)
const other = '0x1'

/** The reply with another operation. */
const withOps = (userOps) => ({ ...honest, data: { ...honest.data, userOps } })

const ops = honest.data.userOps
/** The reply with a field that has another value from the second read on. */
function changing(...values) {
  const get = () => (values.length > 1 ? values.shift() : values[0])
  return withOps(Object.defineProperty({ ...ops }, 'callGasLimit', { enumerable: true, get }))
}

const HOSTILE = {
  'a getter that changes after the first read': changing(ops.callGasLimit, other),
  'a getter that is honest from the second read on': changing(other, ops.callGasLimit),
  'a proxy that answers otherwise each time': withOps(
    new Proxy({ ...ops }, { get: (target, key) => (key === 'preVerificationGas' && Math.random() < 0.5 ? other : target[key]) }),
  ),
  'a toJSON of its own': withOps({ ...ops, toJSON: () => ({ ...ops, callGasLimit: other }) }),
  'fields on a prototype': withOps(Object.assign(Object.create({ factory: clientSWA, eip7702Auth: {} }), ops)),
  'fields besides the twelve': withOps({ ...ops, factory: clientSWA, factoryData: '0x', eip7702Auth: {}, paymasterSignature: '0x12', signature: '0x34' }),
}

for (const [what, reply] of Object.entries(HOSTILE)) {
  test(`${what}: the answer contains the hashed operation`, () => {
    for (let round = 0; round < 10; round++) {
      let answer
      try {
        answer = signable(request, reply, deployment)
      } catch (error) {
        if (!SendoffError.is(error)) throw error
        continue
      }
      const { operation, hash } = answer
      assert.deepEqual(Object.keys(operation), TWELVE)
      assert.equal(userOpHash(operation, entryPoint), hash)
      assert.equal(userOpHash(assemble(operation, '0x11'), entryPoint), hash)
    }
  })
}

/** The paths of the parts of a value that can be changed. */
function open(value, path = '') {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, part]) => open(part, `${path}.${key}`))
  return Object.isFrozen(value) ? inside : [path || 'the answer', ...inside]
}

test('every answer is frozen deeply: the operation, what a wallet signs and what a page shows', () => {
  const answer = signable(request, honest, { ...deployment, version: '0.8', signs: 'typedData' })
  for (const [part, key] of [[answer, 'operation'], [answer.operation, 'callGasLimit'], [answer.typedData.message, 'callData'], [answer.account.call.moves[0], 'to']]) {
    assert.throws(() => (part[key] = other), TypeError)
  }
  assert.deepEqual([answer.operation, Object.keys(assemble(answer.operation, '0x11'))], [ops, [...TWELVE, 'signature']])

  const cases = suites([]).flatMap(({ cases }) => cases).filter(({ ok, err }) => ok !== undefined || err)
  const seen = new Map()
  for (const { call, args, ok } of cases) {
    const count = seen.get(call + !ok) ?? 0
    if (count >= 20) continue
    seen.set(call + !ok, count + 1)
    for (const entry of [sendoff, sign, signature]) {
      const twin = entry[twinOf(call)]
      if (twin) assert.deepEqual(open(twin(...args)), [], call)
      if (twin && ok !== undefined) assert.deepEqual(open(entry[call](...args)), [], call)
    }
  }
  assert(seen.size > 50, `${seen.size} functions and kinds`)
})
