// node tests/bundle.mjs: Metro's bundles of the application for iOS and Android; and what it makes of `src/transfer.ts`, run without
// WebAssembly.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { estimate } from 'sendoff'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const require = createRequire(import.meta.url)
const out = at('../../../../../target/expo')
const env = { ...process.env, CI: '1', EXPO_OFFLINE: '1', EXPO_NO_TELEMETRY: '1' }

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
applications()
await transfer()

/** Both bundles, as bytecode for Hermes and as code. */
function applications() {
  const expo = (...args) => execFileSync(process.execPath, [require.resolve('expo/bin/cli'), ...args], { cwd: at('..'), env, stdio: ['ignore', 'pipe', 'pipe'] })
  expo('export', '--platform', 'ios', '--platform', 'android', '--no-bytecode', '--output-dir', `${out}/app`)
  const bundles = readdirSync(`${out}/app`, { recursive: true }).filter((file) => file.endsWith('.js'))
  assert.equal(bundles.length, 2, `expected a bundle for each platform, found ${bundles}`)
  for (const bundle of bundles) {
    const code = readFileSync(`${out}/app/${bundle}`, 'utf8')
    assert(!code.includes('WebAssembly.'), `${bundle} calls WebAssembly, which Hermes does not have`)
    assert(code.length < 4_000_000, `${bundle} has ${code.length} bytes`)
  }
}

/** A request, the judgement of its reply, and of one with another recipient, where there is neither WebAssembly nor TextEncoder. */
async function transfer() {
  const metro = require(require.resolve('metro', { paths: [require.resolve('expo/metro-config')] }))
  const config = await metro.loadConfig({ config: at('../metro.config.js') })
  await metro.runBuild(config, { entry: at('check.ts'), out: `${out}/check.js`, platform: 'ios', dev: false, minify: false })
  const engine = createContext({})
  runInContext('delete globalThis.WebAssembly', engine)
  runInContext(readFileSync(`${out}/check.js`, 'utf8'), engine)
  const { backend, compose, judge } = engine.transfer
  assert.equal(backend(), 'js')

  const job = '3f1c9a52-7d84-4b0e-9a6c-52e1d07b8f43'
  const fields = { recipient: '0xEc186DB52Cb079380E9Ed11740859d5a45e1B831', collection: '0xF19f9C5E34B713Ea8c8b9283324F62C6D0813F90', nft: '56' }
  const wrong = compose(job, { ...fields, recipient: fields.recipient.toLowerCase().replace('0xe', '0xE') })
  // Its lists are of another realm.
  assert.deepEqual(JSON.parse(JSON.stringify([...wrong.problems])), [['recipientWalletAddress', 'Check this address: at least one character is wrong.']])
  const { request } = compose(job, fields)

  const facts = JSON.parse(readFileSync(at('../../../../../tests/demo/facts.json'), 'utf8'))
  const answered = (request) => JSON.stringify(estimate(JSON.parse(JSON.stringify(request)), facts))
  const { signable } = judge(request, answered(request))
  assert.match(signable.hash, /^0x[0-9a-f]{64}$/)
  assert(signable.account.call.sentences[0].includes('NFT 56 of the collection'), signable.account.call.sentences[0])

  const swapped = { ...request, details: { ...request.details, recipientWalletAddress: fields.collection } }
  const { ok, reasons } = judge(request, answered(swapped))
  assert.equal(ok, false)
  assert(reasons.some((reason) => reason.includes(fields.recipient) && reason.includes(fields.collection)), reasons)
}
