// A client with the loop of `sendoff/flow` against all lies, as in docs/testing/lies.md, in Vitest.

import { expectAround } from 'sendoff'
import { flow } from 'sendoff/flow'
import { againstLies } from 'sendoff/testing'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { nonceOf, saidBy } from '../../bindings/sendoff-js/test/node.mjs'

async function client({ url, rpc, fetch, token, request, deployment, gasLimits, privateKey, sleep }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = (address, document) => fetch(address, { method: 'POST', headers, body: JSON.stringify(document) })
  const call = async (method, params) => (await post(rpc, { jsonrpc: '2.0', id: 1, method, params })).json()
  const { maxFeePerGas } = request.gasDetails
  const expected = { ...deployment.expect, ...expectAround({ maxFeePerGas, ...gasLimits }) }
  let [stored, questions] = [null, 0]

  const result = await flow(
    {
      estimate: async (request) => ({ text: await (await post(`${url}/api/oc/v1/estimate`, request)).text() }),
      show: ({ unbound }) => unbound.length === 0,
      sign: ({ hash }) => privateKeyToAccount(privateKey).signMessage({ message: { raw: hash } }),
      send: (operation) => call('eth_sendUserOperation', [operation, deployment.entryPoint]),
      receipt: async (hash) => (await call('eth_getUserOperationReceipt', [hash])).result,
      nonce: nonceOf(async (...asked) => (await call(...asked)).result, deployment.entryPoint),
      wait: async () => {
        await sleep(5_000)
        return (questions += 1) < 36
      },
      store: {
        get: async () => stored,
        swap: async (before, after) => {
          const isSame = stored === before
          if (isSame) stored = after
          return isSame
        },
      },
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
