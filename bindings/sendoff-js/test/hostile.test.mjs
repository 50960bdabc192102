// Hostile objects: every answer of `signable` contains the operation that was hashed.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { assemble, estimate, signable, SendoffError, userOpHash } from 'sendoff'

const read = (name) => JSON.parse(readFileSync(new URL(`../../../tests/demo/${name}.json`, import.meta.url), 'utf8'))
const [request, facts, deployment] = ['request', 'facts', 'deployment'].map(read)
const { jobManager, paymaster, clientSWA, ...entryPoint } = deployment
const honest = estimate(request, facts)
const TWELVE = Object.keys(honest.data.userOps)
const other = '0x1'

/** The reply with another operation. */
const withOps = (userOps) => ({ ...honest, data: { ...honest.data, userOps } })

/** A property that changes at each read. */
function changing(values) {
  let reads = 0
  return { enumerable: true, get: () => values[Math.min(reads++, values.length - 1)] }
}

const ops = honest.data.userOps
const HOSTILE = {
  'a getter that changes after the first read': withOps(
    Object.defineProperty({ ...ops }, 'callGasLimit', changing([ops.callGasLimit, other])),
  ),
  'a getter that is honest from the second read on': withOps(
    Object.defineProperty({ ...ops }, 'callGasLimit', changing([other, ops.callGasLimit])),
  ),
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

test('the operation is frozen', () => {
  const answer = signable(request, honest, deployment)
  assert.throws(() => (answer.operation.callGasLimit = other), TypeError)
  assert.throws(() => (answer.operation = ops), TypeError)
  assert.deepEqual(answer.operation, ops)
  assert.deepEqual(Object.keys(assemble(answer.operation, '0x11')), [...TWELVE, 'signature'])
})

test('a polluted prototype does not change the operation', () => {
  Object.prototype.factory = clientSWA
  try {
    const { operation, hash } = signable(request, honest, deployment)
    assert.deepEqual(Object.keys(operation), TWELVE)
    assert.equal(userOpHash(JSON.stringify(operation), entryPoint), hash)
  } finally {
    delete Object.prototype.factory
  }
})
