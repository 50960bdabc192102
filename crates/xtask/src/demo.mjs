// node demo.mjs GATEWAY TOKEN: an estimate by the core's command line, by the built package's WebAssembly and addon, and by a gateway:
// the same bytes from all. It prints the answer, and what the command line says about it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const [gateway, token] = process.argv.slice(2)
const files = ['request', 'facts'].map((name) => at(`tests/demo/${name}.json`))
const [request, facts] = files.map((file) => readFileSync(file, 'utf8'))

const sendoff = (args, options) => execFileSync(at('target/debug/sendoff'), args, { encoding: 'utf8', ...options }).trim()

const core = sendoff(['estimate', ...files, '--json'])
console.log(`${JSON.stringify(JSON.parse(core), null, 2)}\n`)
console.log(sendoff(['verify', files[0], '-', '--deployment', at('tests/demo/deployment.json')], { input: core }))

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
