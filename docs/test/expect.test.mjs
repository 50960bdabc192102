// Every example that signs bounds what the server would choose, and the bounds of the examples refuse each way to waste gas.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { estimate, expectAround, safeSignable } from 'sendoff'
import { guides } from './guides.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = (path) => readFileSync(root + path, 'utf8')
const read = (name) => JSON.parse(text(`tests/demo/${name}.json`))
const LIMITS = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'paymasterVerificationGasLimit', 'paymasterPostOpGasLimit']

/** Texts with programs: each calls `signable` with the deployment that it shows. */
const pages = ['README.md', 'bindings/sendoff-js/README.md', ...guides.map((guide) => `docs/${guide}`), 'crates/sendoff/examples/sign.rs']
const signing = pages.filter((page) => page !== 'docs/reference.md' && /\b(?:safeS|s)ignable\(&?\w+, /.test(text(page)))

test('every page with an example that signs makes its bounds of known figures', () => {
  assert(signing.length >= 7, signing.join())
  const isBound = (page) => ['demo.deployment', '...expectAround(', '.expectations(20)', "'deployment.json'"].some((bounds) => text(page).includes(bounds))
  assert.deepEqual(signing.filter((page) => !isBound(page)), [])
  assert.deepEqual(signing.filter((page) => /\b(least|most)"?: ['"]0x/.test(text(page))), [])
})

const [request, facts] = [read('request'), read('facts')]
const { gas } = expectAround({ maxFeePerGas: request.gasDetails.maxFeePerGas, ...facts.gasLimits })

test('the bounds in files are those around the figures of the demo', () => {
  const { expect } = JSON.parse(text('bindings/sendoff-js/examples/react-form/src/deployment.json'))
  assert.deepEqual(expect.gas, gas)
  assert.deepEqual(read('expect').gas, gas)
  assert.deepEqual(JSON.parse(text('crates/sendoff/examples/first/deployment.json')).expect.gas, gas)
  assert.deepEqual(Object.keys(gas), LIMITS)
})

const deployment = { ...read('deployment'), expect: read('expect') }
const hex = (gas) => `0x${gas.toString(16)}`
const asked = Object.fromEntries(LIMITS.map((limit) => [limit, Number(facts.gasLimits[limit])]))
const judged = (gas) => {
  const gasLimits = Object.fromEntries(Object.entries({ ...asked, ...gas }).map(([limit, value]) => [limit, hex(value)]))
  return safeSignable(request, estimate(request, { ...facts, gasLimits }), deployment)
}

test('an honest reply leaves nothing to the server', () => {
  const { ok, value } = judged({})
  assert(ok)
  assert.deepEqual(value.unbound, [])
})

/** The ways to make a call fail or cost more that an audit ran on EntryPoint 0.7. */
const GRIEFING = {
  'all gas into `preVerificationGas`': { callGasLimit: 0, preVerificationGas: asked.preVerificationGas + asked.callGasLimit },
  'no gas for the call': { callGasLimit: 0 },
  'a billion for `preVerificationGas`': { preVerificationGas: 1e9 },
  'no gas after the call': { paymasterPostOpGasLimit: 0 },
  'the gas after the call into the verification': { paymasterPostOpGasLimit: 0, verificationGasLimit: asked.verificationGasLimit + asked.paymasterPostOpGasLimit },
  'half of the gas of the call, twice the fixed gas': { callGasLimit: asked.callGasLimit / 2, preVerificationGas: asked.preVerificationGas * 2 },
  'no gas for the verification': { verificationGasLimit: 0 },
  'no gas for the verification of the paymaster': { paymasterVerificationGasLimit: 0 },
}
for (const [what, gas] of Object.entries(GRIEFING)) {
  test(`refused: ${what}`, () => {
    const { ok, issues } = judged(gas)
    assert.equal(ok, false)
    assert(issues.every(({ path }) => LIMITS.includes(path.replace('data.userOps.', ''))), JSON.stringify(issues))
  })
}
