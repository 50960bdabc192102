// The form's loop as a client of the kit `sendoff/testing`: no lie of a service or a bundler deceives it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expectAround } from 'sendoff'
import { againstLies } from 'sendoff/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { build } from 'vite'
import { nonceOf, rpcOf, saidBy } from '../../../test/node.mjs'

/** How often the bundler is asked before the person decides, and how often the person looks again. */
const [QUESTIONS, LOOKS] = [20, 3]

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** The loop's sources as one module for Node. */
async function built() {
  const outDir = at('../../../../../target/react-form-loop')
  await build({ root: at('..'), configFile: false, logLevel: 'warn', build: { ssr: 'src/loop.ts', outDir, emptyOutDir: true } })
  return import(pathToFileURL(`${outDir}/loop.js`))
}

/** The storage of a tab. */
function storage() {
  const values = new Map()
  return {
    getItem: (name) => values.get(name) ?? null,
    setItem: (name, text) => void values.set(name, text),
    clear: () => values.clear(),
  }
}

test('the transfer is made, and no lie is swallowed', async () => {
  const { carryOut } = await built()
  async function client({ url, rpc, fetch, token, request, deployment, gasLimits, privateKey, sleep }) {
    // What a browser gives to a page. Its service knows who is logged in.
    globalThis.sessionStorage = storage()
    globalThis.fetch = (path, init) => {
      const headers = { ...init.headers, authorization: `Bearer ${token}` }
      return fetch(path === '/bundler' ? rpc : url + path, { ...init, headers })
    }
    const account = privateKeyToAccount(privateKey)
    const { maxFeePerGas } = request.gasDetails
    let asked = 0
    const page = {
      nonce: nonceOf(rpcOf(fetch, rpc), deployment.entryPoint),
      deployment: { ...deployment, expect: { ...deployment.expect, ...expectAround({ maxFeePerGas, ...gasLimits }) } },
      show: ({ unbound }) => unbound.length === 0,
      sign: ({ hash }) => account.signMessage({ message: { raw: hash } }),
      wait: async () => (await sleep(1_000), (asked += 1) < QUESTIONS),
    }
    for (let look = 0; look < LOOKS; look++) {
      asked = 0
      const result = await carryOut(page, request)
      if (result.outcome !== 'open') return saidBy(result)
    }
    return 'unknown'
  }
  const { fetch } = globalThis
  const { results, swallowed } = await againstLies(client)
  globalThis.fetch = fetch
  assert(results.length > 90, `${results.length} lies were told`)
  assert.deepEqual(swallowed, [])
})
