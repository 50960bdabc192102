import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

const require = createRequire(import.meta.url)
const cjs = require.resolve('sendoff')

test('ESM and CJS resolve each entry of the package', async () => {
  const entries = ['', '/sign', '/text', '/http', '/redis', '/signature', '/deployments', '/flow', '/sandbox', '/testing']
  for (const name of entries.map((entry) => `sendoff${entry}`)) {
    const [esm, required] = [await import(name), require(name)]
    assert.deepEqual(Object.keys(esm).sort(), Object.keys(required).sort(), name)
  }
  for (const { readText } of [await import('sendoff'), require('sendoff')]) assert.equal(readText('quantity', '0x10').decimal, '16')
  assert.equal(require('sendoff/http').failureReply('trace', new Error()).status, 500)
})

for (const backend of ['wasm', 'native']) {
  test(`${backend}: works in simultaneous worker threads`, async () => {
    const code = `
      const { parentPort, workerData } = require('node:worker_threads')
      const sendoff = require(workerData)
      parentPort.postMessage([sendoff.backend(), sendoff.readText('quantity', '0x10').decimal])`
    const options = { eval: true, workerData: cjs, env: { ...process.env, SENDOFF_BACKEND: backend } }
    const workers = Array.from({ length: 3 }, () => new Worker(code, options))
    const answers = await Promise.all(workers.map((worker) => once(worker, 'message')))
    assert.deepEqual(answers, Array(3).fill([[backend, '16']]))
  })
}
