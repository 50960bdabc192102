// node demo.mjs [--all] [--stay]: an estimate by the core's command line, by the built package's WebAssembly and addon, and by a gateway:
// the same bytes from all. It prints the answer, and what the command line says about it. With --stay the gateway serves its pages then.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { ADMIN_TOKEN, at, started, TOKEN } from './host.mjs'

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

const { child, demo, admin } = await started(true)
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
const response = await fetch(`${demo}/api/oc/v1/estimate`, { method: 'POST', headers, body: request })
assert.deepEqual([response.status, await response.text()], [200, core], 'the gateway')
console.log(`the gateway answered with the same bytes: POST ${response.url}`)

if (process.argv.includes('--stay')) {
  console.log(`the playground: ${demo}/playground/#token=${TOKEN}`)
  console.log(`the dashboard: ${admin}/dashboard (its token: ${ADMIN_TOKEN})\n\nstop with Ctrl-C`)
  const [status] = await once(child, 'exit')
  process.exit(status ?? 1)
}
console.log('`cargo xtask demo --stay` serves the playground')
process.exit()
