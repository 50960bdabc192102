// The jobs as a backend and a page without Sendoff do them, by the functions of a library. Both other libraries use them.
import { executeUserOp, nobody, noGsn } from './patterns.mjs'

/** The reply to the text of a request. */
export function estimated({ read, types, encode }, initiate, text, facts) {
  const request = read(JSON.parse(text))
  const nonce = nonceOf(request.jobId)
  const inner = initiate([
    BigInt(nonce),
    facts.clientSWA,
    facts.userSWA,
    nobody,
    encode(types.policies, [facts.policies]),
    encode(types.gsn, [noGsn]),
    encode(types.job, [{ ...request.details, amount: BigInt(request.details.amount) }]),
    request.type,
  ])
  return reply(request, facts, nonce, encode(types.outer, [executeUserOp, facts.jobManager, 0n, inner]))
}

const lower = (value) => String(value).toLowerCase()

/** The operation of a reply, after the checks that a page makes before it signs. */
export function checked({ read, types, encode, decode, slice }, request, text, deployment) {
  read(request)
  const { status, data } = JSON.parse(text)
  const { callData, details: shown, userOps } = data
  const outer = decode(types.outer, userOps.callData)
  const [selector, manager, value, call] = outer
  const [job, client, user, payer, ofPolicies, ofGsn, ofJob, kind] = decode(types.words, slice(call, 4))
  const [[policies], [gsn], [details]] = [decode(types.policies, ofPolicies), decode(types.gsn, ofGsn), decode(types.job, ofJob)]
  const nonce = BigInt(nonceOf(request.jobId))
  const pairs = {
    status: [status, 'success'],
    type: [callData.intentType, request.type],
    'type in call data': [kind, request.type],
    job: [callData.jobId, request.jobId],
    'job in call data': [job, nonce],
    nonce: [BigInt(userOps.nonce), nonce],
    cap: [userOps.maxFeePerGas, request.gasDetails.maxFeePerGas],
    tip: [userOps.maxPriorityFeePerGas, request.gasDetails.maxPriorityFeePerGas],
    'paymaster data': [userOps.paymasterData, request.paymasterData],
    paymaster: [userOps.paymaster, deployment.paymaster],
    sender: [userOps.sender, callData.userSWA],
    user: [user, callData.userSWA],
    client: [callData.clientSWA, deployment.clientSWA],
    'client in call data': [client, deployment.clientSWA],
    'fee payer': [callData.feePayerAddress, ''],
    'fee payer in call data': [payer, nobody],
    'job manager': [manager, deployment.jobManager],
    selector: [selector, executeUserOp],
    value: [value, 0n],
    encoding: [encode(types.outer, outer), userOps.callData],
    gsn: [gsn.isRequired, callData.gsn.isRequired],
    networks: [gsn.requiredNetworks, callData.gsn.requiredNetworks],
    'gsn policy': [policies.gsnEnabled, callData.policies.gsnEnabled],
    sponsorship: [policies.sponsorshipEnabled, callData.policies.sponsorshipEnabled],
    'fields of the payload': [Object.keys(callData.payload).length, Object.keys(request.details).length],
  }
  for (const [name, [found, expected]] of Object.entries(pairs)) same(name, found, expected)
  for (const [name, expected] of Object.entries(request.details)) {
    same(`payload ${name}`, callData.payload[name], expected)
    same(`${name} in call data`, details[name], expected)
  }
  for (const chain of Object.keys(shown.fees.transactionFees)) same('fee chain', chain, request.details.caip2Id)
  if (lower(request.details.recipientWalletAddress) === lower(user)) throw new Error('the recipient is the user')
  return userOps
}

function same(name, found, expected) {
  if (lower(found) !== lower(expected)) throw new Error(`the reply differs: ${name}`)
}

// The success reply.
const empty = (names) => Object.fromEntries(names.map((name) => [name, '']))
const inInputToken = ['gasFees', 'integratorFees', 'platformBaseFees', 'totalFees'].map((name) => `${name}InInputToken`)
const estimation = [
  'amount', 'crossChainFee', 'crossChainFeeCollector', 'outputAmount', 'recommendedSlippage', 'routeId', 'routeValidUntil',
  'sameChainFee', 'sameChainFeeCollector', 'slippageUsed', ...inInputToken,
]

const nonceOf = (jobId) => `0x${'0'.repeat(32)}${jobId.replaceAll('-', '').toLowerCase()}`

const reply = (request, facts, nonce, callData) => ({
  status: 'success',
  data: {
    callData: {
      clientSWA: facts.clientSWA,
      feePayerAddress: '',
      gsn: { isPossible: false, isRequired: false, requiredNetworks: [], tokens: [] },
      intentType: request.type,
      jobId: request.jobId,
      payload: request.details,
      policies: facts.policies,
      userSWA: facts.userSWA,
    },
    details: {
      estimation: empty(estimation),
      fees: facts.fees ?? { approxTransactionFeesInUSDT: '', transactionFees: {} },
      swapFees: empty(inInputToken),
    },
    userOps: {
      callData,
      ...facts.gasLimits,
      ...request.gasDetails,
      nonce,
      paymaster: facts.paymaster.toLowerCase(),
      paymasterData: request.paymasterData,
      sender: facts.userSWA.toLowerCase(),
    },
  },
})

// The operation in the form of the hash functions of both libraries.
const numbers = [
  'nonce', 'callGasLimit', 'verificationGasLimit', 'preVerificationGas', 'maxFeePerGas', 'maxPriorityFeePerGas',
  'paymasterVerificationGasLimit', 'paymasterPostOpGasLimit',
]
export const typed = (op) => ({ ...op, ...Object.fromEntries(numbers.map((name) => [name, BigInt(op[name])])), signature: '0x' })
