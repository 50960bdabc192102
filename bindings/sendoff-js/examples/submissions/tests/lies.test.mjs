// The example as a client of the kit `sendoff/testing`: no lie of a service or a bundler deceives it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PersonalMessage, Secp256k1, Signature } from 'ox'
import { expectAround } from 'sendoff'
import { againstLies } from 'sendoff/testing'
import { transfers } from '../transfers.mjs'

/** What the program says of its transfer, in the words of the kit. */
const SAID = { succeeded: 'succeeded', failed: 'failed', refused: 'refused', unanswered: 'refused', declined: 'refused', open: 'unknown' }

async function client({ url, rpc, fetch, token, request, deployment, gasLimits, privateKey, sleep }) {
  const { maxFeePerGas } = request.gasDetails
  const expect = { ...deployment.expect, ...expectAround({ maxFeePerGas, ...gasLimits }) }
  let stored = null
  const store = () => ({
    get: async () => stored,
    swap: async (before, after) => {
      const isSame = stored === before
      if (isSame) stored = after
      return isSame
    },
  })
  const transfer = transfers({
    service: url,
    bundler: rpc,
    token,
    deployment: { ...deployment, expect },
    store,
    approve: ({ unbound }) => unbound.length === 0,
    sign: ({ hash }) => Signature.toHex(Secp256k1.sign({ payload: PersonalMessage.getSignPayload(hash), privateKey })),
    fetch,
    sleep,
  })
  const { outcome } = await transfer('an order', request)
  return SAID[outcome]
}

for (const of of ['token', 'nft', 'batch', 'sponsored']) {
  test(`the transfer of the kind \`${of}\` is made, and no lie is swallowed`, async () => {
    const { honest, results, swallowed } = await againstLies(client, { of })
    assert.equal(honest, undefined)
    assert(results.length > 90, `${results.length} lies were told`)
    assert.deepEqual(swallowed, [])
  })
}
