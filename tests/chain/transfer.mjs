// node transfer.mjs: makes transfers. A request is estimated, checked, signed and sent to the published EntryPoint on a local
// chain, and its receipt is read. Then the recipient must be the owner.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { assemble, estimate, readReceipt, signable } from '../../bindings/sendoff-js/dist/index.mjs'
import { checkSignature } from '../../bindings/sendoff-js/dist/signature.mjs'
import { encodeFunctionData, getAddress, parseEventLogs } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { anvil } from './anvil.mjs'
import { send } from './bundler.mjs'
import { service } from './service.mjs'

const AA25 = { kind: 'EntryPoint', text: 'AA25 invalid account nonce' }
const FEES = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x77359400' }

/** How an owner signs, by the deployment's form. */
const SIGN = {
  personal: (owner, { hash }) => owner.signMessage({ message: { raw: hash } }),
  typedData: (owner, { typedData }) => owner.signTypedData(typedData),
  raw: (owner, { hash }) => owner.sign({ hash }),
}

/** What moves, by name: the request's type and details, and whether the recipient has it. */
const TRANSFERS = {
  'an NFT': ({ collection }, recipientWalletAddress) => ({
    type: 'NFT_TRANSFER',
    details: { nftId: '16', recipientWalletAddress, collectionAddress: collection.address, amount: '1', nftType: 'ERC721' },
    arrived: async () => (await collection.read('ownerOf', 16n)) === recipientWalletAddress,
  }),
  'a token': ({ token }, recipientWalletAddress) => ({
    type: 'TOKEN_TRANSFER',
    details: { recipientWalletAddress, tokenAddress: token.address, amount: '250' },
    arrived: async () => (await token.read('balanceOf', recipientWalletAddress)) === 250n,
  }),
  ether: (_, recipientWalletAddress) => ({
    type: 'TOKEN_TRANSFER',
    details: { recipientWalletAddress, tokenAddress: '', amount: '77' },
    arrived: async () => (await chain.getBalance({ address: recipientWalletAddress })) === 77n,
  }),
  'two raw transactions': ({ token, wallet }, recipient) => ({
    type: 'RAW_TRANSACTION',
    details: {
      transactions: [
        { from: wallet, to: token.address, data: transferData(token, recipient, 333n), value: '0x0' },
        { from: wallet, to: recipient, data: '0x', value: '0x1b' },
      ],
    },
    arrived: async () =>
      (await token.read('balanceOf', recipient)) === 333n && (await chain.getBalance({ address: recipient })) === 27n,
  }),
}

const chain = await anvil()
try {
  for (const form of [
    { version: '0.7', signs: 'personal' },
    { version: '0.8', signs: 'typedData' },
    { version: '0.9', signs: 'raw' },
  ]) {
    const deployed = await service(chain, form)
    for (const [name, transfer] of Object.entries(TRANSFERS)) {
      const gas = await happens(deployed, transfer)
      console.log(`EntryPoint ${form.version}, ${form.signs}: ${name} arrived, for ${gas} gas`)
    }
    await fails(deployed)
    await isRefused(deployed)
    console.log(`EntryPoint ${form.version}, ${form.signs}: failures and refusals are reported by name`)
  }
} finally {
  chain.end()
}

