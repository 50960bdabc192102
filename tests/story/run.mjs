// The demonstration: a client that signs what comes back, with an honest service and with one that lies, and the same client with
// `signable`. The money is read from the ledger, and the figures are counted here.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Sandbox } from '../../bindings/sendoff-js/dist/sandbox.mjs'
import { againstLies, demo } from '../../bindings/sendoff-js/dist/testing.mjs'
import { careful, trusting } from './client.mjs'

const RECIPIENT = '0x88beE8eb691FFAFB192BAC4D1E7042e1b44c3eF2'
// Line breaks of the page are spaces.
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replaceAll('\n', ' ')
const STRANGER = '0x5afe0000000000000000000000000000000bad00'
const USDC = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'

const WORLD = {
  url: 'https://wallet.example',
  token: 'sandbox-token',
  // The first user's session key: the second of every local test chain.
  privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  request: {
    type: 'TOKEN_TRANSFER',
    jobId: 'e4fb7f8b-d19d-4785-94af-4b911469a3b0',
    gasDetails: { maxFeePerGas: '0x2255100', maxPriorityFeePerGas: '0x2255100' },
    paymasterData: '0x',
    details: { caip2Id: 'eip155:137', recipientWalletAddress: RECIPIENT, tokenAddress: USDC, amount: '25000000' },
  },
  gasLimits: demo.facts.gasLimits,
  deployment: {
    ...demo.deployment,
    clientSWA: '0xe8201E368557508bF183D4e2DcE1b1A1E0bd20FA',
    expect: { ...demo.deployment.expect, userSWA: '0x8b20023fc47d8f8bdb7418722dbb0e3e9964a906' },
  },
}

/** A run of the client against a service with these lies: what it said, and what the two accounts have then, by the ledger. */
async function played(client, names) {
  const service = new Sandbox({ delays: { block: 0 }, ...(names && { lies: { seed: '', every: 1, names } }) })
  const fetch = (url, init) => service.fetch(url, init)
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms / 5))
  let why = ''
  const told = ({ issues, message }) => void (why = issues?.[0]?.message ?? message)
  const outcome = await client({ ...WORLD, fetch, sleep, told })

  const { balances } = service.state().ledger.tokens.find(({ address }) => address === USDC)
  const held = (account) => Number(balances[account.toLowerCase()] ?? 0) / 1e6
  return { outcome, why, recipient: held(RECIPIENT), stranger: held(STRANGER) }
}

const LIE = ['recipient-swapped']
const [honest, deceived, protectedOne] = [await played(trusting), await played(trusting, LIE), await played(careful, LIE)]
assert.deepEqual(honest, { outcome: 'succeeded', why: '', recipient: 25, stranger: 0 })
assert.deepEqual(deceived, { outcome: 'succeeded', why: '', recipient: 0, stranger: 25 })
assert.deepEqual([protectedOne.outcome, protectedOne.recipient, protectedOne.stranger], ['refused', 0, 0])
assert(protectedOne.why.includes(RECIPIENT))

const row = (who, { outcome, recipient, stranger }) => `  ${who.padEnd(46)} ${outcome.padEnd(10)} ${`${recipient} USDC`.padStart(9)} ${`${stranger} USDC`.padStart(10)}`
console.log(`25 USDC for ${RECIPIENT}. A client that signs what comes back, and the same client with \`signable\`:

  client, service                                says        recipient   stranger
${row('signs what comes back, honest service', honest)}
${row('signs what comes back, service that lies', deceived)}
${row('with `signable`, service that lies', protectedOne)}

  ${protectedOne.why}
`)

console.log('Lies in the reply to the estimate that did harm (`againstLies`):')
const figures = []
for (const of of ['token', 'nft', 'batch']) {
  const about = ({ results }) => results.filter(({ at }) => at === 'estimate')
  const [one, other] = [about(await againstLies(trusting, { of })), about(await againstLies(careful, { of }))]
  const [without, withIt] = [one, other].map((results) => results.filter(({ harm }) => harm !== 'none').length)
  assert(without > 20 && withIt === 0 && one.length === other.length)
  figures.push(`${without} of ${one.length}`)
  console.log(`  ${of.padEnd(6)} ${String(without).padStart(3)} of ${one.length} without \`signable\`, ${withIt} with it`)
}
for (const figure of figures) assert(README.includes(figure), `README.md has other figures than ${figure}`)
