// Compares `sendoff/text` with `sendoff`, for every vector.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suites } from '../suite-files.mjs'
import { fresh } from './fresh.mjs'
import { twinOf } from './help.mjs'

/** The arguments that are numbers, and the functions whose first argument is plain text: in vectors a string may be either. */
const NUMBERS = { admit: [2, 3], peek: [2, 3], touch: [2], plan: [2, 3], redisAnswer: [1], rateLimited: [1], replacementFees: [1], expectAround: [1] }
const PLAIN = ['checkDocument', 'decodeCall', 'decodePaymasterData', 'describeCall', 'findOperation', 'operationPath']
PLAIN.push('comparisonCode', 'nonceCall', 'rateLimited', 'readBearer', 'readNonce', 'readReceipt', 'readText', 'signingDigest')
/** The functions that begin with two arguments of plain text. */
const PAIRS = ['findOperation', 'nonceCall', 'readNonce']

const asText = (call, args) =>
  args.map((arg, at) => (typeof arg === 'string' && !NUMBERS[call]?.includes(at) ? arg : JSON.stringify(arg)))

for (const backend of ['wasm', 'native']) {
  const sendoff = fresh(backend)

  test(`${backend}: every vector has the same answer or issues as text`, () => {
    let compared = 0
    for (const { cases } of suites([])) {
      for (const { call, args, name } of cases) {
        // Another entry checks signatures.
        if (!(call in sendoff)) continue
        // A value that is not text has another issue here.
        if (PLAIN.includes(call) && args.slice(0, PAIRS.includes(call) ? 2 : 1).some((arg) => typeof arg !== 'string')) continue
        if (['assemble', 'readText'].includes(call) && typeof args[1] !== 'string') continue
        const { value, ...others } = sendoff.text[twinOf(call)](...asText(call, args))
        const found = value === undefined ? others : { ...others, value: JSON.parse(value) }
        assert.deepEqual(found, sendoff[twinOf(call)](...args), name)
        compared++
      }
    }
    assert(compared > 3_000, `expected thousands of vectors, found ${compared}`)
  })

  test(`${backend}: both entries have the same functions, one core and one error`, () => {
    const functions = (entry) => Object.keys(entry).filter((name) => /^[a-z]/.test(name) && typeof entry[name] === 'function')
    // Messages belong to schemas, which need values.
    const ofText = functions(sendoff).filter((name) => !['inTokens', 'inWords', 'messageKeys'].includes(name))
    assert.deepEqual(functions(sendoff.text).sort(), ofText.sort())
    assert.equal(sendoff.text.SendoffError, sendoff.SendoffError)
    assert.equal(sendoff.text.backend(), backend)
  })
}
