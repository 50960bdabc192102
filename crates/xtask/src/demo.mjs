// Reads {request, facts} from standard input, and prints the estimate of the built package with its description, by the backend that
// SENDOFF_BACKEND chooses. With {address, token, request} it sends the request there, and prints the reply.

import { readFileSync } from 'node:fs'
import { backend, describeCall, estimate, safeMaxCost } from '../../../bindings/sendoff-js/dist/index.mjs'

const { request, facts, address, token } = JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify(address ? await sent() : estimated()))

async function sent() {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(address, { method: 'POST', headers, body: request })
  return { status: response.status, reply: await response.text() }
}

function estimated() {
  const reply = estimate(request, facts)
  const description = described(reply.data.userOps)
  const lines = Object.entries(description).flatMap(([name, values]) => [values].flat().map((value) => `${name.padEnd(12)} ${value}`))
  return { backend: backend(), reply: JSON.stringify(reply), shown: `${JSON.stringify(reply, null, 2)}\n\n${lines.join('\n')}` }
}

/** What a person can check, in words and numbers. */
function described(operation) {
  const { sentences, chain, feePayer, jobId } = describeCall(operation.callData)
  const cost = safeMaxCost(operation)
  const payer = feePayer ? `, for the fee payer ${feePayer}` : ''
  return {
    moves: sentences,
    'on chain': chain,
    'paid by': `the paymaster ${operation.paymaster}${payer}`,
    'fee cap': `${shifted(operation.maxFeePerGas, 9)} gwei per unit of gas`,
    tip: `${shifted(operation.maxPriorityFeePerGas, 9)} gwei of that`,
    'at most': cost.ok
      ? `${shifted(cost.value, 18)} ether of the service's chain (${cost.value} wei)`
      : `nothing, because the EntryPoint would refuse it: ${cost.issues[0].message}`,
    sender: operation.sender,
    nonce: `${operation.nonce}, the job ${jobId}`,
    'call data': `${operation.callData.length / 2 - 1} bytes`,
  }
}

/** A quantity with its point `places` to the left. */
function shifted(quantity, places) {
  const digits = String(BigInt(quantity)).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, '')
}
