// A day of the pocket service, on its own clock: all operations every five minutes, a user operation every minute, an application that
// polls its orders, and lies among them. In the end the books must balance.

import assert from 'node:assert/strict'
import { PersonalMessage, Secp256k1, Signature } from '../../../apps/playground/node_modules/ox/dist/index.js'
import { assemble, expectAround, OPERATIONS, readReply, safeSignable, userOpHash } from '../../../bindings/sendoff-js/dist/index.mjs'
import { Sandbox } from '../../../bindings/sendoff-js/dist/sandbox.mjs'

const MIDNIGHT = 1_749_945_600_000
const [DAY, ROUND, MINUTE, POLL] = [86_400, 300, 60, 10]
/** The first user's session key: the second of every local test chain. */
const KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
/** The lies about an estimate. */
const ESTIMATES = new Set(Sandbox.lies().filter(({ on }) => on === 'estimate').map(({ name }) => name))
const CREDENTIALS = { client: { authorization: 'Bearer sandbox-token' }, server: { 'x-api-key': 'sandbox-server-key' } }

const honest = new Sandbox({ limits: null })
const sandbox = new Sandbox({ seed: 'day', lies: { seed: 'day', every: 20 } })
const before = sandbox.state()
const [treasury, user] = ['', 'd6061eab-2da6-4d79-a225-71f995791e45'].map((id) =>
  Object.values(before.users).find((known) => (id ? known.id === id : known.sessionKey === '')),
)
const [{ address: collection_address }] = before.ledger.collections
const usdc = before.ledger.tokens.find(({ symbol }) => symbol === 'USDC').address

const on = { network_name: 'POLYGON' }
const nft = { ...on, operation_type: 'NFT_TRANSFER', collection_address, collection_name: 'super', quantity: '1', nft_address: '56' }
const balanceOf = { name: 'balanceOf', type: 'function', stateMutability: 'view', inputs: [{ name: 'account', type: 'address' }], outputs: [{ name: '', type: 'uint256' }] }
const contract = { ...on, data: { contractAddress: usdc, abi: balanceOf, args: { account: user.wallet } } }
const tokens = (recipient_address, quantity) => ({ ...on, token_address: '', quantity, recipient_address })
const raw = ({ wallet: from }, { wallet: to }, data) => ({ ...on, transaction: { from, to, data, value: '0x1000' } })

/** The bodies of writes. What the user sends comes back from the treasury. In every tenth round something cannot be done. */
const bodies = (round) => ({
  transferTokens: tokens(treasury.wallet, round % 10 ? '0.001' : '1000'),
  transferNft: { ...nft, recipient_address: treasury.wallet },
  readContractData: contract,
  executeRawTransaction: raw(user, treasury, round % 10 ? '0x' : '0xdeadbeef'),
  serverCreateWallet: { ...on, purpose: 'token' },
  serverCreateWallets: { ...on, purpose: 'nft', wallet_count: 2, num_request: 2 },
  serverMintNft: { ...nft, operation_type: 'NFT_MINT', ercType: 'ERC721', metadata: { uri: 'ipfs://day', nftName: 'Day', description: '' } },
  serverTransferNft: { ...nft, recipient_address: user.wallet, user_id: treasury.id },
  serverTransferTokens: tokens(user.wallet, '0.001'),
  serverReadContractData: contract,
  serverExecuteRawTransaction: raw(treasury, user, '0x'),
})
const intent = (number) => ({
  type: 'TOKEN_TRANSFER',
  jobId: `e4fb7f8b-d19d-4785-94af-${String(number).padStart(12, '0')}`,
  gasDetails: { maxFeePerGas: '0x2255100', maxPriorityFeePerGas: '0x2255100' },
  paymasterData: '0x',
  details: { caip2Id: 'eip155:137', recipientWalletAddress: treasury.wallet, tokenAddress: usdc, amount: '1000' },
})

const { entryPoint, chainId, version, gasFeeOrder, jobManager, paymaster, clientSwa: clientSWA } = before.deployment
const policies = { gsnEnabled: false, sponsorshipEnabled: false }
const figures = {
  maxFeePerGas: '0x2255100',
  callGasLimit: '0x927c0',
  verificationGasLimit: '0x61a80',
  preVerificationGas: '0x186a0',
  paymasterVerificationGasLimit: '0x30d40',
  paymasterPostOpGasLimit: '0x30d40',
}
const expect = { userSWA: user.swa, policies, gsn: { isRequired: false, requiredNetworks: [] }, ...expectAround(figures) }
const deployment = { entryPoint, chainId, version, gasFeeOrder, jobManager, paymaster, clientSWA, expect }

const [table, lies, lied] = [new Map(), new Map(), { refused: 0, honest: 0, other: 0 }]
const begun = performance.now()
let sent
for (let second = 0; second < DAY; second += POLL) {
  const [now, round, at] = [MIDNIGHT + second * 1_000, Math.floor(second / ROUND), second % ROUND]
  if (at === 0) operate('client', round, now)
  if (at % MINUTE === 20) sent = transfer(Math.floor(second / MINUTE), now)
  if (at % MINUTE === 30 && sent) rpc('eth_getUserOperationReceipt', [sent], now)
  if (at === 150) operate('server', round, now)
  ask('orders', { method: 'GET', target: '/api/v1/orders?limit=5', headers: CREDENTIALS.client }, now)
}
const took = (performance.now() - begun) / 1_000
report(sandbox.state())

/** All operations of a side. Estimates and orders have times of their own. */
function operate(side, round, now) {
  const known = bodies(round)
  for (const { id, method, path } of OPERATIONS.filter((operation) => operation.side === side)) {
    if (id === 'estimate' || id === 'orders') continue
    const target = path.replace(/\{.*\}/, treasury.id)
    ask(id, method === 'GET' ? { method, target, headers: CREDENTIALS[side] } : post(target, known[id], CREDENTIALS[side]), now)
  }
}

