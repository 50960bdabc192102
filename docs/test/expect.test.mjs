// Every example that signs bounds what the server would choose; that its bounds refuse each way to waste gas is a test of contracts
// (tests/chain/tests/griefing.rs).

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { estimate, expectAround, signable } from 'sendoff'
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

test('an honest reply leaves nothing to the server', () => {
  const { unbound } = signable(request, estimate(request, facts), { ...read('deployment'), expect: read('expect') })
  assert.deepEqual(unbound, [])
})
