// The entries of the package: as ESM and CommonJS, in worker threads, with one kind of error, and with twins that do not throw.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { deployment as demo, refused, thrown } from './help.mjs'

const require = createRequire(import.meta.url)
const names = ['', '/sign', '/text', '/http', '/redis', '/signature', '/deployments', '/flow', '/sandbox', '/testing'].map((entry) => `sendoff${entry}`)
/** Each entry as ESM and as CommonJS. */
const entries = Object.fromEntries(await Promise.all(names.map(async (name) => [name, [await import(name), require(name)]])))
const [esm, cjs] = entries.sendoff

const [digest, signer] = ['0x6bd999b59e5f6bd92c8b50afb0c156fc5dd99876b51ae259ff5575a2b9cde4dc', '0x690c113844390c821CF1175C2894E24524f99602']
const made =
  '0xa4dfdbae92c9168105861780c8c9f89e7a98502eece3b2750593644affb8c0632197e1cb8a7cc880b54fcfec520399ce96acf369dc2522749351f9a5360e66c71b'

test('ESM and CJS resolve each entry of the package, and answer', () => {
  for (const [name, [esm, cjs]] of Object.entries(entries)) assert.deepEqual(Object.keys(esm).sort(), Object.keys(cjs).sort(), name)
  for (const { readText } of [esm, cjs]) assert.equal(readText('quantity', '0x10').decimal, '16')
  for (const { checkSignature } of entries['sendoff/signature']) assert.deepEqual(checkSignature(digest, made, signer), { ok: true })
  assert.equal(require('sendoff/http').failureReply('trace', new Error()).status, 500)
})

for (const backend of ['wasm', 'native']) {
  test(`${backend}: works in simultaneous worker threads`, async () => {
    const code = `
      const { parentPort, workerData } = require('node:worker_threads')
      const sendoff = require(workerData)
      parentPort.postMessage([sendoff.backend(), sendoff.readText('quantity', '0x10').decimal])`
    const options = { eval: true, workerData: require.resolve('sendoff'), env: { ...process.env, SENDOFF_BACKEND: backend } }
    const workers = Array.from({ length: 3 }, () => new Worker(code, options))
    const answers = await Promise.all(workers.map((worker) => once(worker, 'message')))
    assert.deepEqual(answers, Array(3).fill([[backend, '16']]))
  })
}

test('every entry, and its ESM and its CJS copy, knows the errors of the others', async () => {
  assert.notEqual(esm.SendoffError, cjs.SendoffError)
  const copies = ['sendoff', 'sendoff/sign', 'sendoff/signature'].flatMap((name) => entries[name])
  const errors = await Promise.all(copies.map(({ readText, checkSignature }) => thrown(() => (readText ? readText('amount', '0') : checkSignature(digest, 5, signer)))))
  assert(!(errors[0] instanceof cjs.SendoffError) && !(errors[1] instanceof esm.SendoffError))
  for (const { SendoffError } of copies) {
    assert(errors.every((error) => SendoffError.is(error)))
    for (const other of [new Error('x'), null, undefined, 'x', {}]) assert.equal(SendoffError.is(other), false)
  }
  for (const { checkSignature, safeSignatureCall } of entries['sendoff/signature']) {
    assert.deepEqual(refused(() => checkSignature('0x12', made, '0x12')), ['format', 'format signer'])
    assert.deepEqual(refused(() => checkSignature(digest, 5, signer)), ['type signature'])
    const { ok, issues } = safeSignatureCall(digest, 'x', signer)
    assert.deepEqual([ok, issues.map(({ path }) => path)], [false, ['signature']])
  }
})

test('a SendoffError is an Error with a name, a stack and issues', async () => {
  const error = await thrown(() => esm.readText('amount', '0'))
  assert(error instanceof Error && error instanceof esm.SendoffError)
  assert.equal(error.name, 'SendoffError')
  assert.match(error.stack, /entries\.test\.mjs/)
  assert.deepEqual(error.issues.map(({ path, code }) => ({ path, code })), [{ path: 'text', code: 'range' }])
})

test('its message is one line with the first issues and the number of others', () => {
  const issues = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, code: 'type', message: `wrong ${path}` }))
  assert.equal(new esm.SendoffError(issues).message, 'a: wrong a; b: wrong b; c: wrong c; and 2 more')
  assert.equal(new esm.SendoffError(issues.slice(0, 3)).message, 'a: wrong a; b: wrong b; c: wrong c')
  assert.equal(new esm.SendoffError([{ path: '', code: 'syntax', message: 'no JSON' }]).message, 'no JSON')
})

test('a twin throws all other errors', (t) => {
  t.mock.method(JSON, 'parse', () => { throw new TypeError('broken') })
  assert.throws(() => esm.safeReadText('quantity', '0x10'), { name: 'TypeError', message: 'broken' })
})

test('public deployments become deployments with the wallet of an application, and the demo uses the sandbox', () => {
  const [{ deployments }] = entries['sendoff/deployments']
  const { clientSWA } = demo
  for (const deployment of Object.values(deployments)) {
    assert.deepEqual(esm.checkDocument('Deployment', { ...deployment, clientSWA }), {})
    assert.deepEqual(refused(() => esm.checkDocument('Deployment', deployment)), ['missing document.clientSWA'])
  }
  assert.deepEqual({ ...deployments.sandbox, clientSWA }, demo)
})