/** Estimate, verification, signature, submission. Returns the operation's hash; `undefined` if there was nothing to sign. */
function transfer(number, now) {
  const request = intent(number)
  const asked = post('/api/oc/v1/estimate', request, CREDENTIALS.client)
  const reply = ask('estimate', asked, now)
  const signable = safeSignable(request, reply.body, deployment)
  const lie = reply.headers['x-sandbox-lied']
  if (ESTIMATES.has(lie)) lied[!signable.ok ? 'refused' : signable.value.hash === hashOf(honest.answer(asked, now)) ? 'honest' : 'other']++
  assert(signable.ok || lie, 'an honest estimate can be signed')
  if (!signable.ok) return undefined
  const { hash, operation } = signable.value
  const payload = PersonalMessage.getSignPayload(hash)
  const signature = Signature.toHex(Secp256k1.sign({ payload, privateKey: KEY }))
  rpc('eth_sendUserOperation', [assemble(operation, signature), deployment.entryPoint], now)
  return hash
}

/** The hash of the operation in an honest reply. */
function hashOf({ body }) {
  return userOpHash(JSON.parse(body).data.userOps, { entryPoint, chainId, version, gasFeeOrder })
}

function rpc(method, params, now) {
  ask(method, post('/rpc', { jsonrpc: '2.0', id: 1, method, params }), now)
}

function post(target, body, credentials) {
  return { method: 'POST', target, headers: { ...credentials, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Sends a request, and counts its reply. */
function ask(name, request, now) {
  const reply = sandbox.answer(request, now)
  const row = table.get(name) ?? { requests: 0, success: 0, error: 0, 'no reply': 0, lies: 0 }
  table.set(name, row)
  row.requests++
  row[outcome(reply)]++
  const lie = reply.headers['x-sandbox-lied']
  if (lie) {
    row.lies++
    count(lies, lie)
  }
  return reply
}

function outcome({ body, delivery }) {
  if (delivery !== 'whole') return 'no reply'
  try {
    const json = JSON.parse(body)
    if ('jsonrpc' in json) return json.result ? 'success' : 'error'
    return readReply(body).status
  } catch {
    return 'no reply'
  }
}

function report({ ledger, orders, operations, deployment }) {
  const all = [...table.values()].reduce((sum, { requests }) => sum + requests, 0)
  console.log(`${all.toLocaleString('en')} requests in ${took.toFixed(1)} s\n`)
  const ids = [...OPERATIONS.map(({ id }) => id), 'eth_sendUserOperation', 'eth_getUserOperationReceipt']
  print(ids.map((id) => ({ operation: id, ...table.get(id) })))
  for (const id of ids) assert(table.get(id)?.success > 0, `${id} succeeded`)

  const told = [...lies.values()].reduce((sum, times) => sum + times, 0)
  console.log(`\n${lies.size} different lies, ${told} in all; of the estimates that lied ${lied.refused} were refused, and ${lied.honest} lied beside what is signed\n`)
  assert.equal(lied.other, 0, 'nothing else was signed')

  const ends = new Map()
  const state = (status) => (status === 'CREATED' ? 'open' : status)
  for (const { kind, status } of orders) count(ends, `${kind} ${state(status)}`)
  for (const { executed, success } of operations) count(ends, `USER_OPERATION ${!executed ? 'open' : success ? 'SUCCESS' : 'FAILED'}`)
  const kinds = [...new Set([...ends.keys()].map((key) => key.split(' ')[0]))].sort()
  const states = ['SUCCESS', 'FAILED', 'REJECTED', 'open']
  print(kinds.map((kind) => ({ 'orders by end': kind, ...Object.fromEntries(states.map((state) => [state, ends.get(`${kind} ${state}`) ?? 0])) })))

  const books = ledger.tokens.map(({ symbol, caip2Id, decimals, balances }, at) => {
    const [was, is] = [sum(before.ledger.tokens[at].balances), sum(balances)]
    assert.equal(is, was, `${symbol} on ${caip2Id}`)
    return { books: `${symbol} on ${caip2Id}`, before: Number(was) / 10 ** decimals, after: Number(is) / 10 ** decimals }
  })
  const minted = ends.get('MINT SUCCESS')
  const [owned, owning] = [before.ledger, ledger].map(({ collections }) => collections.flatMap(({ nfts }) => Object.values(nfts)))
  const nfts = { books: `NFTs, without the ${minted} that were minted`, before: pieces(owned), after: pieces(owning) - minted }
  console.log()
  print([...books, nfts])
  assert.equal(nfts.after, nfts.before, 'NFTs')
  const paid = BigInt(before.deployment.deposit) - BigInt(deployment.deposit)
  console.log(`\nthe paymaster paid ${Number(paid) / 1e18} of the EntryPoint's coin for gas`)
}

/** What all holders have. */
function sum(holders) {
  return Object.values(holders).reduce((sum, amount) => sum + BigInt(amount), 0n)
}

function pieces(nfts) {
  return nfts.reduce((all, { owners }) => all + Number(sum(owners)), 0)
}

/** Prints rows as a table: the first column to the left, numbers to the right. */
function print(rows) {
  const names = Object.keys(rows[0])
  const lines = [names, ...rows.map((row) => names.map((name) => row[name].toLocaleString('en')))]
  const widths = names.map((_, at) => Math.max(...lines.map((line) => line[at].length)))
  for (const line of lines) console.log(line.map((cell, at) => (at ? cell.padStart(widths[at]) : cell.padEnd(widths[0]))).join('  '))
}

function count(times, key) {
  times.set(key, (times.get(key) ?? 0) + 1)
}
