// The example as a client of the kit `sendoff/testing`: no lie of a service or a bundler deceives it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PersonalMessage, Secp256k1, Signature } from 'ox'
import { expectAround } from 'sendoff'
import { againstLies } from 'sendoff/testing'
import { memory, nonceOf, rpcOf, saidBy } from '../../../test/node.mjs'
import { transfers } from '../transfers.mjs'

async function client({ url, rpc, fetch, token, request, deployment, gasLimits, privateKey, sleep }) {
  const { maxFeePerGas } = request.gasDetails
  const expect = { ...deployment.expect, ...expectAround({ maxFeePerGas, ...gasLimits }) }
  const store = memory()
  const call = rpcOf(fetch, rpc)
  const transfer = transfers({
    service: url,
    bundler: rpc,
    token,
    deployment: { ...deployment, expect },
    store: () => store,
    approve: ({ unbound }) => unbound.length === 0,
    nonce: nonceOf(call, deployment.entryPoint),
    sign: ({ hash }) => Signature.toHex(Secp256k1.sign({ payload: PersonalMessage.getSignPayload(hash), privateKey })),
    fetch,
    sleep,
  })
  return saidBy(await transfer('an order', request))
}

for (const of of ['token', 'nft', 'batch', 'sponsored']) {
  test(`the transfer of the kind \`${of}\` is made, and no lie is swallowed`, async () => {
    const { results, swallowed } = await againstLies(client, { of })
    assert(results.length > 90, `${results.length} lies were told`)
    assert.deepEqual(swallowed, [])
  })
}
