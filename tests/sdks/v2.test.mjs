// @okto_web3/core-js-sdk 1.1.0 and @okto_web3/react-sdk 1.1.0, the public SDKs of version 2.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLLECTION, FIRST, held, owner, pocket, quiet, RECIPIENT, sends, USDC } from './pocket.mjs'
import { OktoClient } from '@okto_web3/core-js-sdk'
import { evmRawTransaction, nftTransfer, tokenTransfer } from '@okto_web3/core-js-sdk/abstract'
import * as explorer from '@okto_web3/core-js-sdk/explorer'
import * as page from '@okto_web3/react-sdk'
import React from 'react'
import { act, create } from 'react-test-renderer'

globalThis.IS_REACT_ACT_ENVIRONMENT = true
const config = { environment: 'sandbox', clientPrivateKey: `0x${'11'.repeat(32)}`, clientSWA: '0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA' }
const POLYGON = 'eip155:137'

/** The three transfers, each until its order has ended: what they moved is on the ledger. */
async function sendsAll(okto, sandbox, { tokenTransfer, nftTransfer, evmRawTransaction, explorer }) {
  const wallets = await explorer.getAccount(okto)
  const from = wallets.find(({ caipId }) => caipId === POLYGON).address
  const { nftId } = (await explorer.getPortfolioNFT(okto)).find(({ collectionAddress }) => collectionAddress === COLLECTION)

  const jobs = [
    await tokenTransfer(okto, { caip2Id: POLYGON, token: USDC, amount: 1000n, recipient: RECIPIENT }),
    await nftTransfer(okto, { caip2Id: POLYGON, collectionAddress: COLLECTION, nftId, recipientWalletAddress: RECIPIENT, amount: 1, nftType: 'ERC721' }),
    await evmRawTransaction(okto, { caip2Id: POLYGON, transaction: { from, to: USDC, data: sends(500), value: 0n } }),
  ]
  for (const intentId of jobs) {
    const [order] = await explorer.getOrdersHistory(okto, { intentId })
    assert.deepEqual([order.intentId, order.status, order.reason], [intentId, 'SUCCESSFUL', ''])
  }
  assert.equal(held(sandbox.state(), RECIPIENT), '1500')
  assert.equal(owner(sandbox.state(), nftId), RECIPIENT.toLowerCase())
  const activity = await explorer.getPortfolioActivity(okto)
  assert.deepEqual(activity.slice(0, 3).map(({ transferType }) => transferType), ['WITHDRAWAL', 'WITHDRAWAL', 'WITHDRAWAL'])
}

test('a new user signs in, reads and sends', async (t) => {
  quiet(t)
  const sandbox = await pocket(t)
  const okto = new OktoClient(config)
  assert.match(await okto.loginUsingOAuth({ idToken: 'a token of Google', provider: 'google' }), /^0x[0-9a-f]{40}$/)
  assert(okto.isLoggedIn())
  assert(await okto.verifyLogin())

  assert.deepEqual((await explorer.getChains(okto)).map(({ caipId }) => caipId), ['eip155:137', 'eip155:8453', 'eip155:80002', 'eip155:1'])
  assert.equal((await explorer.getTokens(okto)).length, 5)
  const { aggregatedData, groupTokens } = await explorer.getPortfolio(okto)
  assert.deepEqual([aggregatedData.holdingsCount, groupTokens[0].balance, groupTokens[0].tokens.length], ['5', '10', 1])
  assert.deepEqual(await explorer.getOrdersHistory(okto), [])
  const abi = { inputs: [], name: 'decimals', outputs: [{ internalType: 'uint8', name: '', type: 'uint8' }], stateMutability: 'view', type: 'function' }
  assert.deepEqual(await explorer.rawRead(okto, { caip2Id: POLYGON, data: { contractAddress: USDC, abi, args: {} } }), ['6'])

  await sendsAll(okto, sandbox, { tokenTransfer, nftTransfer, evmRawTransaction, explorer })

  // Refused by name.
  for (const [call, why] of [
    [() => okto.sendOTP('a@example.com', 'email'), /sign in by an id token/],
    [() => okto.sendOTP('9876543210', 'whatsapp'), /sign in by an id token/],
    [() => okto.signMessage('hello'), /signs no messages/],
  ]) await assert.rejects(call, ({ response: { status, data } }) => status === 501 && why.test(data.error.message))
})

test('the identity `first` is the first user, by a JWT of the application', async (t) => {
  quiet(t)
  const sandbox = await pocket(t)
  const okto = new OktoClient(config)
  assert.equal(await okto.loginUsingJWTAuthentication('first'), FIRST.swa)
  await sendsAll(okto, sandbox, { tokenTransfer, nftTransfer, evmRawTransaction, explorer })
})

test('the SDK for pages, without the hosted page', async (t) => {
  quiet(t)
  const sandbox = await pocket(t)
  let okto
  const Page = () => ((okto = page.useOkto()), null)
  await act(async () => create(React.createElement(page.OktoProvider, { config }, React.createElement(Page))))
  await okto.loginUsingOAuth({ idToken: 'somebody on a page', provider: 'google' })
  await sendsAll(okto, sandbox, { ...page, explorer: page })
})
