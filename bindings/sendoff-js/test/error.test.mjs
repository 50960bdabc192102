import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as esm from 'sendoff'

const cjs = createRequire(import.meta.url)('sendoff')

function caught(call) {
  try {
    call()
  } catch (error) {
    return error
  }
}

test('SendoffError.is works across the ESM and the CJS copy', () => {
  const [a, b] = [esm, cjs].map(({ readText }) => caught(() => readText('amount', '0')))
  assert.notEqual(esm.SendoffError, cjs.SendoffError)
  assert(!(a instanceof cjs.SendoffError) && !(b instanceof esm.SendoffError))
  for (const { SendoffError } of [esm, cjs]) assert(SendoffError.is(a) && SendoffError.is(b))
  for (const other of [new Error('x'), null, undefined, 'x', {}]) assert.equal(esm.SendoffError.is(other), false)
})

test('a SendoffError is an Error with a name, a stack and issues', () => {
  const error = caught(() => esm.readText('amount', '0'))
  assert(error instanceof Error && error instanceof esm.SendoffError)
  assert.equal(error.name, 'SendoffError')
  assert.match(error.stack, /error\.test\.mjs/)
  assert.deepEqual(error.issues.map(({ path, code }) => ({ path, code })), [{ path: 'text', code: 'range' }])
})

test('its message is one line with the first issues and the number of others', () => {
  const issues = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, code: 'type', message: `wrong ${path}` }))
  assert.equal(new esm.SendoffError(issues).message, 'a: wrong a; b: wrong b; c: wrong c; and 2 more')
  assert.equal(new esm.SendoffError(issues.slice(0, 3)).message, 'a: wrong a; b: wrong b; c: wrong c')
  assert.equal(new esm.SendoffError([{ path: '', code: 'syntax', message: 'no JSON' }]).message, 'no JSON')
})
