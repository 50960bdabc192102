// The entry `sendoff/signature`, which has its own module and does not need the core.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { SendoffError } from 'sendoff'
import * as signature from 'sendoff/signature'

const here = fileURLToPath(new URL('.', import.meta.url))
const digest = '0x6bd999b59e5f6bd92c8b50afb0c156fc5dd99876b51ae259ff5575a2b9cde4dc'
const made =
  '0xa4dfdbae92c9168105861780c8c9f89e7a98502eece3b2750593644affb8c0632197e1cb8a7cc880b54fcfec520399ce96acf369dc2522749351f9a5360e66c71b'
const signer = '0x690c113844390c821CF1175C2894E24524f99602'

test('ESM and CJS answer, with either backend of `sendoff`', () => {
  for (const backend of ['', 'wasm', 'native']) {
    const env = { ...process.env, SENDOFF_BACKEND: backend }
    const call = `console.log(JSON.stringify(checkSignature('${digest}', '${made}', '${signer}')))`
    for (const args of [
      ['--input-type=module', '-e', `import { checkSignature } from 'sendoff/signature'; ${call}`],
      ['--input-type=commonjs', '-e', `const { checkSignature } = require('sendoff/signature'); ${call}`],
    ])
      assert.equal(execFileSync(process.execPath, args, { cwd: here, env, encoding: 'utf8' }).trim(), '{"ok":true}')
  }
})

test('its errors are those of the package', () => {
  const require = createRequire(import.meta.url)
  for (const entry of [signature, require('sendoff/signature')]) {
    const place = (call) => {
      try {
        call()
      } catch (error) {
        assert(SendoffError.is(error) && entry.SendoffError.is(error))
        return error.issues.map(({ path, code }) => `${code} at \`${path}\``)
      }
    }
    assert.deepEqual(place(() => entry.checkSignature('0x12', made, '0x12')), ['format at ``', 'format at `signer`'])
    assert.deepEqual(place(() => entry.checkSignature(digest, 5, signer)), ['type at `signature`'])
    const { ok, issues } = entry.safeSignatureCall(digest, 'x', signer)
    assert.deepEqual([ok, issues.map(({ path }) => path)], [false, ['signature']])
  }
})

test('it can be compiled before the first call', () => {
  const code = `
    import { checkSignature, init } from 'sendoff/signature'
    await init()
    WebAssembly.Module = class { constructor() { throw new Error('compiled again') } }
    console.log(JSON.stringify(checkSignature('${digest}', '${made}', '${digest.slice(0, 42)}')))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: here, encoding: 'utf8' })
  assert.deepEqual(JSON.parse(printed), { ok: false, reason: 'signer', found: signer })
})
