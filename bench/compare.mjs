// The checks of a client without Sendoff before it signs. Both other libraries use them. The call data is already decoded.
import { executeUserOp, nobody } from './patterns.mjs'
import { nonceOf } from './reply.mjs'

const lower = (value) => String(value).toLowerCase()

export function compare(request, reply, deployment, { selector, manager, value, again, inner, policies, gsn, details }) {
  const { callData, details: shown, userOps } = reply.data
  const [job, client, user, payer, , , , kind] = inner
  const nonce = BigInt(nonceOf(request.jobId))
  const pairs = {
    status: [reply.status, 'success'],
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
    encoding: [again, userOps.callData],
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
}

function same(name, found, expected) {
  if (lower(found) !== lower(expected)) throw new Error(`the reply differs: ${name}`)
}
