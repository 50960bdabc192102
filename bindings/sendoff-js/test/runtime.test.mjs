import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { addon } from '../platform.mjs'

const cjs = createRequire(import.meta.url).resolve('sendoff')
const dist = fileURLToPath(new URL('../dist', import.meta.url))
const { version: VERSION } = createRequire(import.meta.url)('sendoff/package.json')

/** A copy of the package whose addon is another one, or none. */
function copy(t, content) {
  const folder = mkdtempSync(join(tmpdir(), 'sendoff-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'dist'))
  for (const file of readdirSync(dist).filter((file) => !file.endsWith('.node')))
    cpSync(join(dist, file), join(folder, 'dist', file), { recursive: true })
  if (content !== undefined) writeFileSync(join(folder, 'dist', addon), content)
  return join(folder, 'dist/index.cjs')
}

/** What a new process says of its backend and of one call. */
function says(file, SENDOFF_BACKEND) {
  const code = `
    const sendoff = require(${JSON.stringify(file)})
    console.log(sendoff.backend(), sendoff.readText('quantity', '0x10').decimal)`
  return output(code, SENDOFF_BACKEND)
}

function output(code, SENDOFF_BACKEND) {
  const env = { ...process.env, SENDOFF_BACKEND }
  return execFileSync(process.execPath, ['-e', code], { env, encoding: 'utf8', stdio: 'pipe' }).trim()
}

test('the addon answers where it is, and the environment decides otherwise', () => {
  assert.equal(says(cjs, ''), 'native 16')
  assert.equal(says(cjs, 'wasm'), 'wasm 16')
  assert.equal(says(cjs, 'native'), 'native 16')
  assert.throws(() => says(cjs, 'nativ'), /expected SENDOFF_BACKEND to be `wasm` or `native`, found `nativ`/)
})

test('without an addon the wasm answers, silently, unless the addon is demanded', (t) => {
  const file = copy(t)
  assert.equal(says(file, ''), 'wasm 16')
  assert.throws(() => says(file, 'native'), /SENDOFF_BACKEND is `native`, and there is no addon/)
})

test('a broken addon is none', (t) => {
  assert.equal(says(copy(t, 'not a library'), ''), 'wasm 16')
})

test('an addon of another version is none', (t) => {
  const file = copy(t, '')
  // Stands in for an addon that Node can load.
  const code = (version) => `
    require.extensions['.node'] = (module) => { module.exports = { version: () => '${version}' } }
    console.log(require(${JSON.stringify(file)}).backend())`
  assert.equal(output(code('0.0.0'), ''), 'wasm')
  assert.equal(output(code(VERSION), ''), 'native')
})

test('ESM and CJS, by the name of the package', async () => {
  const esm = await import('sendoff')
  const required = createRequire(import.meta.url)('sendoff')
  assert.deepEqual(Object.keys(esm).sort(), Object.keys(required).sort())
  for (const { readText } of [esm, required]) assert.equal(readText('quantity', '0x10').decimal, '16')
})

for (const backend of ['wasm', 'native']) {
  test(`${backend}: in worker threads, side by side`, async () => {
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
