// The pocket service in this page: a whole wallet service with a ledger, a bundler and a chain of its own, `sendoff/sandbox`.

import type { Hex } from 'sendoff'
import { Sandbox } from 'sendoff/sandbox'
import { uuid } from './page.js'

export const TOKEN = 'sandbox-token'
/** The key of its first user's session, which everybody knows: the second of every local test chain. */
export const KEY: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

/** Its operations run on Polygon, so that a cost has a coin that people know. */
const OPTIONS = { deployment: { chainId: 137, sponsorshipEnabled: true }, delays: { block: 0 } }

/** A new one that tells a lie in every reply that can have it. Its user pays nobody twice: each run has one of its own. */
export const lying = (lie: string, now: () => number) =>
  new Sandbox({ ...OPTIONS, limits: null, ...(lie && { lies: { seed: '', every: 1, names: [lie] } }) }, { now })

/** The honest one of this page. Its limit is small, so that a person sees a window fill up and end. */
const sandbox = new Sandbox({ ...OPTIONS, limits: { limit: 5, windowMs: 10_000 } })

/** Answers a request of this page. */
export async function answerInPocket(request: Request): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${TOKEN}`)
  return sandbox.fetch(new Request(request, { headers }))
}

/** What a wallet knows of the service: where its operations go, and what binds all that a request leaves open. */
export function deploymentOfPocket() {
  const { deployment, users } = sandbox.state()
  const { entryPoint, chainId, version, gasFeeOrder, jobManager, paymaster, clientSwa } = deployment
  const { swa } = Object.values(users).find(({ sessionKey }) => sessionKey !== '')!
  const expect = {
    userSWA: swa,
    policies: { gsnEnabled: false, sponsorshipEnabled: true },
    gsn: { isRequired: false, requiredNetworks: [] },
    gas: {
      // A batch has that of each transaction.
      callGasLimit: { least: '0x75300', most: '0x1312d00' },
      verificationGasLimit: { least: '0x4e200', most: '0x75300' },
      preVerificationGas: { most: '0x1d4c0' },
      paymasterVerificationGasLimit: { least: '0x27100', most: '0x3a980' },
      paymasterPostOpGasLimit: { least: '0x1', most: '0x3a980' },
    },
  }
  return { entryPoint, chainId, version, gasFeeOrder, jobManager, paymaster, clientSWA: clientSwa, expect }
}

const RECIPIENT = '0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2'
const [caip2Id, WALLET] = ['eip155:137', '0xdca7f8e25091b927db769337d7efdedbf772bb9a']
const USDC = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const sent = (amount: number) => `0xa9059cbb${RECIPIENT.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`

/** Requests that its user can make, by their type. */
const EXAMPLES: { readonly [type: string]: object } = {
  TOKEN_TRANSFER: { caip2Id, tokenAddress: USDC, recipientWalletAddress: RECIPIENT, amount: '25000000' },
  NFT_TRANSFER: {
    caip2Id,
    collectionAddress: '0x68ee2dddcbb1c03df5fc4b6235d993b8b4d1d0e5',
    nftId: '56',
    nftType: 'ERC721',
    recipientWalletAddress: RECIPIENT,
    amount: '1',
  },
  RAW_TRANSACTION: {
    caip2Id,
    transactions: [
      { from: WALLET, to: RECIPIENT, data: '0x', value: '0x2386f26fc10000' },
      { from: WALLET, to: USDC, data: sent(25_000_000), value: '0x0' },
    ],
  },
}

/** A request for one of them. */
export const exampleOf = (type: string) => ({
  type,
  jobId: uuid(),
  gasDetails: { maxFeePerGas: '0x9502f900', maxPriorityFeePerGas: '0x59682f00' },
  paymasterData: '0x',
  details: EXAMPLES[type],
})

/** The lies that it can tell in the reply to an estimate. */
export const LIES = Sandbox.lies().filter(({ on }) => on === 'estimate')
