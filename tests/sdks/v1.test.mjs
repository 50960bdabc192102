// okto-sdk-react 0.1.10, the public SDK of version 1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLLECTION, FIRST, held, owner, pocket, quiet, RECIPIENT, sends, USDC } from './pocket.mjs'
import React from 'react'
import { act, create } from 'react-test-renderer'
import { createRequire } from 'node:module'

const { OktoProvider, useOkto, BuildType } = createRequire(import.meta.url)('okto-sdk-react')

globalThis.IS_REACT_ACT_ENVIRONMENT = true
const store = new Map()
const localStorage = { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, String(value)), removeItem: (key) => store.delete(key) }
Object.assign(globalThis, { window: globalThis, localStorage })

/** The SDK of a page in which somebody signed in. */
async function signedIn(signIn) {
  store.clear()
  let okto
  const Page = () => ((okto = useOkto()), null)
  await act(async () => create(React.createElement(OktoProvider, { apiKey: 'sandbox-client-key', buildType: BuildType.SANDBOX }, React.createElement(Page))))
  await act(() => new Promise((done, failed) => signIn(okto, (reply, error) => (error ? failed(error) : done(reply)))))
  assert(okto.isLoggedIn)
  return new Proxy({}, { get: (_, name) => okto[name] })
}

const byIdToken = (token) => signedIn((okto, done) => okto.authenticate(token, done))
const tokens = { network_name: 'POLYGON', token_address: USDC, quantity: '0.1', recipient_address: RECIPIENT }
const nft = { operation_type: 'NFT_TRANSFER', network_name: 'POLYGON', collection_address: COLLECTION, collection_name: 'x', quantity: '1', recipient_address: RECIPIENT }

test('a new user signs in, reads, and sends tokens and a transaction', async (t) => {
  quiet(t)
  const sandbox = await pocket(t)
  const okto = await byIdToken('a token of Google')
  assert.match((await okto.getUserDetails()).user_id, /^[0-9a-f-]{36}$/)
  const { wallets } = await okto.createWallet()
  assert.deepEqual((await okto.getWallets()).wallets, wallets)
  assert.deepEqual((await okto.getSupportedNetworks()).network.map(({ network_name }) => network_name), ['POLYGON', 'BASE', 'POLYGON_TESTNET_AMOY'])
  assert.equal((await okto.getSupportedTokens()).tokens.length, 5)
  const { total, tokens: owned } = await okto.getPortfolio()
  assert.deepEqual([total, owned.map(({ quantity }) => quantity)], [5, ['10', '10', '10', '10', '10']])

  assert.equal((await okto.transferTokensWithJobStatus(tokens)).status, 'SUCCESS')
  const [{ address }] = wallets
  const transaction = { from: address, to: USDC, data: sends(50_000), value: '0x0' }
  assert.equal((await okto.executeRawTransactionWithJobStatus({ network_name: 'POLYGON', transaction })).status, 'SUCCESS')
  assert.deepEqual([RECIPIENT, address].map((account) => held(sandbox.state(), account)), ['150000', '9850000'])

  const { jobs } = await okto.orderHistory({ limit: 10, order_state: 'SUCCESS' })
  assert.deepEqual(jobs.map(({ order_type }) => order_type), ['EXECUTE_RAW_TX', 'TOKEN_TRANSFER_EXECUTE'])
})

test('the identity `first` is the first user, who sends an NFT', async (t) => {
  quiet(t)
  // The SDK waits for the older shape of an NFT's order: in the newer one its wait cannot end, with the live service neither.
  const sandbox = await pocket(t, { switches: { nftOrders: 'nfts' } })
  const okto = await byIdToken('first')
  assert.equal((await okto.getUserDetails()).user_id, FIRST.id)
  const moved = await okto.transferNftWithJobStatus({ ...nft, nft_address: '56' })
  const { jobs } = await okto.orderHistory({ order_id: moved.id })
  assert.deepEqual(jobs.map(({ order_type, status }) => [order_type, status]), [['NFT_TRANSFER', 'SUCCESS']])
  assert.equal(owner(sandbox.state(), '56'), RECIPIENT.toLowerCase())
  assert.equal((await okto.getNftOrderDetails({ order_id: moved.id })).nfts[0].nft_token_id, '56')
  // Without an id they are refused by name.
  const all = okto.getNftOrderDetails({ page: 1, size: 10 })
  await assert.rejects(all, ({ response: { status, data } }) => status === 400 && data.error.details.issues[0].path === 'order_id')
})

test('its token ends, is refreshed, and the same call is made again', async (t) => {
  quiet(t)
  await pocket(t, { delays: { token: 300 } })
  const okto = await signedIn((okto, done) => okto.authenticateWithUserId('user-7', 'a JWT of the application', done))
  const { authToken } = JSON.parse(store.get('AUTH_DETAILS'))
  await new Promise((done) => setTimeout(done, 400))
  await act(async () => assert.equal((await okto.getPortfolio()).total, 5))
  assert.notEqual(JSON.parse(store.get('AUTH_DETAILS')).authToken, authToken)
})