async function happens(deployed, transfer) {
  const recipient = privateKeyToAddress(generatePrivateKey())
  const { arrived, ...intent } = transfer(deployed, recipient)
  const { request, signed, operation } = await prepared(deployed, intent)
  assert.equal(await arrived(), false)
  assert.deepEqual(signed.warnings, [])

  const receipt = await send(chain, deployed.entryPoint, operation)
  const { outcome, actualGasCost, actualGasUsed, transactionHash } = readReceipt(signed.hash, receipt)
  assert.equal(outcome, 'succeeded')
  assert.equal(await arrived(), true)
  assert.equal(transactionHash, receipt.receipt.transactionHash)
  const { certainCost, maxCost } = signed.account.operation
  assert.ok(BigInt(certainCost) <= BigInt(actualGasCost) && BigInt(actualGasCost) <= BigInt(maxCost))

  // The job manager decoded the values of the request from the call data.
  const [job] = parseEventLogs({ abi: deployed.jobManager.abi, logs: receipt.logs, eventName: 'JobDone' })
  const { clientSWA, userSWA, policies } = deployed.facts
  assert.deepEqual(job.args, {
    jobId: BigInt(`0x${request.jobId.replaceAll('-', '')}`),
    clientSWA,
    userSWA: getAddress(userSWA),
    feePayerAddress: '0x0000000000000000000000000000000000000000',
    policies,
    gsn: { isRequired: false, requiredNetworks: [], tokens: [] },
    intentType: request.type,
  })

  // An operation is executed once. A receipt with another hash belongs to another operation.
  assert.deepEqual(await refusal(deployed, { signed, operation }), AA25)
  assert.deepEqual(readReceipt(`0x${'00'.repeat(32)}`, receipt), { outcome: 'other' })
  return actualGasUsed
}

/** Jobs that cannot be done. Their operations are paid for and do nothing. */
async function fails(deployed) {
  const transfer = { recipientWalletAddress: privateKeyToAddress(generatePrivateKey()), tokenAddress: '', amount: '1' }
  for (const [details, kind, text] of [
    [{ ...transfer, caip2Id: 'eip155:1' }, 'Error', 'another chain'],
    // OpenZeppelin's `InsufficientBalance(uint256,uint256)`.
    [{ ...transfer, amount: '1000001' }, 'unknown', '0xcf479181'],
  ]) {
    const { signed, operation } = await prepared(deployed, { type: 'TOKEN_TRANSFER', details })
    const { outcome, reason } = readReceipt(signed.hash, await send(chain, deployed.entryPoint, operation))
    assert.deepEqual([outcome, reason.kind], ['failed', kind])
    assert.ok(reason.text.startsWith(text), reason.text)
  }
}

/**
 * A job id is the operation's nonce. For the EntryPoint a nonce is a key of 192 bits and a sequence number of 64, and the
 * sequence of every key begins with 0: an id of 16 random bytes ends with a sequence number that the account has not
 * reached. The service's own EntryPoint must therefore be another; in this test the last eight bytes of an id are zero.
 */
async function isRefused(deployed) {
  const transfer = TRANSFERS.ether(deployed, privateKeyToAddress(generatePrivateKey()))
  assert.deepEqual(await refusal(deployed, await prepared(deployed, transfer, randomUUID())), AA25)
  const other = { ...deployed, owner: privateKeyToAccount(generatePrivateKey()) }
  const reason = { kind: 'EntryPoint', text: 'AA24 signature error' }
  assert.deepEqual(await refusal(deployed, await prepared(other, transfer)), reason)
}

/** Why the EntryPoint refuses the operation. */
async function refusal({ entryPoint }, { signed, operation }) {
  const { data: reason } = await send(chain, entryPoint, operation).then(() => assert.fail('it is sent'), (error) => error)
  const receipt = { userOpHash: signed.hash, success: false, actualGasCost: '0x0', actualGasUsed: '0x0', reason }
  return readReceipt(signed.hash, receipt).reason
}

async function prepared({ facts, deployment, owner, paymasterData }, { type, details }, jobId = sequenceZero()) {
  const request = {
    type,
    jobId,
    gasDetails: FEES,
    paymasterData: await paymasterData(jobId),
    details: { caip2Id: `eip155:${chain.chain.id}`, ...details },
  }
  const reply = estimate(request, facts)
  const signed = signable(request, reply, deployment)
  const signature = await SIGN[deployment.signs](owner, signed)
  assert.deepEqual(checkSignature(signed.digest, signature, owner.address), { ok: true })
  return { request, signed, operation: assemble(signed.operation, signature) }
}

/** A job id whose last eight bytes are zero. */
function sequenceZero() {
  return `${randomUUID().slice(0, 18)}-0000-000000000000`
}

function transferData({ abi }, ...args) {
  return encodeFunctionData({ abi, functionName: 'transfer', args })
}
