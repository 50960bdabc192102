// A client with the loop of `sendoff/flow` against all lies, as in docs/testing/lies.md, in Vitest.

import { expectAround } from 'sendoff'
import { flow } from 'sendoff/flow'
import { againstLies } from 'sendoff/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { memory, nonceOf, rpcOf, saidBy } from '../../bindings/sendoff-js/test/node.mjs'

async function client({ url, rpc, fetch, token, request, deployment, gasLimits, privateKey, sleep }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = rpcOf(fetch, rpc, headers)
  const { maxFeePerGas } = request.gasDetails
  const expected = { ...deployment.expect, ...expectAround({ maxFeePerGas, ...gasLimits }) }
  let questions = 0

  const result = await flow(
    {
      estimate: async (request) => ({ text: await (await fetch(`${url}/api/oc/v1/estimate`, { method: 'POST', headers, body: JSON.stringify(request) })).text() }),
      show: ({ unbound }) => unbound.length === 0,
      sign: ({ hash }) => privateKeyToAccount(privateKey).signMessage({ message: { raw: hash } }),
      send: (operation) => call('eth_sendUserOperation', [operation, deployment.entryPoint]),
      receipt: async (hash) => (await call('eth_getUserOperationReceipt', [hash])).result,
      nonce: nonceOf(call, deployment.entryPoint),
      wait: async () => {
        await sleep(5_000)
        return (questions += 1) < 36
      },
      store: memory(),
    },
    { request, deployment: { ...deployment, expect: expected } },
  )
  return saidBy(result)
}

test('a client with the loop swallows no lie', async () => {
  const { results, swallowed } = await againstLies(client)
  expect(swallowed).toEqual([])
  expect(results.length).toBeGreaterThan(100)
})

test('a client that says what is not so is refused', async () => {
  const boasts = againstLies(async ({ url, fetch }) => (await fetch(`${url}/api/oc/v1/estimate`, { method: 'POST' }).catch(() => {}), 'succeeded'))
  await expect(boasts).rejects.toThrow('the client says `succeeded`, and nothing was moved')
})
