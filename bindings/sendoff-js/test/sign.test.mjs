// `sendoff/sign`: its exports, and every vector of its functions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../suite.mjs'
import { suites } from '../suite-files.mjs'
import { fresh } from './fresh.mjs'
import { deployment, request, twinOf } from './help.mjs'

const FUNCTIONS = [
  'assemble', 'comparisonCode', 'describeCall', 'expectAround', 'operationPath', 'readReceipt', 'readRefusal', 'readReply', 'readText',
  'replacementFees', 'signable', 'submission', 'submissionNext', 'unitsOf', 'verifyEstimate',
]

for (const backend of ['wasm', 'native']) {
  const { sign, ...sendoff } = fresh(backend)

  test(`${backend}: exports only what a page needs to check and sign replies`, () => {
    const requests = Object.keys(sendoff).filter((name) => /^[A-Z]\w+Request$/.test(name))
    const schemas = ['Deployment', ...requests]
    const others = ['SendoffError', 'backend', 'init', 'inTokens', 'inWords', 'messageKeys', 'messages']
    const expected = [...FUNCTIONS, ...FUNCTIONS.map(twinOf), ...schemas, ...others]
    assert.deepEqual(Object.keys(sign).sort(), expected.sort())
    assert.equal(sign.backend(), backend)
  })

  test(`${backend}: every vector of its functions passes`, () => {
    const cases = suites([]).flatMap(({ cases }) => cases).filter(({ call }) => FUNCTIONS.includes(call))
    const { passed, failures } = run(sign, { cases })
    assert.deepEqual(failures, [])
    assert(passed > 500, `expected hundreds of vectors, found ${passed}`)
  })

  test(`${backend}: its schemas return the same issues as those of \`sendoff\``, () => {
    for (const [name, value] of [['EstimateRequest', request], ['Deployment', deployment]]) {
      const { validate } = sign[name]['~standard']
      assert.deepEqual(validate(value), { value })
      const broken = { ...value, more: 1, [Object.keys(value)[0]]: 5 }
      assert.deepEqual(validate(broken), sendoff[name]['~standard'].validate(broken))
      assert.equal(validate(broken).issues.length > 1, true)
    }
  })
}
