// node demo.mjs GATEWAY TOKEN: an estimate by the core's command line, by the built package's WebAssembly and addon, and by a gateway:
// the same bytes from all. It prints the answer, and what a person can check in it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeCall, maxCost } from '../../../bindings/sendoff-js/dist/index.mjs'

const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const [gateway, token] = process.argv.slice(2)
const files = ['request', 'facts'].map((name) => at(`tests/demo/${name}.json`))
const [request, facts] = files.map((file) => readFileSync(file, 'utf8'))

const core = execFileSync(at('target/debug/sendoff'), ['estimate', ...files, '--json'], { encoding: 'utf8' }).trim()
const reply = JSON.parse(core)
console.log(`${JSON.stringify(reply, null, 2)}\n`)
for (const [name, value] of Object.entries(described(reply.data.userOps)))
  for (const line of [value].flat()) console.log(`${name.padEnd(12)} ${line}`)

const program = `import { estimate } from '${at('bindings/sendoff-js/dist/index.mjs')}'
console.log(JSON.stringify(estimate(...${JSON.stringify([request, facts])})))`
for (const SENDOFF_BACKEND of ['wasm', 'native']) {
  const answer = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', env: { ...process.env, SENDOFF_BACKEND } })
  assert.equal(answer.trim(), core, SENDOFF_BACKEND)
}
console.log(`\ncore, wasm and native answered with the same ${core.length} bytes (for the package: JSON.stringify of its object)`)

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const response = await fetch(`${gateway}/api/oc/v1/estimate`, { method: 'POST', headers, body: request })
assert.deepEqual([response.status, await response.text()], [200, core], 'the gateway')
console.log(`the gateway answered with the same bytes: POST ${response.url}`)

/** What a person can check, in words and numbers. */
function described(operation) {
  const { sentences, chain, feePayer, jobId } = describeCall(operation.callData)
  const cost = maxCost(operation)
  const payer = feePayer ? `, for the fee payer ${feePayer}` : ''
  return {
    moves: sentences,
    'on chain': chain,
    'paid by': `the paymaster ${operation.paymaster}${payer}`,
    'fee cap': `${shifted(operation.maxFeePerGas, 9)} gwei per unit of gas`,
    tip: `${shifted(operation.maxPriorityFeePerGas, 9)} gwei of that`,
    'at most': `${shifted(cost, 18)} ether of the service's chain (${cost} wei)`,
    sender: operation.sender,
    nonce: `${operation.nonce}, the job ${jobId}`,
    'call data': `${operation.callData.length / 2 - 1} bytes`,
  }
}

/** A quantity with its point `places` to the left. */
function shifted(quantity, places) {
  const digits = String(BigInt(quantity)).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, '')
}
