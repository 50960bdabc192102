import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as sendoff from 'sendoff'

/** Functions that never throw, so they need no twin. */
const TOTAL = ['backend', 'init', 'inTokens', 'inWords', 'messageKeys']

const functions = Object.entries(sendoff).filter(([, value]) => typeof value === 'function' && !isClass(value))
const isTwin = (name) => name.startsWith('safe')

function isClass(value) {
  return value.prototype !== undefined && String(value).startsWith('class')
}

test('every function that throws has a twin', () => {
  const twins = functions.map(([name]) => name).filter(isTwin)
  const throwing = functions.map(([name]) => name).filter((name) => !isTwin(name) && !TOTAL.includes(name))
  assert(throwing.length > 25)
  assert.deepEqual(twins.sort(), throwing.map((name) => `safe${name[0].toUpperCase()}${name.slice(1)}`).sort())
})

test('a twin returns the answer of its function, or the issues that it throws', () => {
  assert.deepEqual(sendoff.safeReadText('quantity', '0x10'), { ok: true, value: { hex: '0x10', decimal: '16' } })
  const { ok, issues } = sendoff.safeUserOpHash({ sender: '0x' }, {})
  assert.equal(ok, false)
  assert.throws(() => sendoff.userOpHash({ sender: '0x' }, {}), (error) => {
    assert.deepEqual(error.issues, issues)
    return true
  })
  assert.deepEqual(sendoff.safeAdmit({ limit: 3, windowMs: 1000 }, null, 0, undefined).value.verdict.remaining, 2)
})

test('a twin throws all other errors', () => {
  const { parse } = JSON
  JSON.parse = () => { throw new TypeError('broken') }
  try {
    assert.throws(() => sendoff.safeReadText('quantity', '0x10'), { name: 'TypeError', message: 'broken' })
  } finally {
    JSON.parse = parse
  }
})
